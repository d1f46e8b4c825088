import Failures
import Execution
import Foundation
import Invariants
import Scenario
import ScenarioChecking
import Shrinking
import SimulatedCoreData
import Testing
import Timelines
import Vocabulary

private func run(
  _ text: String, bugs: [PlantedBug] = []
) throws -> (outcome: Outcome, configuration: RunConfiguration) {
  let scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "none")) }
  var configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
  configuration.checkLevel = .design
  configuration.bugs = PlantedBugSet(bugs)
  configuration.comparesWithReference = bugs.isEmpty
  return (ProgramRunner(configuration).run(Program(scenario)), configuration)
}

private func run(
  file path: String, bugs: [PlantedBug] = []
) throws -> (outcome: Outcome, configuration: RunConfiguration) {
  let path = Repository.root + "/Scenarios/\(path).scenario"
  return try run(String(contentsOfFile: path, encoding: .utf8), bugs: bugs)
}

/// What a design leaves to chance: conflicts that it does not handle, and copies, reads and
/// references that it does not keep up to date.
@Suite struct `A design that is not finished` {
  private static let invariants: [Invariant] = [
    .SavesMeetNoConflict, .ContextsCanSaveAgain, .StepsFindTheirObjects, .CopiesAtRestAreCurrent,
    .FollowersReadWhatWasSaved, .StoredReferencesLeadToRows,
  ]

  /// A scenario of its own, the nearest harmless one, the cause, and what proves it.
  @Test(arguments: [
    (
      "failed save" as FailureKind, "Conflicts/disjoint-edits-conflict-too",
      "Reported/other-field-is-merged-under-object-trump", Cause.mergePolicy(.error),
      [
        "view saves n.title = \"title only\" to the store", "sync sets n.stars to 5",
        "'sync  save'",
      ]
    ),
    (
      "failed save by the stack", "Conflicts/observer-saves-over-a-newer-row",
      "Conflicts/observer-merges-before-it-saves", .mergePolicy(.error),
      [
        "view sets n.title to \"typed\"", "sync saves n.stars = 5 to the store", "'view  save'",
      ]
    ),
    (
      "save fails for good", "Conflicts/failed-save-is-called-again",
      "Conflicts/refresh-then-save", .mergePolicy(.error),
      ["sync failed to save n again", "'sync  save'"]
    ),
    (
      "save fails for good", "Conflicts/rollback-keeps-the-old-version",
      "Conflicts/refresh-then-save", .mergePolicy(.error), ["sync sets n.stars to 6"]
    ),
    (
      "raised error", "Faulting/inaccessible-faults-are-kept",
      "Faulting/fault-without-row-reads-nil", .design, ["view deletes n"]
    ),
    (
      "raised error", "Faulting/fault-without-row-raises",
      "Faulting/fault-without-row-reads-nil", .quirk(.inaccessibleFaultRaises), ["view deletes n"]
    ),
    (
      "raised error by the stack", "Faulting/observer-reads-what-was-deleted",
      "Faulting/observer-merges-before-it-reads", .observer, ["sync deletes n"]
    ),
    (
      "stale copy", "Merging/save-tells-no-other-context", "Merging/merge-on-DidSave", .design,
      [
        "sync loads n.title as \"old\"", "view saves n.title = \"new\" to the store",
        "the store has n.title = \"new\"",
      ]
    ),
    (
      "stale copy in a following context", "Merging/observer-merges-one-of-two-writers",
      "Merging/observers-merge-both-writers", .design,
      ["extra saves n.title = \"new\" to the store"]
    ),
    (
      "stale copy in a following context", "Merging/merge-is-not-a-save",
      "Reported/child-with-automatic-merging-follows", .design,
      ["edit loads n.title as \"old\"", "sync saves n.title = \"new\" to the store"]
    ),
    (
      "stale copy in a following context", "Merging/rollback-undoes-a-merged-deletion",
      "Merging/merge-on-DidSave", .design,
      ["sync deletes n", "view rolls back", "the store has no n"]
    ),
    (
      "stale read before a merge", "Merging/read-before-the-merge",
      "Merging/read-after-the-merge", .interleaving,
      [
        "sync saves n.title = \"new\" to the store", "view reads n.title as nil",
        "view merges n automatically from what sync saved",
      ]
    ),
    (
      "dangling reference", "Deleting/no-action-leaves-a-dangling-reference",
      "Reported/customer-that-is-nullified", .design, ["view deletes f", "the store has no f"]
    ),
  ])
  func `shows in its scenario, and not in the nearest harmless one`(
    kind: FailureKind, bad: String, good: String, cause: Cause, proof: [String]
  ) throws {
    let (bad, configuration) = try run(file: bad)
    let violations = bad.violations.filter { $0.kind == kind }
    let violation = try #require(violations.first)
    #expect(Attribution(configuration).cause(of: FailureSignature(kind), in: bad.program) == cause)
    #expect(violation.invariant.definition.remedy(for: cause)?.isEmpty == false)
    let report = violations.map { $0.report(in: bad.program) }.joined(separator: "\n")
    for line in proof { #expect(report.contains(line), "\(report)") }
    #expect(try !run(file: good).outcome.failureKinds.contains(kind))
  }

  /// What the second save says nothing of is up to date at rest.
  @Test func `is what an automatic merge makes of one that is if it comes a save late`() throws {
    let text = smallScenario(
      steps: """
          view  insert Note as n
          view  save
          sync  object view.n
          sync  set n.title "new"
          sync  save
          view  performAndWait
            get n.title
          sync  insert Note as m
          sync  save
        """
    ).replacing(
      "  view  mainQueue coordinator store\n  edit  privateQueue parent view\n",
      with: """
          view  mainQueue coordinator store autoMerge
          sync  privateQueue coordinator store

        """)
    #expect(try run(text).outcome.violations.isEmpty)
    let late = try run(text, bugs: [.mergesOneSaveLate]).outcome
    #expect(late.violations.map(\.invariant) == [.FollowersReadWhatWasSaved])
  }

  /// Without the reference model, which would differ; no other of these invariants notices.
  @Test(arguments: [
    (
      PlantedBug.refusedSaveBumpsVersions, Invariant.SavesMeetNoConflict,
      "Saving/refused-save-can-be-repeated"
    ),
    (
      .mergeSkipsDeletions, .StepsFindTheirObjects, "Faulting/observer-merges-before-it-reads"
    ),
    (.dropsAutomaticMerge, .CopiesAtRestAreCurrent, "Merging/read-after-the-merge"),
    (.nullifySkipsToOnes, .StoredReferencesLeadToRows, "Reported/customer-that-is-nullified"),
  ])
  func `is what a planted bug makes of one that is`(
    bug: PlantedBug, invariant: Invariant, path: String
  ) throws {
    func broken(_ bugs: [PlantedBug]) throws -> [Invariant] {
      try run(file: path, bugs: bugs).outcome.violations.map(\.invariant)
        .filter(Self.invariants.contains)
    }
    let usual = try broken([])
    #expect(try broken([bug]).filter { !usual.contains($0) } == [invariant])
  }
}

/// What is reported of a stack of two roots, `view` and `sync`.
@Suite struct `What a design is told of` {
  private func kinds(
    _ steps: String, sync: String = "", parts: String = "", unique: String = ""
  ) throws -> [FailureKind] {
    let text = smallScenario(steps: steps).replacing(
      "title  string?", with: "title  string?\(unique)"
    ).replacing(
      "  view  mainQueue coordinator store\n  edit  privateQueue parent view\n",
      with: """
          view  mainQueue coordinator store
          sync  privateQueue coordinator store\(sync)
        \(parts)
        """)
    return try run(text).outcome.failureKinds
  }

