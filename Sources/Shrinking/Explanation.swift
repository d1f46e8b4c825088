package import Failures
import Determinism
import Diagnosis
package import Execution
import ObjectModel
package import Vocabulary

/// What of a failing program matters, found by running it again with one thing changed at a time.
package struct Explanation {
  /// What becomes of the failure when a part is missing or another.
  package enum Role: Hashable, Sendable {
    /// Nothing fails any more.
    case essential
    /// It fails in the same way.
    case irrelevant
    /// Nothing fails any more on the whole of a designed stack, though on the parts that the
    /// program has something does.
    case essentialToDesign
    /// Something else fails instead that did not before.
    case changes([FailureKind])
    /// The same invariant is violated, and the failure has another name.
    case renames([FailureKind])
    /// It fails in the same way, under another schedule.
    case irrelevantToOrder
  }

  package struct StepRole {
    package let step: AddressedStep
    package let role: Role
    /// Whether it is one of the stack's: an observer's, or an entry point's.
    package let isStacks: Bool
  }

  /// A step that sets a value, and how many others were tried in its place.
  package struct ValueRole {
    package let step: AddressedStep
    package let triedCount: Int
    package let failingCount: Int
    /// Whether nil does as well; it is not among those that were tried.
    package let failsWithNil: Bool
    /// Other steps that set the same property, whose value it must not have.
    package let rivals: [AddressedStep]

    package var isIrrelevant: Bool { triedCount > 0 && failingCount == triedCount }
  }

  /// A choice of the scheduler, by its place in the schedule, and what becomes of each other one.
  package struct ChoiceRole {
    package let place: Int
    /// The number of the step during which it was made; nil after the last.
    package let step: Int?
    package let roles: [Role]
  }

  /// What came of all values that do not matter, varied at once.
  package struct Variation {
    package let triedCount: Int
    package let failingCount: Int
  }

  /// From where on all schedules fail.
  package struct CommitPoint: Hashable, Sendable {
    /// How many steps of the program have begun and gone as far as they could; 0 is the start.
    package let stepCount: Int
    /// How many schedules were tried from there.
    package let scheduleCount: Int
    /// Whether those are all; a sample otherwise.
    package let isExhaustive: Bool
  }

  package let program: Program
  package let target: FailureSignature
  /// In the order of the program; a block before what is in it.
  package private(set) var steps: [StepRole] = []
  /// Whether it fails without all of the stack's own steps that are irrelevant each alone.
  package private(set) var failsWithoutIrrelevantStacksSteps = true
  package private(set) var values: [ValueRole] = []
  package private(set) var choices: [ChoiceRole] = []
  /// Nil if fewer than two values do not matter.
  package private(set) var variation: Variation?
  /// Nil if up to the last step some schedule avoids the failure.
  package private(set) var commitPoint: CommitPoint?
  /// How many programs were run for this.
  package private(set) var executions = 0

  /// How many steps the run performs: observers, automatic merges and entry points add to those of
  /// the program.
  package let performedStepCount: Int

  private let runner: ProgramRunner
  /// The whole of a designed stack, if the failure is one of it.
  private var design: Stack?
  /// What fails in the program besides.
  private let companions: [FailureKind]

  /// `program` fails with `kind`. Costs some runs for every step, value and choice, for a needed
  /// step of an interleaved program up to 25 more, and for each step up to `scheduleLimit` to look
  /// for the commit point.
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
    // Without a value, a hook may set one: the objects are changed in another way.
    if outcome.fails(as: target.orByHooks) { return .irrelevant }
    let others = outcome.failureKinds.filter { !companions.contains($0) }
    if others.isEmpty { return .essential }
    let isSameHarm = others.allSatisfy { $0.invariant == target.kind.invariant }
    return isSameHarm ? .renames(others) : .changes(others)
  }

  /// A Boolean value that indicates whether one of some other schedules of the program fails.
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
        // The whole stack has its own steps in any case.
        roles.append(path.list == .program ? role(of: candidate) : roleOnParts(of: candidate))
      }
      // Of the schedules that are left, the one that fails decides.
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
    // From the end: what is removed shifts what comes after it.
    for (path, _) in irrelevant.reversed() { without.remove(path) }
    failsWithoutIrrelevantStacksSteps = without.programs.contains {
      roleOnParts(of: $0) == .irrelevant
    }
  }

  /// The values that could be set instead, but for those of its rivals.
  private func otherValues(for step: AddressedStep) -> [Step] {
    guard let (name, property, value) = step.step.setting,
      let entity = EntityTable(of: program)[name],
      let attribute = program.model[entity][property].attribute
    else { return [] }
    let taken = [value] + rivals(of: step).compactMap { $0.step.setting?.value }
    let others = [1, 2, 7, 1001].map { attribute.value(numbered: $0) }
    return others.filter { !taken.contains($0) }.map { step.step.setting($0) }
  }

  /// The other steps that give the same property another value, of whichever object.
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

  /// Parts that do not matter alone may matter together. Up to 500 runs, or until 100 of them fail.
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

  /// All schedules that begin with `prefix`, or where there are more than `limit` a hundred of
  /// them; nil as soon as one avoids the failure.
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
      // Choices that are out of bounds are lowered.
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
