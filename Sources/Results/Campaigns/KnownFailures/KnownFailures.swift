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

/// The violations that scenarios show, each with its cause. Scenarios that a campaign accepts make
/// their failures known. Other scenarios serve as reading for the developer.
///
/// A scenario need not declare its violations. Every scenario is run, and its violations are
/// diagnosed like those of a campaign.
package struct KnownFailures {
  /// A scenario that shows the same failure as a campaign.
  package struct Precedent: Hashable, Sendable {
    package let path: String
    /// A Boolean value that indicates whether the scenario makes the failure known.
    package let isAccepted: Bool
  }

  private struct Known {
    /// The failure that the scenario shows. `program` and `configuration` are those of the
    /// scenario.
    let failure: FailureSignature
    let program: Program
    let configuration: RunConfiguration
    let precedent: Precedent
    /// The quirks that the scenario declares.
    let quirks: [Quirk]
    /// The number of kinds of failure that make the scenario less clear as an example.
    let otherCount: Int
    let shape: FailureShape
    /// The length of the scenario without prose. The shortest of several scenarios is the plainest.
    let length: Int
    private let memory = Locked<Cause??>(nil)

    /// The cause of the failure.
    ///
    /// - Complexity: About ten runs at the first access.
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
      (quirks, shape) = (scenario.quirks, FailureShape(program))
      length = KnownFailures.length(of: scenario)
    }
  }

  private var known: [Known] = []

  package var isEmpty: Bool { known.isEmpty }

  /// Creates the known failures of `scenarios`. A scenario makes no failure known if `isAccepted`
  /// returns false for its path.
  ///
  /// - Complexity: One run of every scenario. The causes of failures are diagnosed when a failure
  ///   of their kind is first looked up.
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
      // If no design is judged, violations that judge a design do not make a scenario less clear.
      let otherCount = kinds.count { !designKinds.contains($0) }
      known += failures.map { failure in
        Known(
          failure, in: program, configuration, scenario,
          Precedent(path: path, isAccepted: isAccepted(path)),
          otherCount: designKinds.contains(failure.kind) ? kinds.count : otherCount)
      }
    }
  }

  /// Returns the scenario that best shows violations of this kind with this cause.
  ///
  /// Accepted scenarios come first, then scenarios that name the cause, then scenarios with few
  /// other violations and few differences from `program` in steps and stack. A scenario that is not
  /// accepted must have the same shape as `program`, because it only serves as reading.
  package func precedent(
    for kind: FailureKind, _ cause: Cause, like program: Program
  ) -> Precedent? {
    let shape = FailureShape(program)
    func rank(_ case: Known) -> (Int, Int, Int, Int) {
      let differences = `case`.shape.traits.symmetricDifference(shape.traits).count
      return (
        `case`.precedent.isAccepted ? 0 : 1, `case`.isNamed ? 0 : 1,
        `case`.otherCount + differences, `case`.length
      )
    }
    // On a generated stack no violation is attributed to steps of the stack.
    let kinds = [kind] + (kind.invariant.map { [.violation($0, at: .stack)] } ?? [])
    let identities = kinds.map { FailureIdentity($0, cause) }
    return known.filter { known in
      guard kinds.contains(known.failure.kind),
        known.precedent.isAccepted || known.shape.isSame(as: shape),
        let cause = known.cause
      else { return false }
      let identity = FailureIdentity(known.failure.kind, cause)
      // An accepted scenario must have exactly the same cause. For other scenarios an equivalent
      // cause is enough.
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

  /// Returns the cause of a failure of `program`, and the scenario that shows the same failure.
  ///
  /// The program is shrunk first, because unrelated steps of a long program hide the cause. If no
  /// scenario shows the cause, the program is shrunk as far as for a campaign's report, so that
  /// both name the same cause.
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
