import Diagnosis
import Execution
import Failures
import Foundation
import Invariants
import TestSupport
import Testing
import Timelines
import Vocabulary

/// Designs that do not handle conflicts, or do not keep copies, reads and references up to date.
@Suite struct `A design that is not finished` {
  private static let invariants: [Invariant] = [
    .SavesMeetNoConflict, .ContextsCanSaveAgain, .StepsFindTheirObjects, .CopiesAtRestAreCurrent,
    .FollowersReadWhatWasSaved, .StoredReferencesLeadToRows, .ReadsDeleteNothing,
    .GivenUpWorkIsNotSaved, .SavesAreMergedOnce, .CallsReadWhatTheySave, .PromisesAreKept,
    .SavesReachAStore,
    .FailedSavesLeaveNothing, .CallsKeepTheirPromises, .ContextsKeepTheirPromises,
    .ContextsTakeNothingWithThem,
  ]

  /// Each case has a scenario, the nearest harmless one, the cause, and lines of the proof.
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
      "Merging/merge-on-DidSave", .program,
      ["sync deletes n", "view rolls back", "the store has no n"]
    ),
    (
      "stale read before a merge", "Merging/read-before-the-merge",
      "Merging/read-after-the-merge", .automaticMerge,
      [
        "sync saves n.title = \"new\" to the store", "view reads n.title as nil",
        "view merges n automatically from a save of sync",
      ]
    ),
    (
      "dangling reference", "Deleting/no-action-leaves-a-dangling-reference",
      "Reported/customer-that-is-nullified", .noActionRule,
      ["view deletes f", "the store has no f"]
    ),
    (
      "object deleted by being read", "Faulting/reading-a-fault-deletes-its-object",
      "Faulting/merge-before-a-fault-is-read", .design, ["sync deletes n", "'view  get n.title'"]
    ),
    (
      "object deleted by being read by the stack",
      "Faulting/observer-reads-a-fault-whose-row-is-gone",
      "Faulting/observer-merges-before-it-reads", .observer,
      ["sync deletes n", "'view  forEach registered touch'"]
    ),
    (
      "half-done work saved", "Saving/observer-saves-half-done-work",
      "Saving/observer-saves-beside-an-edit", .observer,
      [
        "view sets n.title to \"half done\"", "view saves n.title = \"half done\" to the store",
        "view rolls back",
      ]
    ),
    (
      "half-done work saved", "Saving/save-that-is-put-off-takes-half-done-work",
      "Saving/save-that-is-put-off-takes-what-was-asked", .entryPoint,
      ["view sets n.title to \"half done\"", "view rolls back"]
    ),
    (
      "save merged twice", "Merging/save-is-merged-twice", "Merging/save-is-merged-once",
      .automaticMerge,
      [
        "view merges n automatically from a save of sync",
        "view merges n from a save of sync, in an observer",
      ]
    ),
    (
      "own save merged", "Merging/own-save-is-merged", "Merging/own-save-is-not-merged", .observer,
      [
        "view saves n.title = \"new\" to the store",
        "view merges n from a save of view, in an observer",
      ]
    ),
    (
      "own save merged", "Merging/childs-save-is-merged-into-its-parent",
      "Merging/own-save-is-not-merged", .observer,
      [
        "form saves n.title = \"new\" to view",
        "view merges n from a save of form, in an observer",
      ]
    ),
    (
      "stale read before a save", "Concurrency/fetch-overtakes-the-save",
      "Concurrency/fetch-follows-the-save", .entryPoint,
      [
        "view read before work had saved the insertion of n", "'view  fetch Note'", "'work  save'",
      ]
    ),
    (
      "save left in a parent", "Saving/entry-point-leaves-its-save-in-the-parent",
      "Saving/entry-point-enqueues-the-parents-save", .entryPoint,
      ["edit has saved n to view, which was not saved after that", "the store has no n"]
    ),
    (
      "object deleted by being read by the stack",
      "Faulting/remembered-object-is-read-after-its-deletion",
      "Faulting/remembered-object-is-read-before-its-deletion", .entryPoint,
      ["view deletes n", "view read n after the same context had deleted its row"]
    ),
    (
      "temporary ID leak by the stack", "Identity/temporary-IDs-are-remembered-and-looked-up",
      "Identity/permanent-IDs-are-remembered-and-looked-up", .entryPoint,
      [
        "n is in the store, and view, in 'view  forEach new touch', refers to it by its temporary ID"
      ]
    ),
    (
      "endless reaction", "Lifecycle/unguarded-willSave-never-ends",
      "Lifecycle/guarded-willSave-runs-twice", .willSave,
      ["willSave changes its object again in each round"]
    ),
    (
      "broken promise of an entry point", "Promises/entry-point-leaves-a-context-unsaved",
      "Promises/entry-point-saves-the-context-that-it-promises", .entryPoint,
      ["'clean form after finish' is violated: form has not saved n"]
    ),
    (
      "broken promise of an entry point", "Promises/entry-point-saves-what-the-user-edits",
      "Promises/entry-point-saves-only-the-workers-changes", .entryPoint,
      ["'finish saves only work' is violated: the save of view includes draft"]
    ),
    (
      "broken promise of an entry point", "Promises/deletion-takes-the-notes-of-a-folder",
      "Promises/deletion-keeps-the-notes-of-a-folder", .entryPoint,
      ["'delete keeps Folder.notes' is violated: a call has changed f.notes", "view deletes t"]
    ),
    (
      "broken promise of a context", "Promises/promised-view-is-not-refreshed",
      "Promises/promised-view-is-refreshed", .design,
      [
        "'view shows the store at rest' is violated: the store has another value of n.folder",
        "sync saves n.folder = f to the store",
      ]
    ),
    (
      "broken promise of a context", "Promises/one-change-is-announced-twice",
      "Promises/one-change-is-announced-once", .automaticMerge,
      ["is violated: nothing has changed since the context announced n"]
    ),
    (
      "broken promise", "Promises/tag-stays-twice", "Promises/tag-is-removed-later", .design,
      [
        "'eventually unique Tag.name' is still violated at rest in the store",
        "second saves b.name = \"work\" to the store",
      ]
    ),
    (
      "poisoned context", "Saving/entry-point-leaves-what-cannot-be-saved",
      "Saving/entry-point-rolls-back-what-cannot-be-saved", .entryPoint,
      [
        "back could not save other changes, because an earlier save had failed for bad.title",
        "back sets bad.title to \"much too long\"", "'back  save'",
      ]
    ),
    (
      "unsaved changes discarded by the stack",
      "Saving/rollback-of-a-shared-parent-discards-others",
      "Saving/rollback-of-a-child-keeps-what-others-have-saved", .entryPoint,
      ["second saves n.title = \"fine\" to shared", "shared loses the new object n"]
    ),
    (
      "broken promise", "Promises/two-syncs-insert-one-record",
      "Promises/second-sync-finds-the-record", .design,
      [
        "sync1 saves first.remoteID = 7 to the store",
        "sync2 saves second.remoteID = 7 to the store",
      ]
    ),
    (
      "lost update through a merge in the store",
      "Conflicts/two-increments-behind-a-refresh-count-once",
      "Conflicts/two-increments-count-once", .design,
      [
        "view sets n.views to 1", "work saves n.views = 1 to the store",
        "view refreshes everything",
      ]
    ),
  ])
  func `an unfinished design shows in its scenario, not in a harmless one`(
    kind: FailureKind, bad: String, good: String, cause: Cause, proof: [String]
  ) throws {
    let (bad, configuration) = try judge(file: bad)
    let violations = bad.violations.filter { $0.kind == kind }
    let violation = try #require(violations.first)
    let signature = violation.signature(in: bad.program.stack)
    #expect(Experiment(of: signature, in: bad.program, configuration).cause == cause)
    #expect(violation.invariant.definition.remedy(for: cause, at: .program)?.isEmpty == false)
    let report = violations.map { $0.report(in: bad.program) }.joined(separator: "\n")
    for line in proof { #expect(report.contains(line), "\(report)") }
    #expect(try !judge(file: good).outcome.failureKinds.contains(kind))
  }

  /// A value that the second save does not mention is current at rest.
  @Test func `an automatic merge that comes a save late leaves a design unfinished`() throws {
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
    #expect(try judge(text).outcome.violations.isEmpty)
    let late = try judge(text, bugs: [.mergesOneSaveLate]).outcome
    #expect(late.violations.map(\.invariant) == [.FollowersReadWhatWasSaved])
  }

  /// Runs without the reference model, which would differ. No other of these invariants fails.
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
    (.mergeSkipsDeletions, .ReadsDeleteNothing, "Faulting/merge-before-a-fault-is-read"),
    (
      .ignoresVersions, .GivenUpWorkIsNotSaved,
      "Conflicts/refused-save-leaves-half-done-work"
    ),
    (.historyIsReadAgain, .SavesAreMergedOnce, "Merging/history-is-merged-once"),
    (.ignoresUniqueness, .PromisesAreKept, "Promises/constraint-keeps-the-promise"),
    (
      .rollbackKeepsInsertions, .FailedSavesLeaveNothing,
      "Saving/entry-point-rolls-back-what-cannot-be-saved"
    ),
    (
      .dropsQueuedBlock, .CallsKeepTheirPromises,
      "Promises/entry-point-saves-the-context-that-it-promises"
    ),
    (.dropsAutomaticMerge, .ContextsKeepTheirPromises, "Promises/promised-view-is-refreshed"),
    (.dropsQueuedBlock, .SavesReachAStore, "Saving/entry-point-enqueues-the-parents-save"),
    (
      .newestBlockRunsFirst, .CallsReadWhatTheySave, "Concurrency/list-is-fetched-behind-a-save"
    ),
    (
      .newestBlockRunsFirst, .ContextsTakeNothingWithThem,
      "Saving/context-is-discarded-behind-its-save"
    ),
  ])
  func `a planted bug makes a finished design unfinished`(
    bug: PlantedBug, invariant: Invariant, path: String
  ) throws {
    func broken(_ bugs: [PlantedBug]) throws -> [Invariant] {
      try judge(file: path, bugs: bugs).outcome.violations.map(\.invariant)
        .filter(Self.invariants.contains)
    }
    let usual = try broken([])
    #expect(try broken([bug]).filter { !usual.contains($0) } == [invariant])
  }
}
