import SimulatedDispatch
import Vocabulary

/// The end of the app, wherever it stands: only rows on disk outlive it.
extension World {
  /// Notes the step that begins and, of a kill, the saves that it cuts short.
  mutating func noteBegin(of step: AddressedStep) {
    begunStep = step
    if case .kill = step.step {
      savesCutShort = savesToCome
    } else if !savesCutShort.isEmpty {
      savesCutShort = []
    }
  }

  /// The contexts whose saves lanes have still to finish or to begin: in steps to come of the
  /// blocks that they run, and of those that wait for their queues. What an app's code does next
  /// is not known.
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

  /// Stops all lanes where they are. The driver continues in a new app, and so does the clock.
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
