package import SimulatedDispatch
import Vocabulary

/// Errors: an error ends the rest of the nearest `try` that the lane is in.
extension World {
  /// Throws the error of the failed operation on top of the lane. Blocks inside the `try` end where
  /// they are, and release their queues. Outside a `try`, nothing is passed over. §throw
  mutating func passOverRestOfTry(on lane: LaneID) {
    if let depth = depthOfTry(on: lane) { endBlocks(below: depth, on: lane) }
  }

  /// Whether the error of the action that `lane` has just performed ends a `try`.
  package func catchesError(of lane: LaneID) -> Bool { depthOfTry(on: lane) != nil }

  /// The depth of the `try`'s block below the failed operation; nil without a `try`. Frames for the
  /// notifications of the operation are above it. §throw.2
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
      // §throw.2.4: the step that posted a notification does not fail with an observer's steps.
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
