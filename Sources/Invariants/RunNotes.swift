import Failures
import SimulatedCoreData
import Vocabulary

/// Something that is noted of a run for several checks.
protocol RunNote: Hashable {
  /// The invariants whose checks read the note.
  static var informs: [Invariant] { get }
}

/// The notes of a run that several checks read.
struct RunNotes {
  /// Empty unless `proves`.
  private(set) var journal = Journal()
  private(set) var lookups = LookupsInVain()
  private(set) var rows = RowsThatWere()
  private(set) var hookWrites = HookWrites()
  private(set) var savedInsertions = SavedInsertions()
  private(set) var marks = LoopMarks()
  /// Nil if no signatures are asked for.
  private(set) var changes: ChangeLog?
  /// A Boolean value that indicates whether violations have proofs.
  let proves: Bool
  private let judgesDesigns: Bool

  init(_ level: CheckLevel) {
    proves = level.proves
    judgesDesigns = level.judgesDesigns
    changes = level == .soundness ? nil : ChangeLog()
  }

  /// Notes of an action what the checks are to know when they look at it.
  mutating func noteBeforeChecks(_ moment: Moment, in world: World) {
    if moment.signs.contains(.hookSets) || !marks.isEmpty { marks.note(moment.action, in: world) }
    if proves { journal.note(moment, in: world) }
    if judgesDesigns { lookups.follow(moment, in: world) }
  }

  /// Notes what checks are to know of an action when they look at later ones.
  mutating func noteAfterChecks(_ moment: Moment, in world: World) {
    if moment.signs.contains(.didSaves) { savedInsertions.note(world) }
    if moment.signs.contains(.hookSets) { hookWrites.note(world) }
    if judgesDesigns { rows.note(moment, in: world) }
    changes?.note(moment, in: world)
  }

  /// Notes in the violation what its signature is made of, unless the check has said so.
  func sign(_ violation: inout Violation, by author: Author, in world: World) {
    guard let changes else { return }
    violation.author = violation.author ?? author
    // On raw values: what an option set inherits is not specialised across modules.
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
