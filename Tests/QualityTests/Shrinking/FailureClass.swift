import Failures
import Campaigns
import Determinism
import Execution
import InputFiles
import ObjectModel
import Scenario
import SimulatedCoreData
import Vocabulary

/// Failures of one kind from campaigns of one sort, which a shrinker should lead to one answer.
struct FailureClass: Sendable {
  var name: String
  /// A file of `Fixtures/Models`.
  var model = "EmployeeDepartment"
  /// A file of `Fixtures/Stacks`, or nil for generated stacks.
  var stack: String?
  var profile = Profile.current
  var bugs: [PlantedBug] = []
  /// The kind of failure, or nil for the first disagreement.
  var kind: FailureKind?

  static let all = usual + heldOut

  private static let usual: [FailureClass] = [
    FailureClass(name: "temporary ID", kind: "temporary ID leak"),
    FailureClass(name: "second awakening", kind: "duplicate awakeFromInsert"),
    FailureClass(name: "lost update", kind: "lost update"),
    FailureClass(name: "lost update, store", kind: "lost update in the store"),
    FailureClass(name: "ignored save", kind: "silently ignored save"),
    FailureClass(name: "ignored save, store", kind: "silently ignored save in the store"),
    FailureClass(name: "cached ancestor", kind: "stale read through a cached ancestor"),
    FailureClass(name: "row cache", kind: "stale read through the row cache"),
    FailureClass(name: "two instances", profile: .legacy, kind: "two instances for one row"),
    FailureClass(name: "deadlock", kind: "deadlock"),
    FailureClass(name: "deadlock, legacy", profile: .legacy, kind: "deadlock"),
    // The class has a model with more constraints on its objects.
    FailureClass(
      name: "lost update, store, Publication", model: "Publication",
      kind: "lost update in the store"),
    FailureClass(
      name: "cached ancestor, Publication", model: "Publication",
      kind: "stale read through a cached ancestor"),
    FailureClass(
      name: "stale list", stack: "modal-edit-child", kind: "stale list"),
    FailureClass(name: "fetchMissesInsertions", bugs: [.fetchMissesInsertions]),
    FailureClass(name: "rollbackKeepsInsertions", bugs: [.rollbackKeepsInsertions]),
    FailureClass(name: "ignoresVersions", bugs: [.ignoresVersions]),
    FailureClass(name: "mergeSkipsDeletions", bugs: [.mergeSkipsDeletions]),
    FailureClass(name: "nullifySkipsToOnes", bugs: [.nullifySkipsToOnes]),
    FailureClass(name: "killLosesRows", bugs: [.killLosesRows]),
    // The many forms of these bugs led to passes, so none of these bugs is held out here.
    FailureClass(name: "fetchOffsetTwice", bugs: [.fetchOffsetTwice]),
    FailureClass(name: "leavesOldInverse", bugs: [.leavesOldInverse]),
    FailureClass(
      name: "toManyIsLoadedWithItsRow", model: "Publication", bugs: [.toManyIsLoadedWithItsRow]),
    FailureClass(name: "refusedSaveBumpsVersions", bugs: [.refusedSaveBumpsVersions]),
  ]

  /// Bugs for which no pass was ever tuned, and of which campaigns soon find enough cases.
  private static let heldOut: [FailureClass] = [
    FailureClass(name: "emptySaveStaysSilent *", bugs: [.emptySaveStaysSilent]),
    FailureClass(
      name: "formerOwnerKeepsDestination *", model: "PersonDiary",
      bugs: [.formerOwnerKeepsDestination]),
    FailureClass(name: "willSaveRunsOnce *", model: "Publication", bugs: [.willSaveRunsOnce]),
    FailureClass(name: "missingValuesClash *", model: "Publication", bugs: [.missingValuesClash]),
    FailureClass(name: "refreshAllDropsChanges *", bugs: [.refreshAllDropsChanges]),
    FailureClass(name: "tearsSaves *", bugs: [.tearsSaves]),
  ]

  func settings(root: String) throws -> CampaignSettings {
    let path = "\(root)/Fixtures/Models/\(model).model"
    var settings = CampaignSettings(models: [.file(path: path, try ModelFile.read(path: path))])
    settings.profile = profile
    settings.bugs = bugs
    settings.stack = try stack.map {
      try StackFile.read(path: "\(root)/Fixtures/Stacks/\($0).stack").stack
    }
    return settings
  }

  /// A failing program, as a campaign ran it.
  struct Case {
    var program: Program
    var kind: FailureKind
    var configuration: RunConfiguration
  }

  /// Returns the first `count` cases among `limit` runs of a campaign.
  func cases(_ count: Int, root: String, seed: UInt64 = 1, limit: Int = 50_000) throws -> [Case] {
    let settings = try settings(root: root)
    let campaign = FuzzCampaign(settings)
    var (cases, kind) = ([Case](), kind)
    for index in 0..<limit where cases.count < count {
      var choices = Choices(seed: Generator.derive(seed, UInt64(index)))
      let recording: Choices.Recording
      let outcome = campaign.run(settings.models[0], &choices)
      recording = choices.recording
      if kind == nil { kind = outcome.disagreement?.failureKind }
      guard let kind, outcome.failureKinds.contains(kind) else { continue }
      var again = Choices(replaying: recording)
      let configuration = settings.configuration(for: settings.models[0], &again)
      cases.append(Case(program: outcome.program, kind: kind, configuration: configuration))
    }
    return cases
  }
}
