package import Determinism
import Generation
import Invariants
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
package import Vocabulary

/// Runs generated and given programs.
package struct ProgramRunner {
  /// The records of a run to keep besides its outcome.
  package enum Notes {
    case none
    /// The events of each step of the program (`EventLog`), and the world after each of these
    /// steps.
    case events(keepingWorldsAfter: [Int])
    /// Every turn (`Recorder`).
    case turns
  }

  package let configuration: RunConfiguration

  package init(_ configuration: RunConfiguration) { self.configuration = configuration }

  /// Generates a stack and a program, and runs it. If the strategy is exhaustive, runs all
  /// schedules of the program. A pure function of the configuration and the choices.
  package func run(
    _ choices: inout Choices, observing observe: (Action, [Event]) -> Void = { _, _ in }
  ) -> Outcome {
    var storage = RunStorage()
    return run(&choices, in: &storage, observing: observe)
  }

  /// Generates and runs a program in the memory of an earlier run, which the next run can reuse.
  package func run(
    _ choices: inout Choices, in storage: inout RunStorage,
    observing observe: (Action, [Event]) -> Void = { _, _ in }
  ) -> Outcome {
    var outcome = runOnce(&choices, in: &storage, observing: observe)
    guard configuration.strategy == .exhaustive else { return outcome }
    let search = ExhaustiveSearch(
      outcome.program, laneCount: outcome.busyLaneCount, configuration)
    if outcome.failureKinds.isEmpty, let finding = search.findings.first {
      // The result is the outcome of a failing run, if the search found one.
      outcome.search = search
      outcome = run(outcome.program(showing: finding.failure))
    }
    outcome.search = search
    return outcome
  }

  /// Generates and runs a program under the one schedule that the choices decide.
  package func runOnce(
    _ choices: inout Choices, observing observe: (Action, [Event]) -> Void = { _, _ in }
  ) -> Outcome {
    var storage = RunStorage()
    return runOnce(&choices, in: &storage, observing: observe)
  }

  private func runOnce(
    _ choices: inout Choices, in storage: inout RunStorage,
    observing observe: (Action, [Event]) -> Void
  ) -> Outcome {
    let model = configuration.model
    let swarm = Swarm(
      stepFilter: configuration.stepFilter, workloads: configuration.workloads,
      isDesigned: configuration.stack != nil, &choices)
    let generator = StackGenerator(model: model, limits: configuration.limits, tree: swarm.tree)
    let stack =
      configuration.stack.map { generator.withList($0, &choices) } ?? generator.stack(&choices)
    let policy = configuration.strategy.policy(&choices)
    var driver = RunDriver(
      DifferentialRun(configuration, on: stack, policy, in: &storage),
      GeneratedSteps(
        StepGenerator(model: model, stack: stack, swarm: swarm), limit: configuration.steps))
    driver.run.stateCoverage = StateCoverage()
    driver.run.expect(stepsToCome: configuration.steps)
    var positions: [Choices.Positions] = []
    // Some steps follow after the last drawn step.
    positions.reserveCapacity(configuration.steps + 16)
    positions.append(choices.positions)
    driver.play(&choices, observing: observe) { _, choices in positions.append(choices.positions) }
    let steps = driver.source
    precondition(
      positions.count == steps.steps.count + 1,
      "\(positions.count) positions of \(steps.steps.count) steps")
    let program = Program(
      model: model, stack: stack, names: steps.names, steps: steps.steps,
      schedule: choices.recording(of: .schedule), isInterleaved: policy != .inOrder)
    var outcome = driver.run.outcome(
      of: program, policy, alternativeCounts: choices.bounds(of: .schedule).map { Int($0) })
    storage.take(from: &driver.run)
    outcome.swarm = swarm
    // No run should branch off among the steps that only end the program.
    outcome.positions = Array(positions.prefix(steps.drawnCount + 1))
    return outcome
  }

  /// Runs a given program, with the quirks and bugs of the configuration. Calls `follow` after each
  /// step with the number of choices that the scheduler has made by then.
  package func run(
    _ program: Program, observing observe: (Action, [Event]) -> Void = { _, _ in },
    following follow: (DifferentialRun, Int) -> Void = { _, _ in }
  ) -> Outcome {
    outcome(of: play(program, observing: observe, following: follow), program)
  }

  /// Runs a given program. Returns its outcome, and the run with every turn recorded.
  package func record(_ program: Program) -> (Outcome, DifferentialRun) {
    let played = play(program, keeping: .turns)
    return (outcome(of: played, program), played.run)
  }

  /// Runs a given program for callers that examine the run itself.
  package func play(
    _ program: Program, keeping notes: Notes = .none,
    observing observe: (Action, [Event]) -> Void = { _, _ in },
    following follow: (DifferentialRun, Int) -> Void = { _, _ in }
  ) -> PlayedProgram {
    var recording = Choices.Recording()
    recording[.schedule] = program.schedule
    var choices = Choices(replaying: recording)
    var driver = RunDriver(program, configuration)
    switch notes {
    case .none: break
    case .events(let steps): driver.run.beginLogging(keepingWorldsAfter: steps)
    case .turns: driver.run.beginRecording()
    }
    driver.play(&choices, observing: observe) { run, choices in
      follow(run, choices.position(in: .schedule))
    }
    return PlayedProgram(
      driver.run, of: program, schedule: choices.recording(of: .schedule),
      alternativeCounts: choices.bounds(of: .schedule).map { Int($0) })
  }

  private func outcome(of played: PlayedProgram, _ program: Program) -> Outcome {
    var program = program
    if program.isInterleaved { program.schedule = played.schedule }
    return played.run.outcome(
      of: program, program.isInterleaved ? .random : .inOrder,
      alternativeCounts: played.alternativeCounts)
  }
}

extension DifferentialRun {
  /// A method, because an initializer would receive a copy of the run.
  func outcome(
    of program: Program, _ policy: SchedulingPolicy, alternativeCounts: [Int]
  ) -> Outcome {
    precondition(isFinished, "the outcome of a run that is not finished")
    return Outcome(
      program: program, stateCoverage: stateCoverage ?? StateCoverage(), policy: policy,
      digest: digest.value, stepCount: stepCount, wastedStepCount: wastedStepCount,
      marks: world.graph.marks, disagreement: disagreement, violations: violations,
      longestMainQueueHold: longestMainQueueHold, mainQueueOccupancy: mainQueueOccupancy,
      endsSuspended: world.waitsForResume, busyLaneCount: busyLaneCount,
      testedPromises: invariants.testedPromises, preemptionCount: preemptionCount,
      alternativeCounts: alternativeCounts)
  }
}
