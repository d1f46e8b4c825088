import Execution
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// In which order the program does what the run did.
extension RecordedBlocks {
  /// What is performed, on which queue of the program, and whether a step asks for it.
  typealias Performed = (due: GuidedRun.Due, isAsked: Bool)

  /// What is performed, in order.
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
      guard isInProgram(recording.items[item].piece) else { return [] }
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
    queueOfPiece[recording.items[item].piece].flatMap { queue($0, in: world) }
  }

  private func translated(_ action: Action, _ item: Int) -> Action? {
    guard case .step(_, let phase) = action else { return action }
    guard case .action(.step(let asked, _)) = recording.items[item].item else { return nil }
    // Only the first phase of a save is a step of the program.
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

  /// Whether it is in the run alone, or in the program alone.
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
  /// Whether what it comes to is not compared: an instance is let go.
  fileprivate var isSilent: Bool {
    guard case .step(let step, _) = self else { return false }
    return switch step.step {
    case .release: true
    default: false
    }
  }
}
