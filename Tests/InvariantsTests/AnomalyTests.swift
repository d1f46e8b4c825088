import Execution
import Failures
import Invariants
import Scenario
import ScenarioChecking
import SimulatedCoreData
import TestSupport
import Testing
import Timelines
import Vocabulary

@Suite struct `An anomaly` {
  private func kinds(
    _ path: String, bugs: [PlantedBug] = []
  ) throws -> [FailureKind] {
    try outcome(
      of: path, quirks: Profile.current.quirks, bugs: bugs, compares: bugs.isEmpty
    ).outcome.failureKinds.filter { $0 != "duplicate awakeFromInsert" }
  }

  /// Each case has a kind, a scenario that shows it, and the nearest harmless scenario.
  @Test(arguments: [
    (
      "aborted read", "Faulting/rolled-back-value-lives-on-below",
      "Faulting/handed-up-value-is-read-below"
    ),
    ("lost update", "Conflicts/last-child-wins", "Conflicts/refreshed-child-overwrites-nothing"),
    (
      "lost update in the store", "Conflicts/conflict-under-overwrite",
      "Conflicts/refresh-then-save"
    ),
    (
      "silently ignored save", "Saving/childs-edit-of-what-its-parent-deleted-is-dropped",
      "Conflicts/refreshed-child-overwrites-nothing"
    ),
    (
      "silently ignored save in the store", "Conflicts/conflict-under-mergeByPropertyStoreTrump",
      "Conflicts/refresh-then-save"
    ),
    (
      "stale read through a cached ancestor", "Faulting/ancestor-cache-hides-updates",
      "Faulting/refresh-every-level"
    ),
    (
      "stale read through the row cache", "Stores/refreshed-object-is-read-from-an-old-row",
      "Stores/batch-update-that-is-merged"
    ),
  ])
  func `an anomaly shows in its scenario and not in the nearest harmless one`(
    kind: FailureKind, bad: String, good: String
  ) throws {
    let (shown, avoided) = (try kinds(bad), try kinds(good))
    #expect(shown.contains(kind), "\(shown)")
    #expect(!avoided.contains(kind), "\(avoided)")
  }

  /// No design and no program can cause a dirty read.
  @Test func `only a framework bug causes a dirty read`() throws {
    let path = "Faulting/unsaved-value-stays-with-its-context"
    #expect(try kinds(path, bugs: [.readsSiblings]).contains("dirty read"))
    #expect(try kinds(path) == [])
  }
}

@Suite struct `Judged reads and updates` {
  private func kinds(
    _ steps: String, _ header: String = "", without quirk: Quirk? = nil
  ) throws -> [FailureKind] {
    let text = smallScenario(steps: steps).replacing(
      "  view  mainQueue", with: header + "  view  mainQueue")
    return try outcome(text, without: quirk).failureKinds
  }

  private func outcome(_ text: String, without quirk: Quirk? = nil) throws -> Outcome {
    let scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "none")) }
    var configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
    if let quirk { configuration.quirks.remove(quirk) }
    configuration.checkLevel = .design
    return ProgramRunner(configuration).run(Program(scenario))
  }

  /// An ancestor's copy is not read from the row cache, even if that is stale as well. The row
  /// cache is at fault only if ancestors are refreshed from it.
  @Test func `a stale read names a cached ancestor or the row cache`() throws {
    let steps = """
        view  insert Note as n
        view  save
        view  batchUpdate Note {title: "s1"}
        edit  existingObject view.n
        edit  get n.title
      """
    let (ancestor, cache): (FailureKind, FailureKind) = (
      "stale read through a cached ancestor", "stale read through the row cache"
    )
    let kept = try kinds(steps)
    #expect(kept.contains(ancestor) && !kept.contains(cache), "\(kept)")
    let renewed = try kinds(steps, without: .ancestorCacheHidesUpdates)
    #expect(!renewed.contains(ancestor) && renewed.contains(cache), "\(renewed)")
  }

  /// An inaccessible object reads nil, whatever other contexts do. So two units of work do not
  /// cross.
  @Test func `reading an inaccessible object is not judged as a read`() throws {
    let kinds = try kinds(
      """
        sync  insert Note as a
        sync  insert Note as b
        sync  save
        view  object sync.a
        view  object sync.b
        other  object sync.a
        other  delete a
        other  save
        sync  set a.title "s"
        view  get a.title
        sync  get b.title
        view  set b.title "s"
        view  save
        sync  save
      """,
      "  sync  privateQueue coordinator store policy overwrite\n  other  privateQueue coordinator store\n"
    )
    #expect(!kinds.contains("write skew in the store"), "\(kinds)")
  }

  /// The values that an insertion was given are meant for its duplicate row. Other values of the
  /// row are lost.
  @Test(arguments: [
    ("  view  set a.stars 2\n", []), ("  view  setPrimitive a.stars 2\n", []),
    ("", ["lost update in the store"]),
  ])
  func `an insertion over its duplicate loses what it does not set`(
    setting: String, kinds: [String]
  ) throws {
    let text = smallScenario(
      steps: """
          view  insert Note as a
        \(setting)  sync  insert Note as b
          sync  set b.stars 1
          sync  save
          sync  set b.stars 1
          view  save
          sync  save
        """
    ).replacing(
      "title  string?\n",
      with: "title  string? = \"same\"\n    stars  integer?\n    unique  title\n"
    ).replacing(
      "  view  mainQueue coordinator store\n",
      with: """
          view  mainQueue coordinator store policy mergeByPropertyObjectTrump
          sync  privateQueue coordinator store policy mergeByPropertyObjectTrump

        """
    ).replacing(
      "  edit  privateQueue parent view\n",
      with: """
          observe  didSave view
            sync  perform
              mergeChanges delivered

        """)
    let outcome = try outcome(text)
    #expect(outcome.marks.contains(.constraintRowUpdated))
    #expect(outcome.failureKinds.map(\.name) == kinds)
    #expect(
      outcome.violations.allSatisfy { $0.detail == "which its insertion had not set" })
  }

  /// The name is bound to another instance of the row, which is loaded when it is read.
  @Test func `reads of two instances are not compared`() throws {
    let text = smallScenario(
      header: "\nprofile  legacy",
      steps: """
          view  insert Note as n
          work  object view.n
          view  save
          view  get n.title
          work  obtainPermanentIDs n
          view  object work.n
          work  set n.title "s1"
          work  save
          view  get n.title
        """
    ).replacing(
      "  view  mainQueue coordinator store\n",
      with: """
          root  privateQueue coordinator store
          view  mainQueue parent root
          work  privateQueue parent root

        """)
    let outcome = try outcome(text)
    #expect(!outcome.failureKinds.contains("non-repeatable read"), "\(outcome.failureKinds)")
  }

  /// The requests of the save take their time when it commits, long after it has begun.
  @Test func `a report adds up how long a save held the main queue`() throws {
    let text = smallScenario(steps: "  view  insert Note as n\n  view  save").replacing(
      "store  main\n", with: "time  write 50 row 1 budget 40\n  store  main\n")
    let outcome = try outcome(text)
    let violation = try #require(outcome.violations.first { $0.kind == "main queue blocked" })
    let report = violation.report(in: outcome.program)
    #expect(report.contains("for 51 ms") && report.contains("'view  save', 51 ms"), "\(report)")
  }
}

