import SimulatedDispatch
import Vocabulary

/// The end of the app at any point. Only rows on disk survive.
extension World {
  /// Records the step that begins. For a kill, also records the saves that it interrupts or
  /// prevents.
  mutating func noteBegin(of step: AddressedStep) {
    begunStep = step
    if case .kill = step.step {
      savesCutShort = savesToCome
    } else if !savesCutShort.isEmpty {
      savesCutShort = []
    }
  }

  /// The contexts whose saves lanes have not finished or not begun. The saves are found in the
  /// remaining steps of running blocks and of blocks in line. The next steps of an app's code are
  /// unknown.
  private var savesToCome: [ContextID] {
    var steps: [AddressedStep] = []
    var begun: [ContextID] = []
    func add(_ frame: Frame) {
      switch frame {
      case .block(let block): steps += block.steps[block.next...]
      case .wait(let block, hasQueue: false): steps += block.steps
      case .wait, .code: break
      case .operation(let operation):
        if case .step(let step, _) = operation.action, step.step == .save, hasStepToCome(frame) {
          begun.append(step.context)
        }
      case .delivery(let delivery):
        for case .observer(let index, delivered: _) in delivery.calls {
          steps += stack.observers[index].steps
        }
      }
    }
    for index in 0..<dispatcher.laneCount {
      let lane = LaneID(index: index)
      for frame in dispatcher.frames(of: lane) { add(frame) }
      dispatcher.forEachBlock(awaiting: lane, add)
    }
    return begun + stack.allSteps(of: steps).filter { $0.step == .save }.map(\.context)
  }

  /// Stops all lanes at once. The driver and the clock continue in the next launch of the app.
  /// §stop-lanes
  mutating func abandonLanes() {
    dispatcher = Dispatcher(now: dispatcher.now)
    queues = Queues()
    makeQueues()
    flags = stack.flags.map { _ in false }  // §kill.6
    lanesThatFound = []
    assert(dispatcher.isIdle, "a lane survives the end of the app")
  }
}
