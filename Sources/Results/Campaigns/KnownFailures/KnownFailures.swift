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

  /// A failure that a scenario shows.
  private struct Known {
    let failure: FailureSignature
    /// The number of kinds of failure that make the scenario less clear as an example.
    let otherCount: Int
    let example: Example

    /// The cause of the failure.
    ///
    /// - Complexity: About ten runs at the first access.
    var cause: Cause? { example.cause(of: failure) }

    /// A Boolean value that indicates whether the scenario names the quirk that is the cause.
    var isNamed: Bool { example.scenario.quirks.contains { cause == .quirk($0) } }
  }

  /// A scenario that runs, and is diagnosed, when that is first needed.
  private final class Example: Sendable {
    let precedent: Precedent
    let scenario: Scenario
    let shape: FailureShape
    private let program: Program
    private let configuration: RunConfiguration
    private let results = Locked<(failures: [FailureSignature], otherCounts: [Int])?>(nil)
    private let causes = Locked<[FailureSignature: Cause?]>([:])

    init(_ scenario: Scenario, _ precedent: Precedent) {
      (self.scenario, self.precedent) = (scenario, precedent)
      program = Program(scenario)
      shape = FailureShape(program)
      var configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
      configuration.checkLevel = .design
      configuration.comparesWithReference = false
      self.configuration = configuration
    }

    /// The failures of the scenario. The engine runs alone, because tests compare it with the
    /// reference model on every scenario.
    var known: [Known] {
      let (failures, otherCounts) = results.withLock { results in
        if let results { return results }
        let outcome = ProgramRunner(configuration).run(program)
        let kinds = outcome.failureKinds
        let designKinds = outcome.violations.filter(\.invariant.judgesDesign).map(\.kind)
        // If no design is judged, violations that judge a design do not make a scenario less clear.
        let otherCount = kinds.count { !designKinds.contains($0) }
        let found = (
          outcome.failures,
          outcome.failures.map { designKinds.contains($0.kind) ? kinds.count : otherCount }
        )
        results = found
        return found
      }
      return zip(failures, otherCounts).map { Known(failure: $0, otherCount: $1, example: self) }
    }

    func cause(of failure: FailureSignature) -> Cause? {
      causes.withLock { causes in
        if let cause = causes[failure] { return cause }
        let cause = Experiment(of: failure, in: program, configuration).cause
        causes[failure] = .some(cause)
        return cause
      }
    }

    /// The length of the scenario without prose. The shortest of several scenarios is the plainest.
    var length: Int {
      var bare = scenario
      bare.prose = []
      return ScenarioText.print(bare).utf8.count
    }
  }

  private let examples: [Example]

  package var isEmpty: Bool { examples.isEmpty }

  /// Creates the known failures of `scenarios`. A scenario makes no failure known if `isAccepted`
  /// returns false for its path.
  ///
  /// - Complexity: O(1) for each scenario. Look-ups run the scenarios that may show the failure,
  ///   and diagnose the failures of its kind, once.
  package init(
    _ scenarios: [(path: String, scenario: Scenario)],
    isAccepted: (String) -> Bool = { _ in true }
  ) {
    examples = scenarios.filter { $0.scenario.interleave != .every }.map { path, scenario in
      Example(scenario, Precedent(path: path, isAccepted: isAccepted(path)))
    }
  }

  /// Returns the scenario that best shows violations of this kind with this cause.
  ///
  /// Accepted scenarios come first, then scenarios that name the cause, then scenarios with few
  /// other violations and few differences from `program` in steps and stack. A scenario that is not
  /// accepted must have the same shape as `program`, because it only serves as reading.
  ///
  /// - Parameter subject: The promise or error of the violation, if known. An accepted scenario
  ///   must show the same one.
  package func precedent(
    for kind: FailureKind, _ cause: Cause, of subject: FailureSubject? = nil, like program: Program
  ) -> Precedent? {
    let shape = FailureShape(program)
    func rank(_ case: Known) -> (Int, Int, Int, Int) {
      let example = `case`.example
      let differences = example.shape.traits.symmetricDifference(shape.traits).count
      return (
        example.precedent.isAccepted ? 0 : 1, `case`.isNamed ? 0 : 1,
        `case`.otherCount + differences, example.length
      )
    }
    // On a generated stack no violation is attributed to steps of the stack.
    let kinds = [kind] + (kind.invariant.map { [.violation($0, at: .stack)] } ?? [])
    let identities = kinds.map { FailureIdentity($0, cause) }
    return examples.filter { $0.precedent.isAccepted || $0.shape.isSame(as: shape) }
      .flatMap(\.known)
      .filter { known in
        guard kinds.contains(known.failure.kind), let cause = known.cause else { return false }
        let identity = FailureIdentity(known.failure.kind, cause)
        if known.example.precedent.isAccepted, let subject,
          let other = known.failure.detail?.subject, other != subject
        {
          return false
        }
        // An accepted scenario must have exactly the same cause. For other scenarios an equivalent
        // cause is enough.
        return known.example.precedent.isAccepted
          ? identities.contains(identity) : identities.contains { $0.agrees(with: identity) }
      }
      .map { (rank($0), $0.example.precedent) }
      .min { $0.0 < $1.0 }?.1
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
    return (
      cause,
      cause.flatMap { precedent(for: failure.kind, $0, of: failure.detail?.subject, like: program) }
    )
  }
}
