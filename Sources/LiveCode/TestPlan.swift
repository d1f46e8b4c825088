import Foundation
import PropertyTesting

/// How tests that were written without Faultline are run: once, with all queues in order, or in
/// many orders.
package struct TestPlan: Sendable {
  /// In how many orders each test is run.
  package var schedules = 1
  /// Kinds of violations that fail no test.
  package var allowed: [String] = []

  package init(schedules: Int, allowed: [String]) {
    (self.schedules, self.allowed) = (schedules, allowed)
  }

  /// The plan of the environment: `FAULTLINE_SCHEDULES`, a number, and `FAULTLINE_ALLOW`, names
  /// with commas between them.
  package static var ofEnvironment: TestPlan {
    let environment = ProcessInfo.processInfo.environment
    return TestPlan(
      schedules: environment["FAULTLINE_SCHEDULES"].flatMap { Int($0) }.map { max(1, $0) } ?? 1,
      allowed: (environment["FAULTLINE_ALLOW"] ?? "").split(separator: ",").map {
        $0.trimmingCharacters(in: .whitespaces)
      })
  }

  /// Runs the test, and shrinks what fails. Only a test that is run in many orders fails by a
  /// violated invariant; the others are what a test shows elsewhere too: an assertion, an error, a
  /// deadlock.
  package func report(of campaign: LiveCampaign) -> LiveCampaign.Report {
    var campaign = campaign
    campaign.actionCount = 0
    campaign.isInOrder = schedules == 1
    campaign.isOfInterest = { failure in
      (schedules > 1 || failure.isFatal) && !allowed.contains(failure.identity)
    }
    // A test that is run in order has hardly a choice that could be simpler.
    if schedules == 1 { campaign.shrinkBudget = 2 }
    return campaign.run(0..<schedules)
  }

  /// A failure as a test reports it, with what happened.
  package func text(of found: LiveCampaign.Found) -> String {
    let place =
      schedules == 1
      ? "" : " (in \(found.finding.count) of \(schedules) schedules, shrunk to this one)"
    return ([found.failure.text + place] + found.trace.map { "  \($0)" }).joined(separator: "\n")
  }
}
