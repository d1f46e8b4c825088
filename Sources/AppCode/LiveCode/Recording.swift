import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// The history of a run of code, from which a program without the code is made.
struct Recording {
  /// A request of a job.
  enum Item {
    case action(Action)
    /// The job obtained an instance without a step.
    case held(HeldInstance)
    /// The job touched the context without its queue.
    case wrongQueue(ContextID)
    case enqueued(
      job: Int, on: QueueID, endingEventOf: ContextID?, afterMilliseconds: Int)
    /// The job waits for a queue, and then holds it until `end`.
    case begin(QueueID)
    case end
    /// The main thread's run loop runs until `endOfLoop`.
    case loop
    case endOfLoop
    case sleep(Int)
    case suspend(QueueID)
    case resume(QueueID)
  }

  enum Performed {
    /// An action that an item requested.
    case asked(item: Int, Action)
    /// A merge or the end of an event, on a queue.
    case byItself(Action, on: QueueID?)
  }

  private(set) var items: [(job: Int, item: Item)] = []
  /// The performed actions, with their events and the number of items so far.
  private(set) var performed: [(what: Performed, events: [Event], itemCount: Int)] = []
  /// The index of the last action item of each job.
  private var latest: [Int: Int] = [:]
  /// The contexts that posted DidSave notifications or had batch results, indexed by their number.
  private var saves: [(context: ContextID, isBatch: Bool)] = []
  /// A Boolean value that indicates whether the run did something that no program can express. For
  /// example, an overridden hook changed an object, or code ran that no code enqueued.
  private(set) var hasMore = false

  mutating func note(_ item: Item, by job: Int) {
    if case .action = item { latest[job] = items.count }
    items.append((job, item))
  }

  mutating func note(
    _ action: Action, by job: Int?, on queue: QueueID?, in world: World
  ) {
    let item = job.flatMap { latest[$0] }
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

  /// Returns the name by which a merge step refers to a DidSave notification or batch result.
  func source(_ number: Int) -> MergeSource {
    let save = saves[number]
    let ordinal = saves[...number].count { $0 == save }
    return save.isBatch
      ? .batch(save.context, ordinal: ordinal) : .didSave(save.context, ordinal: ordinal)
  }

  /// The requested steps, in order.
  var steps: [AddressedStep] {
    items.compactMap { if case .action(.step(let step, _)) = $0.item { step } else { nil } }
  }
}
