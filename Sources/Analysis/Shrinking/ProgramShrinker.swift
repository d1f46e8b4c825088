package import Failures
import Determinism
package import Execution
import PropertyTesting
import SimulatedCoreData
import Vocabulary

/// Searches for the smallest program that fails like a given one.
///
/// Shrinks the parts of a program that people read: steps, contexts, objects, settings and the
/// schedule. Passes propose edits of the best program so far. An edit is kept if it still shows the
/// failure and is smaller by `ProgramSize`.
///
/// The search ends when no pass makes progress, or when its budget of runs is spent. No clock is
/// involved: the same program gives the same result after the same number of runs on every machine.
package struct ProgramShrinker {
  package struct Result {
    /// The run of the smallest program found.
    package var outcome: Outcome
    package var statistics: ProgramShrinkStatistics
    /// Other failures that edits caused, each with the first program that showed it.
    package var slips: [Slip]
  }

  /// A failure of another kind that an edit caused.
  package struct Slip {
    package var failure: FailureSignature
    package var program: Program
  }

  private let runner: ProgramRunner
  let target: FailureSignature
  private let passes: [ProgramPass]
  private let budget: Int
  /// The kinds of steps and the merge policies of the original program.
  private let ownKinds: Set<Step.Kind>
  private let ownPolicies: Set<MergePolicy>
  /// The subjects of the original program's steps. Nil if smaller programs may have other subjects.
  private let ownSubjects: Set<Subject>?
  /// The kinds of steps that each context of the original program takes. Nil if smaller programs
  /// may take others.
  private let ownActivities: Set<ContextActivity>?
  private var statistics = ProgramShrinkStatistics()
  private var slips: [Slip] = []
  /// A Boolean value that indicates whether failures of other kinds are recorded.
  private var notesSlips = true
  private var refusedSlips: [FailureKind: Int] = [:]
  /// Fingerprints of the programs that were run.
  private var tried: Set<Int> = []

  private(set) var best: Candidate
  private(set) var size: ProgramSize
  /// The blemishes of the best program. A smaller program must not have more.
  private var blemishes: Blemishes

  /// The number of consecutive unsuccessful runs after which a pass yields to others. A search ends
  /// only after every pass has tried all its edits.
  private static let usualPatience = 20
  private var patience = 0
  private var failuresInARow = 0

  /// The number of edits after which a search ends, for each run of its budget. An edit that is not
  /// run takes time, but none of the budget. Edits of programs with more than `stepsOfAnEdit` steps
  /// count for more.
  private static let editsPerRun = 64
  private static let stepsOfAnEdit = 16

  /// Returns the smallest program found that fails with `target`. `program` itself must fail with
  /// it.
  ///
  /// - Parameters:
  ///   - budget: The maximum number of runs, including the first.
  ///   - passes: The passes to run. Pass a subset only to measure the effect of a pass.
  package static func shrink(
    _ program: Program, keeping target: FailureSignature, _ configuration: RunConfiguration,
    budget: Int = 2_000, passes: [ProgramPass] = ProgramPass.allCases
  ) -> Result {
    precondition(budget > 0, "a budget of \(budget) runs")
    var quick = configuration
    quick.comparesWithReference = false
    let full = ProgramRunner(configuration)
    var spent = 0
    // The comparison with the reference model is most of the cost of a run, and invariants do not
    // need it.
    if configuration.comparesWithReference,
      var shrinker = ProgramShrinker(
        program, target, ProgramRunner(quick), budget: budget, passes: passes)
    {
      var result = shrinker.run()
      let outcome = full.run(result.outcome.program)
      result.statistics.executions += 1
      if outcome.fails(as: target) {
        result.outcome = outcome
        // With the comparison, a disagreement may end the run before a slip shows.
        result.statistics.executions += result.slips.count
        result.slips.removeAll { !full.run($0.program).fails(as: $0.failure) }
        return result
      }
      spent = result.statistics.executions
    }
    guard
      var shrinker = ProgramShrinker(
        program, target, full, budget: max(1, budget - spent), passes: passes)
    else { preconditionFailure("the program to shrink does not fail when it is run again") }
    var result = shrinker.run()
    result.statistics.executions += spent
    return result
  }

  /// Returns the program without most of the steps that the proof of its failure does not need.
  /// `program` itself must fail with `target`.
  ///
  /// - Complexity: One to three runs if a slice shows the failure, at most `budget` otherwise.
  package static func slice(
    _ program: Program, keeping target: FailureSignature, _ configuration: RunConfiguration,
    budget: Int = 40
  ) -> Result {
    var quick = configuration.judging(target)
    quick.comparesWithReference = target.kind.invariant == nil
    guard
      var shrinker = ProgramShrinker(
        program, target, ProgramRunner(quick), budget: budget, passes: [.truncate])
    else { preconditionFailure("the program to slice does not fail when it is run again") }
    shrinker.notesSlips = false
    shrinker.patience = .max
    shrinker.truncate()
    return Result(outcome: shrinker.best.outcome, statistics: shrinker.statistics, slips: [])
  }

  /// Returns nil if the program does not fail as `target`.
  private init?(
    _ program: Program, _ target: FailureSignature, _ runner: ProgramRunner, budget: Int,
    passes: [ProgramPass]
  ) {
    self.runner = runner
    self.target = target
    self.budget = budget
    self.passes = passes
    ownKinds = program.steps.kinds
    ownPolicies = Set(program.stack.contexts.map(\.mergePolicy))
    ownSubjects = runner.configuration.keepsSubjects ? program.subjects : nil
    ownActivities = runner.configuration.keepsSubjects ? program.activities : nil
    statistics.executions = 1
    statistics.executionsToBest = 1
    let trial = Candidate(program, runner, keeping: target)
    guard trial.outcome.fails(as: target) else { return nil }
    best = trial
    size = ProgramSize(trial.program.tidied, preemptionCount: trial.outcome.preemptionCount)
    blemishes = Blemishes(of: trial.program, in: runner.configuration.stack, for: target)
  }

  private mutating func run() -> Result {
    inlineEntryPoints()
    // In the last round the cheap passes try all their edits too.
    let cheap = passes.filter { !$0.isThorough }
    let schedule = PassSchedule(
      cheap: cheap, last: cheap + passes.filter(\.isThorough), favoursSuccess: true)
    schedule.run { pass, isLast in
      run(pass, patience: isLast ? .max : ProgramShrinker.usualPatience)
    }
    // Names have no effect on the engine.
    let outcome = runner.run(best.program.tidied.withOwnNames)
    return Result(outcome: outcome, statistics: statistics, slips: slips)
  }

  /// Runs a pass, and returns whether it made the program smaller.
  private mutating func run(_ pass: ProgramPass, patience: Int) -> Bool {
    self.patience = patience
    failuresInARow = 0
    let before = statistics
    switch pass {
    case .truncate: truncate()
    case .simplifySettings: simplifySettings()
    case .zeroSchedule: zeroSchedule()
    case .dropObjects: dropObjects()
    case .dropContexts: dropContexts()
    case .dropParts: dropParts()
    case .deleteSteps: deleteSteps()
    case .unwrapBlocks: unwrapBlocks()
    case .mergeObjects: mergeObjects()
    case .relateToItself: relateToItself()
    case .mergeContexts: mergeContexts()
    case .reparentContexts: reparentContexts()
    case .weakenSteps: weakenSteps()
    case .postponeSteps: postponeSteps()
    case .simplifyArguments: simplifyArguments()
    case .simplifyEntities: simplifyEntities()
    case .zeroPartOfSchedule: zeroPartOfSchedule()
    case .dropPreemptions: dropPreemptions()
    case .movePreemptions: movePreemptions()
    case .sortSteps: sortSteps()
    case .arrangeContexts: rearrangeContexts()
    case .swapRoles: swapRoles()
    case .insertAbove: insertAbove()
    case .mergeAndSave: mergeAndSave()
    case .mergeAndDelete: mergeAndDelete()
    case .replaceAndDelete: replaceAndDelete()
    }
    statistics.passes[pass.rawValue].tries += statistics.executions - before.executions
    statistics.passes[pass.rawValue].successes += statistics.successes - before.successes
    return statistics.successes > before.successes
  }

  /// A Boolean value that indicates whether the current pass should yield to other passes.
  var shouldYield: Bool { statistics.isCutShort || failuresInARow >= patience }

  /// A Boolean value that indicates whether the stack is generated, so that edits may change its
  /// contexts and stores. Parts of a designed stack can only be removed.
  var isStackGenerated: Bool { runner.configuration.stack == nil }

  /// Runs the best program with a change. Makes it the best program if it fails in the same way and
  /// is smaller.
  @discardableResult mutating func attempt(_ change: (inout ProgramEdit) -> Void) -> Bool {
    var draft = ProgramEdit(best)
    change(&draft)
    return attempt(draft)
  }

  @discardableResult mutating func attempt(_ draft: ProgramEdit) -> Bool {
    countEdit()
    guard draft.isWellFormed, hasStackToTry(draft) else { return false }
    return draft.programs.contains { attempt($0) }
  }

  /// Counts an edit by the number of steps that it may touch, which are the steps of the best
  /// program.
  mutating func countEdit() {
    statistics.editedStepCount += max(ProgramShrinker.stepsOfAnEdit, size.stepCount)
    let limit = budget * ProgramShrinker.editsPerRun * ProgramShrinker.stepsOfAnEdit
    if statistics.editedStepCount > limit { statistics.isCutShort = true }
  }

  /// Returns a Boolean value that indicates whether the edited stack may be tried. An edit must not
  /// add roots, because violations of a design with several roots do not apply to a single root. A
  /// designed stack must stay a part of the design.
  func hasStackToTry(_ draft: ProgramEdit) -> Bool {
    if draft.stack == best.program.stack { return true }
    return draft.rootCount <= ProgramEdit(best).rootCount
      && runner.configuration.stack.map {
        draft.stack.isPart(of: best.program.stack, declaring: $0.controllers)
      } ?? true
  }

  /// Returns a Boolean value that indicates whether `program` uses only step kinds, merge policies
  /// and subjects that the campaign allows or the original program used.
  private func isWithinOptions(_ program: Program) -> Bool {
    let configuration = runner.configuration
    return configuration.stepFilter.admits(program.steps, besides: ownKinds)
      && configuration.limits.admit(program.stack, besides: ownPolicies)
      && (ownSubjects.map(program.subjects.isSubset) ?? true)
      && (ownActivities.map(program.activities.isSubset) ?? true)
  }

  private mutating func attempt(_ program: Program) -> Bool {
    let fingerprint = program.fingerprint
    guard !statistics.isCutShort, size.isGreater(than: program), !tried.contains(fingerprint),
      program.isPerformable, isWithinOptions(program),
      Blemishes(of: program, in: runner.configuration.stack, for: target).areWithin(blemishes)
    else { return false }
    guard statistics.executions < budget else {
      statistics.isCutShort = true
      return false
    }
    tried.insert(fingerprint)
    statistics.executions += 1
    failuresInARow += 1
    let trial = Candidate(program, runner, keeping: target)
    guard trial.outcome.fails(as: target) else {
      for other in trial.outcome.failures
      where notesSlips && other.kind != target.kind
        && !slips.contains(where: { $0.failure.kind == other.kind })
      {
        note(Slip(failure: other, program: program))
      }
      return false
    }
    let newSize = ProgramSize(program, preemptionCount: trial.outcome.preemptionCount)
    guard newSize < size, isTrueOfTheDesign(trial.outcome.program, target) else { return false }
    accept(trial, newSize)
    return true
  }

  /// Returns a Boolean value that indicates whether the failure also occurs on the whole of a
  /// designed stack.
  private mutating func isTrueOfTheDesign(_ program: Program, _ target: FailureSignature) -> Bool {
    guard let design = runner.configuration.stack else { return true }
    return program.fails(
      as: target, onTheWholeOf: design, by: runner, counting: &statistics.executions)
  }

  /// Records `slip` unless the complete design prevents it. After three refusals of a kind,
  /// discards further slips of that kind.
  private mutating func note(_ slip: Slip) {
    let refusals = refusedSlips[slip.failure.kind, default: 0]
    guard refusals < 3 else { return }
    if isTrueOfTheDesign(slip.program, slip.failure) {
      slips.append(slip)
    } else {
      refusedSlips[slip.failure.kind] = refusals + 1
    }
  }

  private mutating func accept(_ trial: Candidate, _ newSize: ProgramSize) {
    statistics.successes += 1
    statistics.executionsToBest = statistics.executions
    failuresInARow = 0
    best = trial
    size = newSize
    blemishes = Blemishes(of: trial.program, in: runner.configuration.stack, for: target)
  }

  /// Replaces calls of entry points with their steps, even if the program becomes longer. The
  /// passes can then edit the steps in place.
  private mutating func inlineEntryPoints() {
    guard !best.program.stack.entryPoints.isEmpty, !best.program.callsForHiddenContexts else {
      return
    }
    var draft = ProgramEdit(best)
    draft.inlineEntryPoints()
    let program = draft.programs[0]
    // Keep the entry points if the options exclude their steps.
    guard isWithinOptions(program) else { return }
    statistics.executions += 1
    let trial = Candidate(program, runner, keeping: target)
    guard trial.outcome.fails(as: target), isTrueOfTheDesign(trial.outcome.program, target) else {
      return
    }
    accept(trial, ProgramSize(program, preemptionCount: trial.outcome.preemptionCount))
  }
}
