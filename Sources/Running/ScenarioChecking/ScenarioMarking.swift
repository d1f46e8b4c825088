import Failures
import Invariants
package import Scenario
import SimulatedCoreData
package import Vocabulary

extension Scenario {
  /// Records the transcript like `record`, and marks the first violation of each kind where it was
  /// found. Deadlocks are marked in every transcript anyway.
  package mutating func recordWithViolations(
    quirks: QuirkSet, bugs: PlantedBugSet = PlantedBugSet()
  ) {
    let run = ScenarioRunner(self, quirks: quirks, bugs: bugs).run()
    for (index, transcript) in run.transcripts.enumerated() {
      items[index].transcript = transcript
    }
    var kinds: [FailureKind] = []
    let first = run.violations.filter { violation in
      defer { kinds.append(violation.kind) }
      return !kinds.contains(violation.kind)
    }
    // Insert from last to first, so that no insertion moves the position of another.
    for violation in first.reversed() where violation.invariant != .WaitForGraphIsAcyclic {
      guard let index = run.stepCounts.firstIndex(where: { $0 >= violation.stepNumber }) else {
        continue
      }
      let position = run.stepNumbers[index].prefix { $0 <= violation.stepNumber }.count
      items[index].transcript.insert("\(violation.place): \(violation.kind)", at: position)
    }
  }
}
