import Determinism
import Failures
package import Execution
package import Invariants
import ObjectModel
package import Scenario
import SimulatedCoreData
import SimulatedDispatch
package import Vocabulary

/// The result of one run of a scenario.
package struct ScenarioRun {
  /// The expected lines of the transcript, indexed by item.
  package var transcripts: [[String]]
  /// The number of steps performed when each line was reached, indexed by item and line.
  package var stepNumbers: [[Int]]
  /// The number of steps performed before the next item, indexed by item.
  package var stepCounts: [Int]
  package var digest: UInt64
  package var stepCount: Int
  package var disagreement: Disagreement?
  package var violations: [Violation]
  /// Boolean values that indicate whether each claim holds.
  package var claims: [Bool]
  /// The actual state for each claim, or `nil` where the claim holds and describes the state in
  /// full.
  package var findings: [String?]
  /// The choices of the scheduler.
  package var schedule: [UInt32]
  /// The executions of reads that name their result.
  package var reads: [NamedRead]
  /// The outcome of the run.
  package var outcome: ScenarioOutcome
  /// A message about a scheduled choice that was impossible. The scheduler made another choice
  /// instead.
  package var scheduleProblem: String? = nil
}

/// Runs scenarios, to check or to record them.
package struct ScenarioRunner {
  package let scenario: Scenario
  package let quirks: QuirkSet
  package let bugs: PlantedBugSet
  let checkLevel: CheckLevel
  private let namesOfReads: Set<ObjectName>

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - quirks: Overrides the profile and the quirks of the scenario.
  ///   - checkLevel: The invariants to check. By default, they include those of designed stacks,
  ///     because the scenario's author designed its stack.
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

  /// A Boolean value that indicates whether the runner uses the scenario's own quirks and no
  /// planted bugs.
  var isAsWritten: Bool { quirks == scenario.quirkSet && bugs == PlantedBugSet() }

  /// The configuration of the engine and the reference model.
  package var configuration: RunConfiguration {
    var configuration = RunConfiguration(model: scenario.model, quirks: quirks)
    configuration.bugs = bugs
    configuration.checkLevel = checkLevel
    return configuration
  }

  /// Runs the scenario once.
  ///
  /// - Parameter schedule: The choices of the scheduler, for scenarios whose lanes can overtake
  ///   each other.
  package func run(schedule: [UInt32]? = nil) -> ScenarioRun {
    var program = Program(scenario)
    if let schedule { program.schedule = schedule }
    // Transcript lines are printed after the run, when every object has its name.
    let played = ProgramRunner(configuration).play(
      program, keeping: .events(keepingWorldsAfter: scenario.claimedMoments))
    var run = result(of: played)
    if schedule == nil, case .choices(let chosen) = scenario.interleave {
      run.scheduleProblem = problem(of: chosen, played.alternativeCounts)
    }
    return run
  }

  /// Returns a message about the first impossible choice, if any.
  ///
  /// - Parameter bounds: The number of runnable lanes at each choice.
  private func problem(of chosen: [Int], _ bounds: [Int]) -> String? {
    for (index, (choice, bound)) in zip(chosen, bounds).enumerated() where choice >= bound {
      return "choice \(index + 1) is \(choice); \(bound) lanes are runnable, numbered from 0"
    }
    guard chosen.count > bounds.count else { return nil }
    return "'interleave  choices' lists \(chosen.count) choices; the run makes only \(bounds.count)"
  }

  func result(of played: PlayedProgram) -> ScenarioRun {
    let (differentialRun, log) = (played.run, played.log.eventsByStep)
    let world = differentialRun.world
    let names = scenario.names
    let text = EventText(model: scenario.model, stack: scenario.stack) { id in
      world.graph.name(of: id).map { names[$0.index] }
    }
    let shown = log.map { happened in
      happened.filter { isShown($0.event) }.compactMap { entry in
        text.line(for: entry.event, of: entry.action).map { ($0, entry.stepNumber) }
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
    // `nil` if the run ended before the claim's moment.
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
        return evaluations[index]?.finding(condition) ?? "a moment that the run does not reach"
      },
      schedule: played.schedule, reads: namesOfReads.isEmpty ? [] : namedReads(in: log),
      outcome: ScenarioOutcome(
        of: differentialRun, claims: claims, events: log.flatMap { $0 }, text))
  }

  /// Returns the beginning and the end of a very long transcript, which results from a loop such as
  /// a `willSave` that triggers itself.
  private func condensed(_ lines: [(String, Int)]) -> [(String, Int)] {
    let (limit, end) = (100, 20)
    guard lines.count > limit else { return lines }
    let omitted = lines[end..<(lines.count - end)]
    let remark = ("… \(omitted.count) more lines …", omitted[omitted.endIndex - 1].1)
    return lines.prefix(end) + [remark] + lines.suffix(end)
  }

  /// Returns a Boolean value that indicates whether the transcript shows an event. Results of steps
  /// are always shown.
  private func isShown(_ event: Event) -> Bool {
    EventText.watched(event).map(scenario.watch.contains) ?? true
  }
}

extension ClaimEvaluation {
  /// Returns the evaluation at a moment between two steps, or `nil` if the run ended before it.
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
  /// The items after which the scenario makes claims.
  var claimedMoments: [Int] { Set(claims.compactMap(\.place)).sorted() }

  /// The quirks of the scenario's profile, with the quirks that it names.
  package var quirkSet: QuirkSet {
    var set = (profile ?? .current).quirks
    for quirk in quirks { set.insert(quirk) }
    return set
  }
}

extension Claim.Condition {
  /// A Boolean value that indicates whether the condition names some of several values, and thus
  /// does not describe the state in full.
  fileprivate var isAboutValues: Bool {
    switch self {
    case .instance, .row: true
    default: false
    }
  }
}
