package import Failures
import Determinism
package import Execution
import PropertyTesting
import SimulatedCoreData
import Vocabulary

/// Looks for the smallest program that fails like a given one.
///
/// Works on what people read: steps, contexts, objects, settings, and the schedule with them.
/// Passes propose edits of the best program so far; an edit is kept if it still shows the failure
/// and `ProgramSize` says that it is smaller. The search ends when no pass finds anything, or when
/// its budget of runs is spent. There is no clock: the same program gives the same result after the
/// same number of runs on every machine.
package struct ProgramShrinker {
  /// What shrinking led to.
  package struct Result {
    /// Of the smallest program that was found.
    package var outcome: Outcome
    package var statistics: ProgramShrinkStatistics
    /// Other failures that were met on the way, each with the first program that showed it.
    package var slips: [Slip]
  }

  /// A failure of another kind that an edit ran into.
  package struct Slip {
    package var failure: FailureSignature
    package var program: Program
  }

  private let runner: ProgramRunner
  let target: FailureSignature
  private let passes: [ProgramPass]
  private let budget: Int
  /// The kinds of steps and the merge policies of the program to shrink.
  private let ownKinds: Set<Step.Kind>
  private let ownPolicies: Set<MergePolicy>
  /// What its steps are about; nil if smaller ones may be about others.
  private let ownSubjects: Set<Subject>?
  /// The kinds of steps that its contexts take, likewise.
  private let ownDeeds: Set<Deed>?
  private var statistics = ProgramShrinkStatistics()
  private var slips: [Slip] = []
  /// A Boolean value that indicates whether failures of other kinds are noted.
  private var notesSlips = true
  private var refusedSlips: [FailureKind: Int] = [:]
  /// Fingerprints of the programs that were run.
  private var tried: Set<Int> = []

  private(set) var best: Candidate
  private(set) var size: ProgramSize
  /// What a smaller program must not have more of than the best one.
  private var blemishes: Blemishes

  /// How many edits in a row a pass may try in vain before others get their turn. A search ends
  /// only after every pass has tried all that it has.
  private static let usualPatience = 20
  private var patience = 0
  private var failuresInARow = 0

  /// An edit that cannot be tried takes time, but none of the budget: a search ends after this many
  /// edits for each program that it may run. Edits of a program with more than `stepsOfAnEdit`
  /// steps count for more.
  private static let editsPerRun = 64
  private static let stepsOfAnEdit = 16

  /// The smallest program found that fails with `target`; `program` itself must.
  ///
  /// - Parameters:
  ///   - budget: How many programs may be run, the first time included.
  ///   - passes: All, except to measure what a pass is worth.
  package static func shrink(
    _ program: Program, keeping target: FailureSignature, _ configuration: RunConfiguration,
    budget: Int = 2_000, passes: [ProgramPass] = ProgramPass.allCases
  ) -> Result {
    precondition(budget > 0, "a budget of \(budget) runs")
    var quick = configuration
    quick.comparesWithReference = false
    let full = ProgramRunner(configuration)
    var spent = 0
    // Most of the cost of a run is the comparison, and an invariant needs none.
    if configuration.comparesWithReference,
      var shrinker = ProgramShrinker(
        program, target, ProgramRunner(quick), budget: budget, passes: passes)
    {
      var result = shrinker.run()
      let outcome = full.run(result.outcome.program)
      result.statistics.executions += 1
      if outcome.fails(as: target) {
        result.outcome = outcome
        // A disagreement ends the run before what is seen without comparing.
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

  /// The program without most of the steps that its failure does not need, found by the proof of
  /// the failure; `program` itself must fail with `target`.
  ///
  /// - Complexity: One to three runs if a slice shows the failure, at most `budget` otherwise.
  package static func slice(
    _ program: Program, keeping target: FailureSignature, _ configuration: RunConfiguration,
    budget: Int = 40
  ) -> Result {
    var quick = configuration
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

  /// Nil if the program does not fail so.
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
    ownDeeds = runner.configuration.keepsSubjects ? program.deeds : nil
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
    // In the last round the cheap passes try everything, too.
    let cheap = passes.filter { !$0.isThorough }
    let schedule = PassSchedule(
      cheap: cheap, last: cheap + passes.filter(\.isThorough), favoursSuccess: true)
    schedule.run { pass, isLast in
      run(pass, patience: isLast ? .max : ProgramShrinker.usualPatience)
    }
    // Names say nothing to the engine.
    let outcome = runner.run(best.program.tidied.withOwnNames)
    return Result(outcome: outcome, statistics: statistics, slips: slips)
  }

  /// True if the pass made the program smaller.
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

  /// Whether a pass should make way for others.
  var shouldYield: Bool { statistics.isCutShort || failuresInARow >= patience }

  /// Whether contexts and stores may be changed, or only be left out: they are generated.
  var isStackGenerated: Bool { runner.configuration.stack == nil }

  /// Runs the best program with a change, and makes that the best if it fails in the same way and
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

  /// Counts an edit by the steps that it may touch, which are those of the best program.
  mutating func countEdit() {
    statistics.editedStepCount += max(ProgramShrinker.stepsOfAnEdit, size.stepCount)
    let limit = budget * ProgramShrinker.editsPerRun * ProgramShrinker.stepsOfAnEdit
    if statistics.editedStepCount > limit { statistics.isCutShort = true }
  }

  /// Several roots are another design: its violations say nothing about one root.
  func hasStackToTry(_ draft: ProgramEdit) -> Bool {
    if draft.stack == best.program.stack { return true }
    return draft.rootCount <= ProgramEdit(best).rootCount
      && runner.configuration.stack.map {
        draft.stack.isPart(of: best.program.stack, declaring: $0.controllers)
      } ?? true
  }

  /// A Boolean value that indicates whether `program` uses only step kinds, merge policies and
  /// subjects that the campaign allows or the original program already used.
  private func isWithinOptions(_ program: Program) -> Bool {
    let configuration = runner.configuration
    return configuration.stepFilter.admits(program.steps, besides: ownKinds)
      && configuration.limits.admit(program.stack, besides: ownPolicies)
      && (ownSubjects.map(program.subjects.isSubset) ?? true)
      && (ownDeeds.map(program.deeds.isSubset) ?? true)
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

  /// Whether no part of a designed stack is missing that would prevent the failure.
  private mutating func isTrueOfTheDesign(_ program: Program, _ target: FailureSignature) -> Bool {
    guard let design = runner.configuration.stack else { return true }
    return program.fails(
      as: target, onTheWholeOf: design, by: runner, counting: &statistics.executions)
  }

  /// Nothing that a design prevents: it is asked a few times for each kind.
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

  /// First of all, and even if it makes the program longer: the other passes see steps where they
  /// are.
  private mutating func inlineEntryPoints() {
    guard !best.program.stack.entryPoints.isEmpty, !best.program.callsForHiddenContexts else {
      return
    }
    var draft = ProgramEdit(best)
    draft.inlineEntryPoints()
    let program = draft.programs[0]
    // What programs do without stays in the entry points.
    guard isWithinOptions(program) else { return }
    statistics.executions += 1
    let trial = Candidate(program, runner, keeping: target)
    guard trial.outcome.fails(as: target), isTrueOfTheDesign(trial.outcome.program, target) else {
      return
    }
    accept(trial, ProgramSize(program, preemptionCount: trial.outcome.preemptionCount))
  }
}
