package import Scenario
import SimulatedCoreData
import Vocabulary

/// What is known: the violations that scenarios document, each with its cause.
///
/// A scenario documents a violation simply by showing it: it is run, and what goes wrong in it is
/// attributed like what goes wrong in a campaign.
package struct EdgeCases {
  private struct Known {
    var kind: String
    var cause: Cause
    var scenario: String
    /// How little the scenario is about this: other violations that it shows, and more than those
    /// if it does not name the quirk.
    var distance: Int
    /// The kinds of its steps.
    var verbs: Set<String>
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
      configuration.scrutiny = .design
      let outcome = ProgramRunner(configuration).run(program)
      let kinds = outcome.identities
      let designKinds = outcome.violations.filter(\.invariant.judgesDesign).map(\.kind)
      // Where no design is judged, those kinds make a scenario no less clear.
      let otherCount = kinds.count { !designKinds.contains($0) }
      for kind in kinds {
        guard let cause = Attribution(configuration).cause(of: kind, in: program) else { continue }
        let isNamed = scenario.quirks.contains { cause == .quirk($0) }
        known.append(
          Known(
            kind: kind, cause: cause, scenario: path,
            distance: (designKinds.contains(kind) ? kinds.count : otherCount)
              + (isNamed ? 0 : Invariant.allCases.count),
            verbs: program.verbs,
            length: EdgeCases.length(of: scenario)))
      }
    }
  }

  /// The scenario that documents violations of this kind with this cause, of several the one that
  /// is most about it, and does what `program` does.
  package func scenario(for kind: String, _ cause: Cause, like program: Program) -> String? {
    func rank(_ case: Known) -> (Int, Int, Int) {
      let others = `case`.verbs.symmetricDifference(program.verbs).count
      return (`case`.distance, others, `case`.length)
    }
    // Of a stack that was made up nobody says what is its own.
    let kinds = [kind, kind + " by the stack"]
    return known.filter { kinds.contains($0.kind) && $0.cause == cause }.min {
      rank($0) < rank($1)
    }?
    .scenario
  }

  private static func length(of scenario: Scenario) -> Int {
    var bare = scenario
    bare.prose = []
    return ScenarioText.print(bare).utf8.count
  }

  /// The scenario that documents a violation of `program`, which is made small first, as in a
  /// campaign: what else a long program does hides the cause.
  package func scenario(
    for kind: String, in program: Program, _ configuration: RunConfiguration
  ) -> String? {
    let smallest = ProgramShrinker.shrink(program, keeping: kind, configuration).outcome.program
    return Attribution(configuration).cause(of: kind, in: smallest).flatMap {
      scenario(for: kind, $0, like: smallest)
    }
  }
}

extension Program {
  fileprivate var verbs: Set<String> { Set(steps.flatMap(\.leaves).map(\.step.verb)) }

  package init(_ scenario: Scenario) {
    var schedule: [UInt32] = []
    if case .choices(let choices) = scenario.interleave { schedule = choices.map { UInt32($0) } }
    self.init(
      model: scenario.model, stack: scenario.stack, names: scenario.names,
      steps: scenario.items.map(\.step), schedule: schedule,
      isInterleaved: scenario.interleave != .inOrder)
  }
}
