package import SimulatedDispatch
import Vocabulary

/// Errors. An error ends the rest of the nearest `try` on the lane.
extension World {
  /// Throws the error of the failed operation on top of the lane. Blocks inside the `try` end at
  /// once and release their queues. Outside a `try`, no step is skipped. §throw
  mutating func passOverRestOfTry(on lane: LaneID) {
    if let depth = depthOfTry(on: lane) { endBlocks(below: depth, on: lane) }
  }

  /// Returns a Boolean value that indicates whether the error of the action that `lane` has just
  /// performed ends a `try`.
  package func catchesError(of lane: LaneID) -> Bool { depthOfTry(on: lane) != nil }

  /// Returns the depth of the `try` block below the failed operation, or `nil` without a `try`.
  /// Frames for the notifications of the operation are above the operation. §throw.2
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
      // §throw.2.4: an error in an observer does not fail the step that posted the notification.
      case .operation, .delivery, .code: return nil
      }
    }
    return nil
  }

  /// Skips the remaining steps of blocks among the `count` frames below the top frame.
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
