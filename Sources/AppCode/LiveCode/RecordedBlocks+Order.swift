import Execution
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// The order in which the program performs the actions of the run.
extension RecordedBlocks {
  /// An action that is due, and whether a step of the program requests it.
  typealias Performed = (due: GuidedRun.Due, isAsked: Bool)

  /// Returns the actions of the program, in the order of the run.
  func order() -> [Performed] {
    let world = World(model: model, stack: stack, quirks: QuirkSet(), bugs: PlantedBugSet())
    var order: [Performed] = []
    var performed = recording.performed[...]
    for index in 0...recording.items.count {
      while let next = performed.first, next.itemCount <= index {
        performed.removeFirst()
        order += dues(of: next.what, next.events, in: world)
      }
      guard index < recording.items.count, case .held = recording.items[index].item else {
        continue
      }
      order += preparing(index, in: world)
    }
    return order
  }

  private func dues(
    of performed: Recording.Performed, _ events: [Event], in world: World
  ) -> [Performed] {
    switch performed {
    case .asked(let item, let action):
      guard isInProgram(recording.items[item].job) else { return [] }
      guard let action = translated(action, item), !isForgotten(action) else {
        return preparing(item, in: world)
      }
      let due = GuidedRun.Due(
        action, on: queue(ofItem: item, in: world), events: action.isSilent ? nil : events)
      return preparing(item, in: world) + [(due, true)]
    case .byItself(let action, let queue):
      let queue = queue.flatMap { self.queue($0, in: world) }
      return [(GuidedRun.Due(action, on: queue, events: events), false)]
    }
  }

  private func preparing(_ item: Int, in world: World) -> [Performed] {
    (preparations[item] ?? []).map {
      (GuidedRun.Due(.step($0, .whole), on: queue(ofItem: item, in: world), events: nil), true)
    }
  }

  private func queue(ofItem item: Int, in world: World) -> QueueID? {
    queueOfJob[recording.items[item].job].flatMap { queue($0, in: world) }
  }

  private func translated(_ action: Action, _ item: Int) -> Action? {
    guard case .step(_, let phase) = action else { return action }
    guard case .action(.step(let asked, _)) = recording.items[item].item else { return nil }
    // Later phases of a save are not steps of the program.
    return .step(steps[item] ?? mapping(asked), phase)
  }

  private func queue(_ queue: QueueID, in world: World) -> QueueID? {
    switch places[queue] {
    case .main: world.mainQueue
    case .context(let context): world.queue(of: context)
    case .app(let queue): world.queue(ofApp: queue)
    case nil: nil
    }
  }

  /// Returns whether the action occurs in the run only, or in the program only.
  func isForgotten(_ action: Action) -> Bool {
    switch action {
    case .wrongQueue, .endOfEvent(mainContext): return true
    case .step(let step, _):
      return switch step.step {
      case .addStore, .discard, .suspend, .resume, .sleep: true
      default: false
      }
    default: return false
    }
  }
}

extension Action {
  /// A Boolean value that indicates whether events are not compared, because the action only
  /// releases an instance.
  fileprivate var isSilent: Bool {
    guard case .step(let step, _) = self else { return false }
    return switch step.step {
    case .release: true
    default: false
    }
  }
}
