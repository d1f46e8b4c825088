import Failures
import Foundation
import InputFiles
import Scenario
import ScenarioChecking
import TestSupport
import Testing

@Suite struct `The draft of a scenario` {
  /// Every scenario gives claims, and these hold.
  @Test(arguments: try sample())
  func `the draft of a scenario has claims that hold`(path: String) throws {
    let scenario = try ScenarioFile.read(path: path)
    let draft = scenario.claimingWhatHolds(quirks: scenario.quirkSet)
    #expect(!draft.claims.isEmpty)
    #expect(ScenarioCheck(draft).problems.isEmpty)
    let kinds = scenario.claims.compactMap { claim -> FailureKind? in
      if case .shows(let kind) = claim.condition { kind } else { nil }
    }
    let drafted = draft.claims.map(\.condition)
    for kind in kinds { #expect(drafted.contains(.shows(kind))) }
    #expect(
      drafted.contains(.succeeded) == !drafted.contains {
        if case .failed = $0 { true } else { false }
      })
  }

  private static func sample() throws -> [String] {
    let paths = try ScenarioFile.paths(below: Repository.root + "/Scenarios")
    return stride(from: 0, to: paths.count, by: 16).map { paths[$0] }.filter { path in
      (try? ScenarioFile.read(path: path)).map { $0.interleave != .every && $0.modelPath == nil }
        == true
    }
  }
}
