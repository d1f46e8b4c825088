import Failures
import SimulatedCoreData
import Vocabulary

/// Data about a run that several checks read.
protocol RunNote: Hashable {
  /// The invariants whose checks read the note.
  static var informs: [Invariant] { get }
}

/// The notes of a run that several checks read.
struct RunNotes {
  /// The journal, which is empty unless `proves`.
  private(set) var journal = Journal()
  private(set) var lookups = LookupsInVain()
  private(set) var rows = RowsThatWere()
  private(set) var hookWrites = HookWrites()
  private(set) var savedInsertions = SavedInsertions()
  private(set) var marks = LoopMarks()
  /// The change log, or `nil` if no signatures are requested.
  private(set) var changes: ChangeLog?
  /// A Boolean value that indicates whether violations have proofs.
  let proves: Bool
  private let judgesDesigns: Bool

  init(_ level: CheckLevel) {
    proves = level.proves
    judgesDesigns = level.judgesDesigns
    changes = level == .soundness ? nil : ChangeLog()
  }

  /// Notes the facts of an action that checks need when they see it.
  mutating func noteBeforeChecks(_ moment: Moment, in world: World) {
    if moment.signs.contains(.hookSets) || !marks.isEmpty { marks.note(moment.action, in: world) }
    if proves { journal.note(moment, in: world) }
    if judgesDesigns { lookups.follow(moment, in: world) }
  }

  /// Notes the facts of an action that checks need for later actions.
  mutating func noteAfterChecks(_ moment: Moment, in world: World) {
    if moment.signs.contains(.didSaves) { savedInsertions.note(world) }
    if moment.signs.contains(.hookSets) { hookWrites.note(world) }
    if judgesDesigns { rows.note(moment, in: world) }
    changes?.note(moment, in: world)
  }

  /// Adds the data of a signature to the violation, unless the check has set it.
  func sign(_ violation: inout Violation, by author: Author, in world: World) {
    guard let changes else { return }
    violation.author = violation.author ?? author
    // Combines raw values, because inherited methods of option sets are not specialised across
    // modules.
    let ways = changes.ways(of: violation.objects, in: world).rawValue
    violation.ways = ChangeWays(rawValue: ways | (violation.ways?.rawValue ?? 0))
  }

  /// Feeds the notes that the checks of `invariant` read.
  func hashMemory(of invariant: Invariant, into hasher: inout Hasher) {
    func feed<Note: RunNote>(_ note: Note) {
      if Note.informs.contains(invariant) { hasher.combine(note) }
    }
    feed(lookups)
    feed(rows)
    feed(hookWrites)
    feed(savedInsertions)
    feed(marks)
  }
}
