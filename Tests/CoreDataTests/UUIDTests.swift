import CoreData
import Determinism
import Foundation
import LiveCode
import PropertyTesting
import Testing

@Suite struct `UUIDs of runs` {
  /// Returns the UUIDs of each of three runs of a campaign.
  private func uuids(of test: String) -> [[UUID]] {
    let log = Log()
    var campaign = LiveCampaign { (_: LiveApp) in
      log.runs.append((0..<3).map { _ in SimulatedValues.uuid })
    }
    (campaign.test, campaign.actionCount) = (test, 0)
    _ = campaign.run(0..<3)
    return log.runs
  }

  private final class Log { var runs: [[UUID]] = [] }

  @Test func `UUIDs are equal in each run of a test and differ between tests`() {
    let (one, other) = (uuids(of: "A.saves()"), uuids(of: "B.saves()"))
    #expect(Set(one).count == 1 && one.count == 3)
    #expect(one == uuids(of: "A.saves()"))
    #expect(Set(one[0] + other[0]).count == 6)
    // UUIDs of runs without a test must not change between versions.
    #expect(uuids(of: "")[0][0].uuidString.dropFirst(8) == "-FA01-4000-8000-000000000001")
  }
}
