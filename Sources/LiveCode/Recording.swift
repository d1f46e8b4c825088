import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// What a run of code did, in order, for a program that does the same without the code.
struct Recording {
  /// What a piece of code asked for.
  enum Item {
    case action(Action)
    /// It got hold of an instance without a step.
    case held(HeldInstance)
    /// It has touched the context without its queue.
    case wrongQueue(ContextID)
    case enqueued(
      piece: Int, on: QueueID, endingEventOf: ContextID?, afterMilliseconds: Int)
    /// It waits for a queue, and has it until `end`.
    case begin(QueueID)
    case end
    /// The main thread's run loop turns until `endOfLoop`.
    case loop
    case endOfLoop
    case sleep(Int)
    case suspend(QueueID)
    case resume(QueueID)
  }

  enum Performed {
    /// What an item asked for.
    case asked(item: Int, Action)
    /// A merge or the end of an event, on a queue.
    case byItself(Action, on: QueueID?)
  }

  private(set) var items: [(piece: Int, item: Item)] = []
  /// What was performed, what could be observed of it, and how many items there were by then.
  private(set) var performed: [(what: Performed, events: [Event], itemCount: Int)] = []
  /// By piece: what it has asked for last.
  private var latest: [Int: Int] = [:]
  /// The contexts that posted a DidSave, or had a batch result, by its number.
  private var saves: [(context: ContextID, isBatch: Bool)] = []
  /// Whether something has happened that no program can do: an overridden hook has changed an
  /// object, or code was called that no other code has enqueued.
  private(set) var hasMore = false

  mutating func note(_ item: Item, by piece: Int) {
    if case .action = item { latest[piece] = items.count }
    items.append((piece, item))
  }

  mutating func note(
    _ action: Action, by piece: Int?, on queue: QueueID?, in world: World
  ) {
    let item = piece.flatMap { latest[$0] }
    let what = item.map { Performed.asked(item: $0, action) } ?? .byItself(action, on: queue)
    performed.append((what, world.graph.result.events, items.count))
    for event in world.graph.result.events {
      switch event {
      case .didSave(let context, _, _): saves.append((context, false))
      case .batched: saves.append((action.context, true))
      default: break
      }
    }
  }

  mutating func noteMore() { hasMore = true }

  /// How a merge step names a DidSave or batch result.
  func source(_ number: Int) -> MergeSource {
    let save = saves[number]
    let ordinal = saves[...number].count { $0 == save }
    return save.isBatch
      ? .batch(save.context, ordinal: ordinal) : .didSave(save.context, ordinal: ordinal)
  }

  /// The steps that were asked for, in order.
  var steps: [AddressedStep] {
    items.compactMap { if case .action(.step(let step, _)) = $0.item { step } else { nil } }
  }
}
