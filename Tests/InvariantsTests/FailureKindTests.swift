import Failures
import Foundation
import TestSupport
import Testing
import Vocabulary

@Suite struct `Kinds of failures` {
  @Test func `each violation's name is unique and names it`() {
    let names = FailureKind.violations.map(\.name)
    #expect(Set(names).count == names.count, "\(names)")
    for kind in FailureKind.violations { #expect(FailureKind(kind.name) == kind, "\(kind)") }
  }

  @Test func `a disagreement ranks first, then deadlocks, then lost data`() {
    let kinds = ["stale copy", "lost update", "deadlock by the stack", "deadlock"]
      .compactMap(FailureKind.init)
    let sorted = kinds.sorted { $0.severityRank < $1.severityRank }
    #expect(
      sorted.map(\.name) == ["deadlock by the stack", "deadlock", "lost update", "stale copy"])
    #expect(FailureKind.disagreement(.turn).severityRank < sorted[0].severityRank)
  }

  /// A refresh does not bring back a row that is gone.
  @Test func `advice does not refresh an object that has been deleted`() throws {
    for invariant in [
      Invariant.ContextsCanSaveAgain, .FollowersReadWhatWasSaved, .SavesMeetNoConflict,
    ] {
      for cause in [Cause.design, .mergePolicy(.error)] {
        func remedy(_ priorEvents: PriorEvents) throws -> String {
          try #require(invariant.definition.remedy(for: cause, at: .program, after: priorEvents))
        }
        let usual = try remedy([.save])
        #expect(usual.contains("refresh") && !usual.contains("gone"), "\(usual)")
        let deleted = try remedy([.save, .deletion])
        #expect(
          deleted.contains("rows are gone") || deleted.contains("row is gone")
            || deleted.contains("existingObject"), "\(deleted)")
      }
    }
  }

  /// Definitions have no default, so a new invariant has a definition of its own.
  @Test func `each invariant has a definition of its own`() {
    let sentences = Invariant.allCases.map(\.sentence)
    #expect(Set(sentences).count == sentences.count)
    for invariant in Invariant.allCases {
      let definition = invariant.definition
      #expect(definition.anomalies.first?.site == .program, "\(invariant)")
      let sites = definition.anomalies.map(\.site)
      #expect(Set(sites).count == sites.count, "\(invariant) has two names at one site")
      #expect(
        !definition.sentence.hasSuffix(".") && definition.sentence.first?.isLowercase == true,
        "\(invariant): a clause, which reports put after a colon")
    }
  }

  @Test func `the name of a disagreement says after which action it showed`() {
    let occasions: [FailureKind.Occasion] =
      [.endOfRun, .merge, .remoteMerge, .wrongQueue, .endOfEvent]
      + Phase.allCases.map { .step(.save, $0) }
    for occasion in occasions {
      for kind: FailureKind in [
        .disagreement(.events(after: occasion)), .disagreement(.context(after: occasion)),
        .disagreement(.store(after: occasion)),
      ] {
        #expect(FailureKind(kind.name) == kind, "\(kind)")
      }
    }
    let commit = FailureKind("disagreement on events: save commit")
    #expect(commit == .disagreement(.events(after: .step(.save, .commit))))
    #expect(
      FailureKind("disagreement: an automatic merge never came") == .disagreement(.missingMerge))
    for wrong in [
      "", "lost", "lost update ", "disagreement", "disagreement on events: ",
      "disagreement on events: save whole", "disagreement on events: save commit twice",
      "disagreement on a queue: save", "disagreement on events: tidy",
    ] {
      #expect(FailureKind(wrong) == nil, "\(wrong)")
    }
  }

  @Test func `the remedy for a stale value depends on what has happened`() throws {
    let (list, copy) = (Invariant.ListsShowTheStores, Invariant.CopiesAtRestAreCurrent)
    func remedy(_ invariant: Invariant, _ priorEvents: PriorEvents) throws -> String {
      try #require(invariant.definition.remedy(for: .design, at: .program, after: priorEvents))
    }
    #expect(try remedy(list, []).contains("processPendingChanges"))
    #expect(try remedy(list, .save).contains("merge every save"))
    #expect(try remedy(list, [.save, .batchRequest]).contains("after a batch request"))
    #expect(try !remedy(copy, .rollback).contains("merge each save"))
    #expect(try !remedy(copy, .save).contains("rollback"))
    #expect(try remedy(copy, [.save, .rollback]).contains("merge each save"))
  }

  /// The place and the actions decide. No remedy begins with advice for another case.
  @Test func `a remedy begins with the advice that applies`() throws {
    func remedy(
      _ invariant: Invariant, at site: ViolationSite, _ priorEvents: PriorEvents = .save
    ) throws -> String {
      try #require(invariant.definition.remedy(for: .design, at: site, after: priorEvents))
    }
    #expect(
      try remedy(.SavedUpdatesAreNotLost, at: .store).hasPrefix("keep the error policy"))
    #expect(
      try remedy(.SavedUpdatesAreNotLost, at: .program).hasPrefix(
        "refresh the object before the child"))
    for site in [ViolationSite.program, .store] {
      #expect(try remedy(.SavesDoNotCross, at: site) == "decide in one context that saves alone")
    }
    let copy = Invariant.CopiesAtRestAreCurrent
    #expect(try remedy(copy, at: .stack, [.save, .rollback]).hasPrefix("reset after a rollback"))
    #expect(try remedy(copy, at: .program, [.save, .rollback]).hasPrefix("merge each save"))
    let load = Invariant.LoadsShowTheNewest
    #expect(try remedy(load, at: .store, .batchRequest).hasPrefix("merge the result of the batch"))
    #expect(try !remedy(load, at: .store).contains("batch"))
    let inverse = Invariant.InverseRelationshipsAgree
    #expect(try remedy(inverse, at: .program, .batchRequest).hasPrefix("delete no rows"))
    #expect(try remedy(inverse, at: .program).hasPrefix("set relationships"))
    let conflict = Invariant.SavesMeetNoConflict
    #expect(
      try remedy(conflict, at: .program, [.save, .deletion])
        .hasPrefix(
          "catch the error of the save: roll the context back, refresh the conflicting objects, "))
  }

  @Test func `a deadlock about a group has a remedy about groups`() throws {
    let deadlock = Invariant.WaitForGraphIsAcyclic.definition
    let remedy = try #require(deadlock.remedy(for: .design, at: .program, after: .groupWait))
    #expect(remedy.hasPrefix("leave the group on every path"))
    #expect(try #require(deadlock.remedy(for: .design, at: .program)).contains("performAndWait"))
    let wait = AddressedStep(
      ContextID(0), .directly([AddressedStep(ContextID(0), .wait(GroupID(0)))]))
    #expect(PriorEvents(in: [wait], on: Stack()) == .groupWait)
  }

  @Test func `failures with one quirk as their cause have one remedy`() {
    let remedies = [Invariant.SavedUpdatesAreNotLost, .SavesAreNotIgnored].map {
      $0.definition.remedy(for: .quirk(.childSaveIgnoresMergePolicy), at: .program)
    }
    #expect(remedies[0] != nil && remedies[0] == remedies[1])
    #expect(
      Invariant.MainQueueKeepsWithinItsBudget.definition.remedy(for: .program, at: .program)
        != Invariant.MainQueueKeepsWithinItsBudget.definition.remedy(for: .design, at: .program))
    #expect(Invariant.KillsLeaveWhatWasCommitted.definition.remedy(for: nil, at: .program) == nil)
  }

  @Test func `a failure with another cause is another failure`() {
    let kind = FailureKind.violation(.SavedUpdatesAreNotLost, at: .program)
    let byQuirk = FailureIdentity(kind, .quirk(.childSaveIgnoresMergePolicy))
    #expect(byQuirk == FailureIdentity(kind, .quirk(.childSaveIgnoresMergePolicy)))
    #expect(byQuirk != FailureIdentity(kind, .observer))
    #expect(
      byQuirk
        != FailureIdentity(
          .violation(.SavedUpdatesAreNotLost, at: .store), .quirk(.childSaveIgnoresMergePolicy)))
  }
}
