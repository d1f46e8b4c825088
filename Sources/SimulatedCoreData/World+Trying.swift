package import SimulatedDispatch
import Vocabulary

/// What an error ends: the rest of the nearest `try` that the lane is in.
extension World {
  /// The operation on top of the lane has failed. Blocks inside the `try` end where they are, and
  /// give back the queues that they have waited for; outside of a `try` nothing is passed over.
  mutating func passOverRestOfTry(on lane: LaneID) {
    if let depth = depthOfTry(on: lane) { endBlocks(below: depth, on: lane) }
  }

  /// Whether the error of the action that `lane` has just performed ends a `try`.
  package func catchesError(of lane: LaneID) -> Bool { depthOfTry(on: lane) != nil }

  /// How many frames below the operation that has failed the block of the `try` is; nil if there is
  /// none. What its notifications set off is above it.
  private func depthOfTry(on lane: LaneID) -> Int? {
    let frames = dispatcher.frames(of: lane)
    let operation = frames.lastIndex { if case .operation = $0 { true } else { false } }
    guard let operation else { return nil }
    for (depth, frame) in frames[..<operation].reversed().enumerated() {
      switch frame {
      case .wait: continue
      case .block(let block):
        switch block.errorScope {
        case .surrounding: continue
        case .block: return depth + 1
        case .step: return nil
        }
      // An observer's steps: what has posted the notification does not fail with them.
      case .operation, .delivery, .code: return nil
      }
    }
    return nil
  }

  /// No step is left to the blocks among the frames below the top one.
  private mutating func endBlocks(below count: Int, on lane: LaneID) {
    var above: [Frame] = [dispatcher.pop(lane)]
    for _ in 0..<count {
      var frame = dispatcher.pop(lane)
      if case .block(var block) = frame {
        block.next = block.steps.count
        frame = .block(block)
      }
      above.append(frame)
    }
    for frame in above.reversed() { dispatcher.push(frame, on: lane) }
  }
}
