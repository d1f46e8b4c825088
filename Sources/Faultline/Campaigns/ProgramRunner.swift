package import Determinism
package import ObjectModel
package import SimulatedCoreData
import SimulatedDispatch
package import Vocabulary

/// How a run is set up, apart from chance.
package struct RunConfiguration: Sendable {
  package var model: ObjectModel
  /// Nil makes up a stack for every run.
  package var stack: Stack?
  /// What programs are about; none is a bit of everything.
  package var workloads: [Workload] = []
  package var limits = StackLimits()
  package var quirks: QuirkSet
  package var bugs = PlantedBugSet()
  /// How many steps the program of a run has; a `perform` with its block is one.
  package var steps = 60
  package var strategy = Strategy.mixed
  /// Off only to see what the invariants find by themselves.
  package var comparesWithReference = true
  package var scrutiny = Scrutiny.soundness

  /// Which schedules runs follow.
  package enum Strategy: String, CaseIterable, Sendable {
    /// File order: nobody overtakes anybody.
    case inOrder
    /// Each runnable lane is equally likely.
    case random
    /// Half of the runs each.
    case mixed
  }

  package init(model: ObjectModel, quirks: QuirkSet) {
    self.model = model
    self.quirks = quirks
  }
}

/// Runs programs: made up as they go, or written down.
package struct ProgramRunner {
  package let configuration: RunConfiguration

  package init(_ configuration: RunConfiguration) { self.configuration = configuration }

  /// Makes up a stack and a program and runs it. A pure function of the configuration and the
  /// choices.
  package func run(
    _ choices: inout Choices, observing observe: (Action, [Event]) -> Void = { _, _ in }
  ) -> Outcome {
    let model = configuration.model
    let generator = StackGenerator(model: model, limits: configuration.limits)
    let stack =
      configuration.stack.map { generator.withList($0, &choices) } ?? generator.stack(&choices)
    let isInterleaved =
      switch configuration.strategy {
      case .inOrder: false
      case .random: true
      case .mixed: choices.chance(1, in: 2, from: .shape)
      }
    var session = Session(
      model: model, stack: stack, quirks: configuration.quirks, bugs: configuration.bugs,
      policy: isInterleaved ? .random : .inOrder,
      comparesWithReference: configuration.comparesWithReference, scrutiny: configuration.scrutiny)
    var steps: [AddressedStep] = []
    var workload = StepGenerator(
      model: model, stack: stack, workloads: configuration.workloads,
      isDesigned: configuration.stack != nil, &choices)
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
    }
    session.finish(&choices, observing: observe)
    return outcome(
      of: session,
      Program(
        model: model, stack: stack, names: workload.names, steps: steps,
        schedule: isInterleaved ? choices.recording[.schedule] : [],
        isInterleaved: isInterleaved))
  }

  /// Runs a program that is written down, with the quirks and bugs of the configuration.
  package func run(
    _ program: Program, observing observe: (Action, [Event]) -> Void = { _, _ in }
  ) -> Outcome {
    var recording = Choices.Recording()
    recording[.schedule] = program.schedule
    var choices = Choices(replaying: recording)
    var session = Session(
      model: program.model, stack: program.stack, quirks: configuration.quirks,
      bugs: configuration.bugs, policy: program.isInterleaved ? .random : .inOrder,
      comparesWithReference: configuration.comparesWithReference, scrutiny: configuration.scrutiny)
    for step in program.steps where !session.isOver {
      session.run(step, &choices, observing: observe)
    }
    session.finish(&choices, observing: observe)
    var program = program
    if program.isInterleaved { program.schedule = choices.recording[.schedule] }
    return outcome(of: session, program)
  }

  private func outcome(of session: Session, _ program: Program) -> Outcome {
    Outcome(
      program: program, digest: session.digest.value, stepCount: session.stepCount,
      wastedStepCount: session.wastedStepCount, marks: session.world.marks,
      disagreement: session.disagreement, violations: session.violations,
      longestMainQueueHold: session.longestMainQueueHold,
      mainQueueOccupancy: session.mainQueueOccupancy)
  }
}
