import Failures
import Invariants
package import Scenario
import SimulatedCoreData
package import Vocabulary

extension Scenario {
  /// As `record`, with a line for the first violation of each kind where it was found.
  ///
  /// A deadlock has such a line in every transcript.
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
    // From the last to the first, so that none moves the place of another.
    for violation in first.reversed() where violation.invariant != .WaitForGraphIsAcyclic {
      guard let index = run.stepCounts.firstIndex(where: { $0 >= violation.stepNumber }) else {
        continue
      }
      let position = run.stepNumbers[index].prefix { $0 <= violation.stepNumber }.count
      items[index].transcript.insert("\(violation.place): \(violation.kind)", at: position)
    }
  }
}
