package import SimulatedDispatch
package import Vocabulary

/// The position of a lane in its steps.
extension World {
  /// A block of steps that has begun on a lane.
  package struct BlockInProgress: Hashable, Sendable {
    package let author: Author
    package let steps: [AddressedStep]
    /// The index of the present step.
    package let index: Int
  }

  /// Returns the unfinished blocks of a lane, outermost first.
  package func blocksInProgress(on lane: LaneID) -> [BlockInProgress] {
    dispatcher.frames(of: lane).compactMap { frame in
      guard case .block(let block) = frame, block.next > 0 else { return nil }
      return BlockInProgress(author: block.author, steps: block.steps, index: block.next - 1)
    }
  }

  /// Returns a Boolean value that indicates whether a lane waits for the queue of its next block,
  /// rather than for a queue that a step needs.
  package func waitsForTurn(_ lane: LaneID) -> Bool {
    guard case .block(let block)? = dispatcher.top(of: lane) else { return false }
    return block.next == 0
  }
}
