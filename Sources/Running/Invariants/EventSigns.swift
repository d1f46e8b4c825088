import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The kinds of events that an action has, as far as some invariant looks for them. A check
/// examines events one by one only if the action has a matching sign.
struct EventSigns: OptionSet {
  let rawValue: UInt16

  static let awakenings = EventSigns(rawValue: 1)
  /// Faults that were fired.
  static let loads = EventSigns(rawValue: 2)
  /// Values that hooks have set.
  static let hookSets = EventSigns(rawValue: 4)
  /// Values that a child's save has passed to its parent.
  static let receipts = EventSigns(rawValue: 8)
  static let saveRequests = EventSigns(rawValue: 16)
  static let merges = EventSigns(rawValue: 32)
  /// The results of batch requests.
  static let batches = EventSigns(rawValue: 64)
  /// A successful save or validation.
  static let saved = EventSigns(rawValue: 256)
  static let didSaves = EventSigns(rawValue: 512)
  /// The action failed or had no effect.
  static let failures = EventSigns(rawValue: 128)
  /// Objects that a save or a batch request has deleted.
  static let deletions = EventSigns(rawValue: 1024)
  /// Evidence of saves, reads and relationships (`Evidence`).
  static let evidence = EventSigns(rawValue: 2048)
  /// The commit of a root's save, successful or not.
  static let rootCommits = EventSigns(rawValue: 4096)
  /// Look-ups of objects by IDs that the app has remembered.
  static let lookups = EventSigns(rawValue: 16384)
  /// A sign that every action has.
  static let everyAction = EventSigns(rawValue: 8192)

  init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Collects the signs of `action`, which has just been performed in `world`.
  init(_ action: Action, in world: borrowing World) {
    self.init(world.graph.result.events)
    insert(.everyAction)
    if !world.graph.result.evidence.isEmpty { insert(.evidence) }
    switch action {
    case .step(let step, .commit) where world.graph.isRoot(step.context): insert(.rootCommits)
    case .step(let step, .whole): if case .forEach(.remembered, _) = step.step { insert(.lookups) }
    default: break
    }
  }

  private init(_ events: [Event]) {
    self = []
    for event in events {
      switch event {
      case .awakeFromInsert: insert(.awakenings)
      case .hook(.awakeFromFetch, _, _): insert(.loads)
      case .hookSet: insert(.hookSets)
      case .receive: insert(.receipts)
      case .saveRequest(_, let sets):
        insert(.saveRequests)
        if !sets.deleted.isEmpty { insert(.deletions) }
      case .didMergeChanges: insert(.merges)
      case .batched(let sets, _):
        insert(.batches)
        if !sets.deleted.isEmpty { insert(.deletions) }
      case .saved: insert(.saved)
      case .didSave(_, let sets, number: _):
        insert(.didSaves)
        if !sets.deleted.isEmpty { insert(.deletions) }
      case .failed, .nothing: insert(.failures)
      default: break
      }
    }
  }
}
