import Execution
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The results of a program in Faultline, in the form of an adapter's answers.
struct ExpectedRun {
  /// A step, and the state that can be observed after it.
  struct Observation: Equatable {
    /// The kind of the step.
    var verb: String
    /// The line that the adapter receives.
    var request: String
    var answer: String
    /// The pending changes: `view` for a context that has some, `view.n:U` for an instance.
    var flags: [String]
    /// The instances that their contexts still have, such as `view.n`. The flags of other instances
    /// are not compared.
    var registered: Set<String>
    /// The rows of the store after a successful save.
    var rows: [String]?
  }

  private(set) var observations: [Observation] = []
  /// A Boolean value for each step that indicates whether it named a missing instance.
  private(set) var isIdle: [Bool] = []

  init(_ comparable: ComparableProgram, readsRows: Bool) {
    let program = comparable.program
    let text = ProtocolText(program)
    var observations: [Observation] = []
    var isIdle: [Bool] = []
    var events: [Event] = []
    // The step that posted each DidSave, by the number of the DidSave.
    var posted: [Int: Int] = [:]
    var mergedSave: Int?
    let configuration = RunConfiguration(model: program.model, quirks: comparable.quirks)
    _ = ProgramRunner(configuration).play(program) { action, seen in
      events += seen
      if case .merge(_, let number) = action { mergedSave = posted[number] }
      for case .didSave(_, _, let number) in seen { posted[number] = observations.count }
    } following: { run, _ in
      guard observations.count < program.steps.count else { return }
      let step = program.steps[observations.count]
      let answer = text.answer(to: step, events, run.world)
      let isMerge = step.step.kind == .mergeChanges
      isIdle.append(answer == "nothing" && !step.step.isLookUp || isMerge && mergedSave == nil)
      observations.append(
        Observation(
          verb: step.step.verb, request: text.request(step, merging: mergedSave), answer: answer,
          flags: text.flags(run.world), registered: text.registered(run.world),
          rows: readsRows && answer == "saved" ? text.rows(run.world) : nil))
      events = []
      mergedSave = nil
    }
    while isIdle.count < program.steps.count { isIdle.append(true) }
    self.observations = observations
    self.isIdle = isIdle
  }
}

extension Step {
  /// A Boolean value that indicates whether finding nothing is an answer.
  fileprivate var isLookUp: Bool {
    switch self {
    case .object, .existingObject, .registeredObject: true
    default: false
    }
  }
}
