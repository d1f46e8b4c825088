package import Failures
import Determinism
import Diagnosis
package import Execution
import ObjectModel
package import Vocabulary

/// The parts of a failing program that matter, found by repeating the run with one change at a
/// time.
package struct Explanation {
  /// The effect on the failure if a part is removed or changed.
  package enum Role: Hashable, Sendable {
    /// The failure disappears, and no new failure appears.
    case essential
    /// The failure remains.
    case irrelevant
    /// The failure remains on the parts of a designed stack that the program has, but disappears on
    /// the whole stack.
    case essentialToDesign
    /// A different failure appears that the unchanged program does not show.
    case changes([FailureKind])
    /// The same invariant is violated by a failure of another kind.
    case renames([FailureKind])
    /// The failure remains under another schedule.
    case irrelevantToOrder
  }

  package struct StepRole {
    package let step: AddressedStep
    package let role: Role
    /// A Boolean value that indicates whether the step belongs to an observer or an entry point.
    package let isStacks: Bool
  }

  /// A step that sets a value, and the result of trying other values.
  package struct ValueRole {
    package let step: AddressedStep
    package let triedCount: Int
    package let failingCount: Int
    /// A Boolean value that indicates whether the program also fails with nil, which is not among
    /// the tried values.
    package let failsWithNil: Bool
    /// Other steps that set the same property, to a value with which this step would not show the
    /// failure.
    package let rivals: [AddressedStep]

    package var isIrrelevant: Bool { triedCount > 0 && failingCount == triedCount }
  }

  /// A choice of the scheduler, by its index in the schedule, and the role of each alternative.
  package struct ChoiceRole {
    package let place: Int
    /// The index of the step during which the choice was made. Nil after the last step.
    package let step: Int?
    package let roles: [Role]
  }

  /// The result of varying all irrelevant values at once.
  package struct Variation {
    package let triedCount: Int
    package let failingCount: Int
  }

  /// The point of a run from which all schedules fail.
  package struct CommitPoint: Hashable, Sendable {
    /// The number of program steps that have begun and advanced as far as possible. 0 is the start
    /// of the run.
    package let stepCount: Int
    /// The number of schedules that were tried from this point.
    package let scheduleCount: Int
    /// A Boolean value that indicates whether all schedules were tried, and not only a sample.
    package let isExhaustive: Bool
  }

  package let program: Program
  package let target: FailureSignature
  /// The roles of the steps in the order of the program. A block comes before the steps in it.
  package private(set) var steps: [StepRole] = []
  /// A Boolean value that indicates whether the program fails without all steps of the stack that
  /// are irrelevant individually.
  package private(set) var failsWithoutIrrelevantStacksSteps = true
  package private(set) var values: [ValueRole] = []
  package private(set) var choices: [ChoiceRole] = []
  /// The joint variation of irrelevant values. Nil if fewer than two values are irrelevant.
  package private(set) var variation: Variation?
  /// The point from which all schedules fail. Nil if up to the last step some schedule avoids the
  /// failure.
  package private(set) var commitPoint: CommitPoint?
  /// The number of programs that were run for the explanation.
  package private(set) var executions = 0

  /// The number of steps that the run performs, including those of observers, automatic merges and
  /// entry points.
  package let performedStepCount: Int

  private let runner: ProgramRunner
  /// The whole designed stack, if the failure also occurs on it.
  private var design: Stack?
  /// The kinds of failures that the unchanged program shows.
  private let companions: [FailureKind]

  /// A Boolean value that indicates whether the program runs on a part of its campaign's stack.
  var isOnPartOfStack: Bool {
    runner.configuration.stack.map { $0 != program.stack } ?? false
  }

  /// Explains why `program` fails as `target`.
  ///
  /// - Complexity: Some runs for each step, value and choice, and up to 25 more for each needed
  /// step of an interleaved program. The search for the commit point takes up to `scheduleLimit`
  /// runs and a sample of 100 for each step.
  package init(
    of target: FailureSignature, in program: Program, _ configuration: RunConfiguration,
    scheduleLimit: Int = SearchBudgets.full.schedules
  ) {
    runner = ProgramRunner(configuration)
    self.target = target
    let outcome = runner.run(program)
    executions = 1
    self.program = outcome.program
    companions = outcome.failureKinds
    performedStepCount = outcome.stepCount
    if let design = configuration.stack,
      outcome.program.fails(as: target, onTheWholeOf: design, by: runner, counting: &executions)
    {
      self.design = design
    }
    explainSteps()
    explainValues()
    varyTogether()
    explainChoices(outcome.alternativeCounts)
    findCommitPoint(limit: scheduleLimit)
  }

  private mutating func run(_ program: Program) -> Outcome {
    executions += 1
    return runner.run(program)
  }

  private mutating func role(of program: Program) -> Role {
    let role = roleOnParts(of: program)
    guard role == .irrelevant, let design,
      !program.fails(
        as: target.orByHooks, onTheWholeOf: design, by: runner, counting: &executions)
    else { return role }
    return .essentialToDesign
  }

  private mutating func roleOnParts(of program: Program) -> Role {
    let outcome = run(program)
    // A hook may set a value that a removed step no longer sets. The object is then changed in
    // another way.
    if outcome.fails(as: target.orByHooks) { return .irrelevant }
    let others = outcome.failureKinds.filter { !companions.contains($0) }
    if others.isEmpty { return .essential }
    let isSameHarm = others.allSatisfy { $0.invariant == target.kind.invariant }
    return isSameHarm ? .renames(others) : .changes(others)
  }

  /// Returns a Boolean value that indicates whether the program fails under one of 24 other
  /// schedules.
  private mutating func failsUnderAnotherSchedule(_ program: Program) -> Bool {
    guard program.isInterleaved else { return false }
    return program.underOtherSchedules(beside: run(program), count: 24).contains { other in
      guard run(other).fails(as: target.orByHooks) else { return false }
      return design.map {
        other.fails(as: target.orByHooks, onTheWholeOf: $0, by: runner, counting: &executions)
      } ?? true
    }
  }

  // MARK: Steps and values

  private mutating func explainSteps() {
    let draft = ProgramEdit(Candidate(program, runner, keeping: target))
    for path in draft.paths {
      var shorter = draft
      shorter.remove(path)
      let candidates = shorter.programs
      var roles: [Role] = []
      for candidate in candidates {
        // The whole stack always contains its own steps, so their removal is tested on the
        // program's parts.
        roles.append(path.list == .program ? role(of: candidate) : roleOnParts(of: candidate))
      }
      // A step is irrelevant if the program fails under any remaining schedule.
      var role = roles.first { $0 == .irrelevant } ?? roles[roles.count - 1]
      if role != .irrelevant, role != .essentialToDesign,
        failsUnderAnotherSchedule(candidates[candidates.count - 1])
      {
        role = .irrelevantToOrder
      }
      steps.append(
        StepRole(step: draft[path], role: role, isStacks: path.list != .program))
    }
    let irrelevant = zip(draft.paths, steps).filter { $1.isStacks && $1.role == .irrelevant }
    guard irrelevant.count > 1 else { return }
    var without = draft
    // Start at the end, because a removal shifts later steps.
    for (path, _) in irrelevant.reversed() { without.remove(path) }
    failsWithoutIrrelevantStacksSteps = without.programs.contains {
      roleOnParts(of: $0) == .irrelevant
    }
  }

  /// Returns the step with each value that could be set instead, except the values of its rivals.
  private func otherValues(for step: AddressedStep) -> [Step] {
    guard let (name, property, value) = step.step.setting,
      let entity = EntityTable(of: program)[name],
      let attribute = program.model[entity][property].attribute
    else { return [] }
    let taken = [value] + rivals(of: step).compactMap { $0.step.setting?.value }
    let others = [1, 2, 7, 1001].map { attribute.value(numbered: $0) }
    return others.filter { !taken.contains($0) }.map { step.step.setting($0) }
  }

  /// Returns the other steps that set the same property, of any object of the entity, to another
  /// value.
  private func rivals(of step: AddressedStep) -> [AddressedStep] {
    guard let (name, property, value) = step.step.setting else { return [] }
    let entities = EntityTable(of: program)
    var rivals: [AddressedStep] = []
    for other in steps.map(\.step) where !rivals.contains(other) {
      guard let setting = other.step.setting, setting.property == property, setting.value != value,
        entities[setting.name] == entities[name]
      else { continue }
      rivals.append(other)
    }
    return rivals
  }

  private mutating func explainValues() {
    let draft = ProgramEdit(Candidate(program, runner, keeping: target))
    for path in draft.paths {
      let step = draft[path]
      let others = otherValues(for: step)
      guard !others.isEmpty else { continue }
      func isIrrelevant(_ other: Step) -> Bool {
        var changed = draft
        changed.replace(path, with: [AddressedStep(step.context, other)])
        return role(of: changed.programs[0]) == .irrelevant
      }
      let failingCount = others.count(where: isIrrelevant)
      let rivals = rivals(of: step).filter { rival in
        rival.step.setting.map { !isIrrelevant(step.step.setting($0.value)) } ?? false
      }
      values.append(
        ValueRole(
          step: step, triedCount: others.count, failingCount: failingCount,
          failsWithNil: isIrrelevant(step.step.setting(.null)), rivals: rivals))
    }
  }

  /// Varies all irrelevant values at once, because values that do not matter alone may matter
  /// together. Stops after 500 runs, or after 100 failing runs.
  private mutating func varyTogether() {
    let irrelevant = values.filter(\.isIrrelevant)
    guard irrelevant.count > 1 else { return }
    var generator = Generator(seed: 1)
    var (triedCount, failingCount) = (0, 0)
    while triedCount < 500, failingCount < 100 {
      var draft = ProgramEdit(Candidate(program, runner, keeping: target))
      for path in draft.paths {
        let step = draft[path]
        guard let value = irrelevant.first(where: { $0.step == step }) else { continue }
        let others =
          otherValues(for: step) + [step.step]
          + (value.failsWithNil ? [step.step.setting(.null)] : [])
        let other = others[generator.next(below: others.count)]
        draft.replace(path, with: [AddressedStep(step.context, other)])
      }
      triedCount += 1
      if role(of: draft.programs[0]) == .irrelevant { failingCount += 1 }
    }
    variation = Variation(triedCount: triedCount, failingCount: failingCount)
  }

  // MARK: Schedules

  private mutating func explainChoices(_ alternativeCounts: [Int]) {
    guard program.isInterleaved else { return }
    let trial = Candidate(program, runner, keeping: target)
    for (place, count) in zip(program.schedule.indices, alternativeCounts) {
      var roles: [Role] = []
      for choice in 0..<count where choice != Int(program.schedule[place]) {
        var other = program
        other.schedule[place] = UInt32(choice)
        roles.append(roleOnParts(of: other))
      }
      choices.append(ChoiceRole(place: place, step: trial.step(ofChoice: place), roles: roles))
    }
  }

  private mutating func findCommitPoint(limit: Int) {
    var free = program
    free.isInterleaved = true
    let trial = Candidate(free, runner, keeping: target)
    guard trial.outcome.fails(as: target) else { return }
    var prefix: [UInt32] = []
    for step in 0...program.steps.count {
      if step > 0 { prefix += trial.choices(of: step - 1) }
      if let (count, isExhaustive) = schedulesAllFail(from: prefix, in: free, limit: limit) {
        commitPoint = CommitPoint(
          stepCount: step, scheduleCount: count, isExhaustive: isExhaustive)
        return
      }
    }
  }

  /// Tries the schedules that begin with `prefix`, or a sample of 100 if there are more than
  /// `limit`. Returns nil as soon as one schedule avoids the failure.
  private mutating func schedulesAllFail(
    from prefix: [UInt32], in program: Program, limit: Int
  ) -> (count: Int, isExhaustive: Bool)? {
    var candidate = program
    candidate.schedule = prefix
    var mostAlternatives = 2
    for count in 1...limit {
      let outcome = run(candidate)
      mostAlternatives = max(mostAlternatives, outcome.alternativeCounts.max() ?? 0)
      guard outcome.fails(as: target) else { return nil }
      let schedule = outcome.program.schedule
      let place = schedule.indices.dropFirst(prefix.count).last {
        Int(schedule[$0]) + 1 < outcome.alternativeCounts[$0]
      }
      guard let place else { return (count, true) }
      candidate.schedule = Array(schedule[..<place]) + [schedule[place] + 1]
    }
    var generator = Generator(seed: 1)
    let sampleCount = 100
    for _ in 0..<sampleCount {
      // A replay lowers choices that are out of bounds.
      candidate.schedule =
        prefix + (0..<200).map { _ in UInt32(generator.next(below: mostAlternatives)) }
      guard run(candidate).fails(as: target) else { return nil }
    }
    return (sampleCount, false)
  }
}

extension Step {
  fileprivate func setting(_ value: Value) -> Step {
    switch self {
    case .set(let name, let property, _): .set(name, property, value)
    case .setPrimitive(let name, let property, _): .setPrimitive(name, property, value)
    default: self
    }
  }
}