@Suite struct `The proof of a violation` {
  private func proof(
    _ invariant: Invariant, _ path: String, bugs: [PlantedBug] = []
  ) throws -> [Substring] {
    let outcome = try outcome(
      of: path, quirks: Profile.current.quirks, bugs: bugs, compares: bugs.isEmpty
    ).outcome
    let violation = try #require(outcome.violations.first { $0.invariant == invariant })
    return violation.report(in: outcome.program).split(separator: "\n").dropFirst()
      .map { $0.drop { $0 == " " } }
  }

  @Test func `the proof of a lost update names the contexts that saw, set and saved`() throws {
    #expect(
      try proof(.SavedUpdatesAreNotLost, "Conflicts/last-child-wins") == [
        "step 4   sync loads n.title as \"old\"",
        "step 5   view sets n.title to \"first\"",
        "step 6   view saves n.title = \"first\" to proxy",
        "step 7   sync sets n.title to \"second\"",
        "step 8   sync saves n.title = \"second\" to proxy",
      ])
  }

  @Test func `the proof names the context that set a value which a root passed on`() throws {
    #expect(
      try proof(.SavedUpdatesAreNotLost, "Conflicts/root-passes-on-what-its-child-overwrote") == [
        "step 6   sync sets n.title to \"imported\"",
        "step 7   sync saves n.title = \"imported\" to the store",
        "step 8   edit sets n.title to \"typed\"",
        "step 9   edit saves n.title = \"typed\" to view",
        "step 10  view saves n.title = \"typed\" to the store",
      ])
  }

  @Test func `the proof of a lost update names an overwritten batch request`() throws {
    #expect(
      try proof(.SavedUpdatesAreNotLost, "Conflicts/batch-update-is-overwritten") == [
        "step 4   a batch request of view sets n.stars to 5 in the store",
        "step 5   view sets n.stars to 2",
        "step 6   view saves n.stars = 2 to the store",
      ])
  }

  @Test func `the proof of an aborted read shows how far the value had come`() throws {
    #expect(
      try proof(.RolledBackValuesAreNotLoaded, "Faulting/rolled-back-value-lives-on-below") == [
        "step 4   view sets n.title to \"given up\"",
        "step 5   view saves n.title = \"given up\" to write",
        "step 6   write rolls back",
        "step 7   edit loads n.title as \"given up\"",
      ])
  }

  @Test func `the proof of a dirty read names the context with the unsaved value`() throws {
    #expect(
      try proof(
        .UnsavedChangesStayPrivate, "Faulting/unsaved-value-stays-with-its-context",
        bugs: [.readsSiblings]) == [
          "step 5   edit sets n.title to \"typed\"", "step 6   other loads n.title as \"typed\"",
        ])
  }

  @Test func `the proof of an ignored save shows that its object was deleted`() throws {
    #expect(
      try proof(.SavesAreNotIgnored, "Saving/childs-edit-of-what-its-parent-deleted-is-dropped")
        == [
          "step 6   view deletes n",
          "step 7   edit sets n.title to \"typed\"",
          "edit saves n.title, and view no longer has the object",
        ])
  }

  @Test func `the proof of an ignored save shows that its object was a duplicate`() throws {
    #expect(
      try proof(.SavesAreNotIgnored, "Saving/edit-of-a-duplicate-that-was-left-out") == [
        "step 6   view saves, and leaves out b, a duplicate",
        "step 7   edit sets b.name to \"typed\"",
        "edit saves b.name, and view no longer has the object",
      ])
  }

  /// Other contexts work at the same time.
  @Test func `the proof of a blocked main queue shows what its holder did`() throws {
    let lines = try proof(
      .MainQueueKeepsWithinItsBudget, "Concurrency/waiting-for-the-writer-blocks-main")
    #expect(lines.contains { $0.contains("'view  save'") })
    #expect(!lines.contains { $0.contains("clock  hasChanges") })
  }
}