  private static let twoCopies = """
      view  insert Note as n
      view  save
      sync  existingObject view.n

    """

  private static let staleSync =
    twoCopies + """
        view  set n.title "new"
        view  save

      """

  /// A newer version was saved meanwhile: it is another conflict.
  @Test func `is no conflict for good if the object was refreshed in between`() throws {
    let steps =
      Self.staleSync + """
          sync  set n.title "mine"
          sync  save
          sync  refresh n merging
          view  set n.title "newer"
          view  save
          sync  save
        """
    #expect(try kinds(steps) == ["failed save"])
  }

  /// One context that sets a value twice has made a mistake of its own.
  @Test func `is no conflict of two objects that one context made equal`() throws {
    func steps(_ first: String) -> String {
      """
        \(first)  insert Note as a
        \(first)  set a.title "same"
        \(first)  save
        sync  insert Note as b
        sync  set b.title "same"
        sync  save
      """
    }
    #expect(try kinds(steps("sync"), unique: "\n    unique  title") == [])
    #expect(try kinds(steps("view"), unique: "\n    unique  title") == ["failed save"])
  }

  /// existingObject is how to ask whether there is a row.
  @Test func `is no error if its own step looks for a row that is gone`() throws {
    let steps =
      Self.twoCopies + """
          view  reset
          sync  delete n
          sync  save
        """
    let observer = """
        observe  didSave sync
          view  perform
            existingObject sync.n

      """
    #expect(try !kinds(steps, parts: observer).contains("raised error by the stack"))
  }

  /// A fetch refreshes no object that is realised (FL-07).
  @Test func `is a stale copy that was fetched again`() throws {
    #expect(try kinds(Self.staleSync + "  sync  fetch Note realised") == ["stale copy"])
    #expect(try kinds(Self.staleSync + "  sync  refresh n") == [])
  }

  @Test func `is a stale copy beside what is not saved`() throws {
    #expect(try kinds(Self.staleSync + "  sync  insert Note as m") == ["stale copy"])
    // Of what it changes the context decides itself.
    #expect(try kinds(Self.staleSync + "  sync  set n.title \"mine\"") == [])
  }

  /// The context does not track what a primitive setter wrote (CT-06).
  @Test func `is no stale copy if a primitive setter wrote it`() throws {
    let primitive = Self.twoCopies + "  sync  setPrimitive n.title \"mine\""
    #expect(try kinds(primitive) == [])
    #expect(try kinds(primitive + "\n  sync  get n.title", sync: " autoMerge") == [])
    #expect(try kinds(primitive + "\n  sync  detectConflicts n\n  sync  save") == [])
  }

  /// Its objects are out of reach, and read nil once they are read again (PS-07).
  @Test func `is no stale copy of a store that was removed`() throws {
    #expect(try kinds(Self.staleSync + "  sync  removeStore main") == [])
  }

  /// No context hears of a batch request, so no merge was to come.
  @Test func `is no read before a merge that never comes`() throws {
    let steps =
      Self.twoCopies + """
          view  batchUpdate Note {title: "new"}
          sync  get n.title
        """
    let found = try kinds(steps, sync: " autoMerge")
    #expect(found == ["stale copy", "stale copy in a following context"])
  }

  /// A program that asks for what is new has not relied on what it read.
  @Test func `is no read before a merge if the object was refreshed`() throws {
    let read = Self.staleSync + "  sync  get n.title\n"
    let merge = "  sync  call catchUp"
    let entry = """
        entry  catchUp
          sync  mergeChanges didSave view 2

      """
    #expect(try kinds(read + merge, parts: entry) == ["stale read before a merge"])
    #expect(try kinds(read + "  sync  refresh n\n" + merge, parts: entry) == [])
  }
}
