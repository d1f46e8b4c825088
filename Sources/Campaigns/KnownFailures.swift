package import Failures
package import Execution
import Invariants
import ObjectModel
package import Scenario
import ScenarioChecking
import Shrinking
import SimulatedCoreData
import Vocabulary

/// What is known: the violations that scenarios document, each with its cause.
///
/// A scenario documents a violation simply by showing it: it is run, and its violations are
/// attributed like those of a campaign.
package struct KnownFailures {
  private struct Known {
    var identity: FailureIdentity
    var scenario: String
    /// Whether it says that it is about this quirk.
    var isNamed: Bool
    /// How many other violations it shows.
    var otherCount: Int
    /// What it does, and where.
    var traits: Set<String>
    /// Its length without prose: of several the shortest is the plainest.
    var length: Int
  }

  private var known: [Known] = []

  package var isEmpty: Bool { known.isEmpty }

  /// Costs a run of every scenario, and a few more of those that violate something.
  package init(_ scenarios: [(path: String, scenario: Scenario)]) {
    for (path, scenario) in scenarios where scenario.interleave != .every {
      let program = Program(scenario)
      var configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
      configuration.checkLevel = .design
      let outcome = ProgramRunner(configuration).run(program)
      let (failures, kinds) = (outcome.failures, outcome.failureKinds)
      let designKinds = outcome.violations.filter(\.invariant.judgesDesign).map(\.kind)
      // Where no design is judged, those kinds make a scenario no less clear.
      let otherCount = kinds.count { !designKinds.contains($0) }
      for failure in failures {
        let kind = failure.kind
        guard let cause = Attribution(configuration).cause(of: failure, in: program) else {
          continue
        }
        known.append(
          Known(
            identity: FailureIdentity(kind, cause), scenario: path,
            isNamed: scenario.quirks.contains { cause == .quirk($0) },
            otherCount: designKinds.contains(kind) ? kinds.count : otherCount,
            traits: program.traits,
            length: KnownFailures.length(of: scenario)))
      }
    }
  }

  /// The scenario that documents violations of this kind with this cause, of several the one that
  /// is most about it, and does what `program` does, on such a stack.
  package func scenario(for kind: FailureKind, _ cause: Cause, like program: Program) -> String? {
    let traits = program.traits
    func rank(_ case: Known) -> (Int, Int, Int) {
      let differences = `case`.traits.symmetricDifference(traits).count
      return (`case`.isNamed ? 0 : 1, `case`.otherCount + differences, `case`.length)
    }
    // On a generated stack nothing is said to be the stack's own.
    let kinds = [kind] + (kind.invariant.map { [.violation($0, at: .stack)] } ?? [])
    let identities = kinds.map { FailureIdentity($0, cause) }
    return known.filter { identities.contains($0.identity) }.min {
      rank($0) < rank($1)
    }?
    .scenario
  }

  private static func length(of scenario: Scenario) -> Int {
    var bare = scenario
    bare.prose = []
    return ScenarioText.print(bare).utf8.count
  }

  /// Why `program` fails, and the scenario that documents that. It is shrunk first: what else a
  /// long program does hides the cause. A cause that no scenario documents is that of the example
  /// that a campaign would show of this run, so that both say the same.
  package func verdict(
    on failure: FailureSignature, in program: Program, _ configuration: RunConfiguration
  ) -> (cause: Cause?, scenario: String?) {
    let quick = ProgramShrinker.shrink(program, keeping: failure, configuration).outcome.program
    let verdict = verdict(on: failure, ofSmall: quick, configuration)
    if verdict.scenario != nil { return verdict }
    let smallest = ShrinkingPipeline(configuration).smallest(program, failingAs: failure).outcome
      .program
    return self.verdict(on: failure, ofSmall: smallest, configuration)
  }

  private func verdict(
    on failure: FailureSignature, ofSmall program: Program, _ configuration: RunConfiguration
  ) -> (cause: Cause?, scenario: String?) {
    let cause = Attribution(configuration).cause(of: failure, in: program)
    return (cause, cause.flatMap { scenario(for: failure.kind, $0, like: program) })
  }
}

extension Program {
  /// The kinds of its steps, how many contexts stand at which depth, their policies, and the hooks
  /// that its classes override.
  fileprivate var traits: Set<String> {
    var traits = Set(steps.flatMap(\.leaves).map(\.step.verb))
    var counts: [Int: Int] = [:]
    for context in stack.contextIDs {
      let depth = stack.chain(from: context).count
      counts[depth, default: 0] += 1
      traits.insert("\(counts[depth, default: 0]) at depth \(depth)")
      traits.insert("policy \(stack[context].mergePolicy.rawValue)")
    }
    for entity in model.concreteEntities {
      for action in model[entity].hookActions { traits.insert("overrides \(action.hook.rawValue)") }
    }
    return traits
  }
}
