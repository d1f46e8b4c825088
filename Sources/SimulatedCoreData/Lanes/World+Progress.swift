package import SimulatedDispatch
package import Vocabulary

/// Where a lane is in the steps that it runs.
extension World {
  /// A block of steps that has begun on a lane.
  package struct BlockInProgress: Hashable, Sendable {
    package let author: Author
    package let steps: [AddressedStep]
    /// The step that the lane is in.
    package let index: Int
  }

  /// The blocks that a lane is in, the outermost first.
  package func blocksInProgress(on lane: LaneID) -> [BlockInProgress] {
    dispatcher.frames(of: lane).compactMap { frame in
      guard case .block(let block) = frame, block.next > 0 else { return nil }
      return BlockInProgress(author: block.author, steps: block.steps, index: block.next - 1)
    }
  }

  /// Whether a lane waits for the queue on which a block of it is to run, and not for one that a
  /// step needs besides.
  package func waitsForTurn(_ lane: LaneID) -> Bool {
    guard case .block(let block)? = dispatcher.top(of: lane) else { return false }
    return block.next == 0
  }
}
