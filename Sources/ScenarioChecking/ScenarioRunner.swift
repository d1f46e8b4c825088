import Determinism
import Failures
package import Execution
package import Invariants
import ObjectModel
package import Scenario
import SimulatedCoreData
import SimulatedDispatch
package import Vocabulary

/// What became of one run of a scenario.
package struct ScenarioRun {
  /// By item: the lines that its transcript should have.
  package var transcripts: [[String]]
  /// By item, by line: how many steps were performed by then.
  package var stepNumbers: [[Int]]
  /// By item: how many steps were performed before the next one.
  package var stepCounts: [Int]
  package var digest: UInt64
  package var stepCount: Int
  package var disagreement: Disagreement?
  package var violations: [Violation]
  /// By claim: whether it holds.
  package var claims: [Bool]
  /// By claim: what there is; nil where the claim says it itself, as it holds.
  package var findings: [String?]
  /// What the scheduler chose.
  package var schedule: [UInt32]
  /// The reads that give a name to what they find, as often as they were performed.
  package var reads: [NamedRead]
  /// What it came to.
  package var outcome: ScenarioOutcome
  /// Which of the scenario's own choices is impossible, and why; a possible one was taken instead.
  package var scheduleProblem: String? = nil
}

/// Runs scenarios: against what they recorded and claim, or to record them.
package struct ScenarioRunner {
  package let scenario: Scenario
  package let quirks: QuirkSet
  package let bugs: PlantedBugSet
  let checkLevel: CheckLevel
  private let namesOfReads: Set<ObjectName>

  /// `quirks` overrides the profile that the scenario asks for. A scenario's stack was designed
  /// by its author, so its design is judged, too, unless `checkLevel` says otherwise.
  package init(
    _ scenario: Scenario, quirks: QuirkSet? = nil, bugs: PlantedBugSet = PlantedBugSet(),
    checkLevel: CheckLevel = .scenario
  ) {
    self.scenario = scenario
    self.quirks = quirks ?? scenario.quirkSet
    self.bugs = bugs
    self.checkLevel = checkLevel
    namesOfReads = scenario.namesOfReads
  }

  /// Whether it runs the scenario under the quirks that it asks for, without planted bugs.
  var isAsWritten: Bool { quirks == scenario.quirkSet && bugs == PlantedBugSet() }

  /// How the engine and the reference are set up for it.
  package var configuration: RunConfiguration {
    var configuration = RunConfiguration(model: scenario.model, quirks: quirks)
    configuration.bugs = bugs
    configuration.checkLevel = checkLevel
    return configuration
  }

  /// One run; `schedule` is for scenarios whose lanes may overtake each other.
  package func run(schedule: [UInt32]? = nil) -> ScenarioRun {
    var program = Program(scenario)
    if let schedule { program.schedule = schedule }
    // Lines wait for the end of the run: by then every object has its name.
    let played = ProgramRunner(configuration).play(
      program, keeping: .events(keepingWorldsAfter: scenario.claimedMoments))
    var run = result(of: played)
    if schedule == nil, case .choices(let chosen) = scenario.interleave {
      run.scheduleProblem = problem(of: chosen, played.alternativeCounts)
    }
    return run
  }

  /// `bounds` is how many lanes were runnable at each choice.
  private func problem(of chosen: [Int], _ bounds: [Int]) -> String? {
    for (index, (choice, bound)) in zip(chosen, bounds).enumerated() where choice >= bound {
      return "choice \(index + 1) is \(choice); \(bound) lanes are runnable, numbered from 0"
    }
    guard chosen.count > bounds.count else { return nil }
    let made = bounds.count == 1 ? "there is 1" : "there are \(bounds.count)"
    return "'interleave  choices' says \(chosen.count) choices; \(made) to make"
  }

  func result(of played: PlayedProgram) -> ScenarioRun {
    let (differentialRun, log) = (played.run, played.log.eventsByStep)
    let world = differentialRun.world
    let names = scenario.names
    let text = EventText(model: scenario.model, stack: scenario.stack) { id in
      world.graph.name(of: id).map { names[$0.index] }
    }
    let shown = log.map { happened in
      happened.filter { isShown($0.event) }.compactMap { happening in
        text.line(for: happening.event, of: happening.action).map { ($0, happening.stepNumber) }
      }
    }
    precondition(
      shown.count == scenario.items.count,
      "\(shown.count) transcripts for \(scenario.items.count) steps")
    let kept = shown.map(condensed)
    var transcripts = kept.map { $0.map(\.0) }
    for violation in differentialRun.violations where violation.invariant == .WaitForGraphIsAcyclic
    {
      let last = transcripts.lastIndex { !$0.isEmpty } ?? transcripts.count - 1
      if last >= 0, let detail = violation.detail {
        transcripts[last].append("deadlock: \(detail)")
      }
    }
    let end = ClaimEvaluation(
      scenario: scenario, world: world, log: log.flatMap(\.self), text: text,
      kinds: failureKinds(of: differentialRun.violations, differentialRun.disagreement),
      violations: differentialRun.violations, namesOfReads: namesOfReads)
    let moments = played.log.moments
    // Nil where the run ends before the step that would begin then.
    let evaluations = scenario.claims.map { claim -> ClaimEvaluation? in
      guard let place = claim.place, place < scenario.items.count - 1 else { return end }
      return moments.first { $0.step == place }.flatMap { end.at($0, log) }
    }
    let claims = zip(scenario.claims, evaluations).map { $1?.holds($0.condition) ?? false }
    return ScenarioRun(
      transcripts: transcripts, stepNumbers: kept.map { $0.map(\.1) },
      stepCounts: played.log.stepCounts,
      digest: differentialRun.digest.value, stepCount: differentialRun.stepCount,
      disagreement: differentialRun.disagreement, violations: differentialRun.violations,
      claims: claims,
      findings: scenario.claims.indices.map { index in
        let condition = scenario.claims[index].condition
        if claims[index], !condition.isAboutValues { return nil }
        return evaluations[index]?.finding(condition) ?? "a moment that the run does not come to"
      },
      schedule: played.schedule, reads: namesOfReads.isEmpty ? [] : namedReads(in: log),
      outcome: ScenarioOutcome(
        of: differentialRun, claims: claims, events: log.flatMap { $0 }, text))
  }

  /// Of a loop, such as a `willSave` that sets itself off, a transcript has the beginning and end.
  private func condensed(_ lines: [(String, Int)]) -> [(String, Int)] {
    let (limit, end) = (100, 20)
    guard lines.count > limit else { return lines }
    let omitted = lines[end..<(lines.count - end)]
    let remark = ("… \(omitted.count) more lines …", omitted[omitted.endIndex - 1].1)
    return lines.prefix(end) + [remark] + lines.suffix(end)
  }

  /// Answers are always shown.
  private func isShown(_ event: Event) -> Bool {
    EventText.watched(event).map(scenario.watch.contains) ?? true
  }
}

extension ClaimEvaluation {
  /// What was so at a moment between two steps; nil if the run did not come past it.
  fileprivate func at(_ moment: EventLog.Moment, _ log: [[ActionEvent]]) -> ClaimEvaluation? {
    guard let world = moment.world else { return nil }
    var result = self
    result.world = world
    result.log = log[...moment.step].flatMap(\.self)
    result.kinds = failureKinds(
      of: violations.filter { $0.stepNumber <= moment.stepCount && !$0.isFoundAtEnd }, nil)
    return result
  }
}

extension Scenario {
  /// The items after which something is claimed.
  var claimedMoments: [Int] { Set(claims.compactMap(\.place)).sorted() }

  /// The quirks under which this scenario is to be run.
  package var quirkSet: QuirkSet {
    var set = (profile ?? .current).quirks
    for quirk in quirks { set.insert(quirk) }
    return set
  }
}

extension Claim.Condition {
  /// Whether it names some of several values, and so does not say all there is.
  fileprivate var isAboutValues: Bool {
    switch self {
    case .instance, .row: true
    default: false
    }
  }
}
