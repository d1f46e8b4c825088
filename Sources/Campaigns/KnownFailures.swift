import Diagnosis
package import Execution
package import Failures
import Invariants
import ObjectModel
package import Scenario
import ScenarioChecking
import Shrinking
import SimulatedCoreData
import Vocabulary

/// The violations that scenarios show, each with its cause. Those of the scenarios that a campaign
/// accepts are known failures; the others are there to be read.
///
/// A scenario shows a violation without saying so: it is run, and its violations are attributed
/// like those of a campaign.
package struct KnownFailures {
  /// A scenario that shows the same failure as a campaign.
  package struct Precedent: Hashable, Sendable {
    package let path: String
    /// Whether the failure is known by it.
    package let isAccepted: Bool
  }

  private struct Known {
    /// The failure, and the program and configuration of the scenario that shows it.
    let failure: FailureSignature
    let program: Program
    let configuration: RunConfiguration
    let precedent: Precedent
    /// The quirks that the scenario says it is about.
    let quirks: [Quirk]
    /// How many other violations it shows.
    let otherCount: Int
    let story: Story
    /// Its length without prose: of several the shortest is the plainest.
    let length: Int
    private let memory = Locked<Cause??>(nil)

    /// - Complexity: Some ten runs when asked for the first time.
    var cause: Cause? {
      memory.withLock { memory in
        if let cause = memory { return cause }
        let cause = Experiment(of: failure, in: program, configuration).cause
        memory = .some(cause)
        return cause
      }
    }

    /// A Boolean value that indicates whether the scenario names the quirk that is the cause.
    var isNamed: Bool { quirks.contains { cause == .quirk($0) } }

    init(
      _ failure: FailureSignature, in program: Program, _ configuration: RunConfiguration,
      _ scenario: Scenario, _ precedent: Precedent, otherCount: Int
    ) {
      (self.failure, self.program, self.configuration) = (failure, program, configuration)
      (self.precedent, self.otherCount) = (precedent, otherCount)
      (quirks, story) = (scenario.quirks, Story(program))
      length = KnownFailures.length(of: scenario)
    }
  }

  private var known: [Known] = []

  package var isEmpty: Bool { known.isEmpty }

  /// With `isAccepted` false for its path, a scenario makes no failure known.
  ///
  /// - Complexity: A run of every scenario. The causes of its failures are looked for when a
  ///   failure of their kind is looked up.
  package init(
    _ scenarios: [(path: String, scenario: Scenario)],
    isAccepted: (String) -> Bool = { _ in true }
  ) {
    for (path, scenario) in scenarios where scenario.interleave != .every {
      let program = Program(scenario)
      var configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
      configuration.checkLevel = .design
      let outcome = ProgramRunner(configuration).run(program)
      let (failures, kinds) = (outcome.failures, outcome.failureKinds)
      let designKinds = outcome.violations.filter(\.invariant.judgesDesign).map(\.kind)
      // Where no design is judged, those kinds make a scenario no less clear.
      let otherCount = kinds.count { !designKinds.contains($0) }
      known += failures.map { failure in
        Known(
          failure, in: program, configuration, scenario,
          Precedent(path: path, isAccepted: isAccepted(path)),
          otherCount: designKinds.contains(failure.kind) ? kinds.count : otherCount)
      }
    }
  }

  /// The scenario that shows violations of this kind with this cause, of several one that is
  /// accepted, and the one that is most about it, and does what `program` does, on such a stack.
  /// One that is not accepted has to tell the story of `program`: it is there to be read.
  package func precedent(
    for kind: FailureKind, _ cause: Cause, like program: Program
  ) -> Precedent? {
    let story = Story(program)
    func rank(_ case: Known) -> (Int, Int, Int, Int) {
      let differences = `case`.story.traits.symmetricDifference(story.traits).count
      return (
        `case`.precedent.isAccepted ? 0 : 1, `case`.isNamed ? 0 : 1,
        `case`.otherCount + differences, `case`.length
      )
    }
    // On a generated stack nothing is said to be the stack's own.
    let kinds = [kind] + (kind.invariant.map { [.violation($0, at: .stack)] } ?? [])
    let identities = kinds.map { FailureIdentity($0, cause) }
    return known.filter { known in
      guard kinds.contains(known.failure.kind),
        known.precedent.isAccepted || known.story.isSame(as: story),
        let cause = known.cause
      else { return false }
      let identity = FailureIdentity(known.failure.kind, cause)
      // What is accepted is accepted with its cause; the other scenarios only show the same.
      return known.precedent.isAccepted
        ? identities.contains(identity) : identities.contains { $0.agrees(with: identity) }
    }
    .min { rank($0) < rank($1) }?.precedent
  }

  private static func length(of scenario: Scenario) -> Int {
    var bare = scenario
    bare.prose = []
    return ScenarioText.print(bare).utf8.count
  }

  /// Why `program` fails, and the scenario that shows that. It is shrunk first: what else a long
  /// program does hides the cause. A cause that no scenario has is that of the example that a
  /// campaign would show of this run, so that both say the same.
  package func verdict(
    on failure: FailureSignature, in program: Program, _ configuration: RunConfiguration
  ) -> (cause: Cause?, precedent: Precedent?) {
    let quick = ProgramShrinker.shrink(program, keeping: failure, configuration).outcome.program
    let verdict = verdict(on: failure, ofSmall: quick, configuration)
    if verdict.precedent != nil { return verdict }
    let smallest = ShrinkingPipeline(configuration).smallest(program, failingAs: failure).outcome
      .program
    return self.verdict(on: failure, ofSmall: smallest, configuration)
  }

  private func verdict(
    on failure: FailureSignature, ofSmall program: Program, _ configuration: RunConfiguration
  ) -> (cause: Cause?, precedent: Precedent?) {
    let cause = Experiment(of: failure, in: program, configuration).cause
    return (cause, cause.flatMap { precedent(for: failure.kind, $0, like: program) })
  }
}
