import ObjectModel
import SimulatedCoreData
import Vocabulary

/// What a run of code did, in order, for a program that does the same without the code.
struct Recording {
  enum Entry {
    /// An action and the context whose automatic merge it is, if no code asked for it.
    case action(Action, isAutomatic: Bool)
    /// Code got hold of an instance without a step.
    case held(HeldInstance)
    /// The action that follows is asked for without the context's queue.
    case wrongQueue
  }

  private(set) var entries: [Entry] = []
  /// What could be observed, in order.
  private(set) var events: [Event] = []
  /// The contexts that posted a DidSave, or had a batch result, by its number.
  private(set) var saves: [(context: ContextID, isBatch: Bool)] = []
  /// Whether overridden hooks have changed something: no program can.
  private(set) var hasHooks = false

  mutating func note(_ action: Action, isAutomatic: Bool, in world: World) {
    if action.isTold(by: world.events) {
      entries.append(.action(action, isAutomatic: isAutomatic))
    }
    if !action.isForgotten { events += world.events }
    for event in world.events {
      switch event {
      case .didSave(let context, _, _): saves.append((context, false))
      case .batched: saves.append((action.context, true))
      default: break
      }
    }
  }

  mutating func noteHold(_ instance: HeldInstance) { entries.append(.held(instance)) }

  mutating func noteWrongQueue() { entries.append(.wrongQueue) }

  mutating func noteHook() { hasHooks = true }

  /// How merge steps name each DidSave or batch result.
  var sources: [MergeSource] {
    saves.indices.map { number in
      let save = saves[number]
      let ordinal = saves[...number].count { $0 == save }
      return save.isBatch
        ? .batch(save.context, ordinal: ordinal) : .didSave(save.context, ordinal: ordinal)
    }
  }

  /// The steps, in order.
  var steps: [AddressedStep] {
    entries.compactMap { if case .action(.step(let step, _), _) = $0 { step } else { nil } }
  }
}

extension Recording.Entry {
  var addsStore: Bool {
    if case .action(.step(let step, _), _) = self, case .addStore = step.step {
      true
    } else {
      false
    }
  }
}

extension AddressedStep {
  var removesStore: Bool { if case .removeStore = step { true } else { false } }
}

extension Action {
  /// Whether a program that is made of it need not do it.
  fileprivate var isForgotten: Bool {
    guard case .step(let step, _) = self else { return false }
    return switch step.step {
    case .release, .discard, .addStore: true
    default: false
    }
  }

  /// Whether it is where what code asked for, or the end of its block, takes effect: a save where
  /// it is handed on, or where it ends before that.
  func isTold(by events: [Event]) -> Bool {
    switch self {
    case .step(_, let phase):
      phase == .whole || phase == .commit
        || (phase != .finish && events.contains(where: \.endsSave))
    case .endOfEvent: !events.isEmpty
    case .endOfDelivery, .wrongQueue: false
    case .merge, .mergeRemote: true
    }
  }
}

extension Event {
  fileprivate var endsSave: Bool {
    switch self {
    case .saved, .failed: true
    default: false
    }
  }
}
