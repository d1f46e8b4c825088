package import Determinism
package import Generation
package import Invariants
package import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
package import Vocabulary

/// How a run is set up, apart from chance.
package struct RunConfiguration: Sendable {
  package var model: ObjectModel
  /// Nil makes up a stack for every run.
  package var stack: Stack?
  /// What programs are about; none is a bit of everything.
  package var workloads: [Workload] = []
  package var pins = Swarm.StepFilter()
  package var limits = StackLimits()
  package var quirks: QuirkSet
  package var bugs = PlantedBugSet()
  /// How many steps the program of a run has; a `perform` with its block is one.
  package var steps = 60
  package var strategy = SearchStrategy.portfolio
  /// Off only to see what the invariants find by themselves.
  package var comparesWithReference = true
  /// Nil compares everything once in a while, and after each action what it can have changed; 1
  /// everything after each action.
  package var fullComparisonInterval: Int?
  package var scrutiny = CheckLevel.soundness

  package init(model: ObjectModel, quirks: QuirkSet) {
    self.model = model
    self.quirks = quirks
  }
}

/// Runs programs: made up as they go, or written down.
package struct ProgramRunner {
  package let configuration: RunConfiguration

  package init(_ configuration: RunConfiguration) { self.configuration = configuration }

  /// Makes up a stack and a program and runs it; where the strategy asks for it, under all
  /// schedules of the program. A pure function of the configuration and the choices.
  package func run(
    _ choices: inout Choices, observing observe: (Action, [Event]) -> Void = { _, _ in }
  ) -> Outcome {
    var outcome = runOnce(&choices, observing: observe)
    guard configuration.strategy == .exhaustive else { return outcome }
    let search = ExhaustiveSearch(
      outcome.program, laneCount: outcome.busyLaneCount, configuration)
    if outcome.failureKinds.isEmpty, let finding = search.findings.first {
      // A run of the program that fails says more than one that does not.
      outcome.search = search
      outcome = run(outcome.program(showing: finding.kind))
    }
    outcome.search = search
    return outcome
  }

  /// As `run`, under the one schedule that chance chooses.
  package func runOnce(
    _ choices: inout Choices, observing observe: (Action, [Event]) -> Void = { _, _ in }
  ) -> Outcome {
    let model = configuration.model
    let swarm = Swarm(
      pins: configuration.pins, workloads: configuration.workloads,
      isDesigned: configuration.stack != nil, &choices)
    let generator = StackGenerator(model: model, limits: configuration.limits, tree: swarm.tree)
    let stack =
      configuration.stack.map { generator.withList($0, &choices) } ?? generator.stack(&choices)
    let policy = configuration.strategy.policy(&choices)
    var session = DifferentialRun(
      model: model, stack: stack, quirks: configuration.quirks, bugs: configuration.bugs,
      policy: policy,
      comparesWithReference: configuration.comparesWithReference, scrutiny: configuration.scrutiny)
    session.stateCoverage = StateCoverage()
    if let interval = configuration.fullComparisonInterval {
      session.compareEverything(every: interval)
    }
    session.expect(stepsToCome: configuration.steps)
    var steps: [AddressedStep] = []
    var positions = [choices.positions]
    var workload = StepGenerator(model: model, stack: stack, swarm: swarm)
    while steps.count < configuration.steps, !session.isOver {
      // One decision per step and a span around it: what a shrinker deletes is a step. 0 ends the
      // program, so that a recording that ends, ends it.
      let start = choices.position(in: .workload)
      let isOver = choices.draw(below: 256, from: .workload) == 0
      guard !isOver else { break }
      let step = workload.next(in: session.world, &choices)
      choices.closeSpan(from: start, in: .workload)
      steps.append(step)
      session.run(step, &choices, observing: observe)
      positions.append(choices.positions)
    }
    for step in workload.ending(in: session.world) where !session.isOver {
      steps.append(step)
      session.run(step, &choices, observing: observe)
    }
    session.finish(&choices, observing: observe)
    var outcome = outcome(
      of: session, policy,
      Program(
        model: model, stack: stack, names: workload.names, steps: steps,
        schedule: choices.recording(of: .schedule), isInterleaved: policy != .inOrder),
      choices.bounds(of: .schedule))
    outcome.swarm = swarm
    outcome.positions = positions
    return outcome
  }

  /// Runs a program that is written down, with the quirks and bugs of the configuration. `follow`
  /// is told after each step how many choices the scheduler has made by then.
  package func run(
    _ program: Program, observing observe: (Action, [Event]) -> Void = { _, _ in },
    following follow: (DifferentialRun, Int) -> Void = { _, _ in }
  ) -> Outcome {
    play(program, isRecorded: false, observe, follow).0
  }

  /// As `run`, and the run itself with every turn of it recorded.
  package func record(_ program: Program) -> (Outcome, DifferentialRun) {
    play(program, isRecorded: true, { _, _ in }, { _, _ in })
  }

  private func play(
    _ program: Program, isRecorded: Bool, _ observe: (Action, [Event]) -> Void,
    _ follow: (DifferentialRun, Int) -> Void
  ) -> (Outcome, DifferentialRun) {
    var recording = Choices.Recording()
    recording[.schedule] = program.schedule
    var choices = Choices(replaying: recording)
    let policy = program.isInterleaved ? SchedulingPolicy.random : .inOrder
    var session = DifferentialRun(
      model: program.model, stack: program.stack, quirks: configuration.quirks,
      bugs: configuration.bugs, policy: policy,
      comparesWithReference: configuration.comparesWithReference, scrutiny: configuration.scrutiny)
    if let interval = configuration.fullComparisonInterval {
      session.compareEverything(every: interval)
    }
    if isRecorded { session.beginRecording() }
    for step in program.steps where !session.isOver {
      session.run(step, &choices, observing: observe)
      follow(session, choices.position(in: .schedule))
    }
    session.finish(&choices, observing: observe)
    var program = program
    if program.isInterleaved { program.schedule = choices.recording(of: .schedule) }
    return (outcome(of: session, policy, program, choices.bounds(of: .schedule)), session)
  }

  private func outcome(
    of session: DifferentialRun, _ policy: SchedulingPolicy, _ program: Program,
    _ bounds: [UInt32]
  ) -> Outcome {
    Outcome(
      program: program, stateCoverage: session.stateCoverage ?? StateCoverage(), policy: policy,
      digest: session.digest.value, stepCount: session.stepCount,
      wastedStepCount: session.wastedStepCount, marks: session.world.marks,
      disagreement: session.disagreement, violations: session.violations,
      longestMainQueueHold: session.longestMainQueueHold,
      mainQueueOccupancy: session.mainQueueOccupancy,
      endsSuspended: session.world.waitsForResume,
      busyLaneCount: session.busyLaneCount, preemptionCount: session.preemptionCount,
      alternativeCounts: bounds.map { Int($0) })
  }
}
