import Diagnosis
package import Failures
package import Execution
import Generation
import Vocabulary

/// Makes a failing program as small as it can be, and proves it where the budget allows: shrinks
/// it, looks for the same failure on the stacks that every app knows (`CanonicalStacks`), has the
/// result certified, and shrinks again what that search finds to be smaller, or a search on a stack
/// with one context more, or with an observer less.
package struct ShrinkingPipeline {
  package struct Result {
    /// Of the smallest program.
    package var outcome: Outcome
    package var certificate: Certificate
    /// Other failures that were met on the way, each with the first program that showed it.
    package var slips: [ProgramShrinker.Slip] = []
    /// How many programs were run.
    package var executions = 0
    /// Whether the last round of shrinking would have gone on with a greater budget.
    var isCutShort = false
    /// How many steps the searches for certificates took.
    package var transitions = 0

    /// A program that is not shrunk any further, and why.
    package init(_ outcome: Outcome, _ verdict: Certificate.Verdict) {
      self.outcome = outcome
      certificate = Certificate(verdict: verdict, stepCount: outcome.program.stepCount)
    }
  }

  /// How a program has to fail to be an example of one failure.
  private struct Target {
    let failure: FailureSignature
    /// Nil as long as any cause will do.
    var cause: Cause?
  }

  private let configuration: RunConfiguration
  /// How many runs each round of shrinking may take.
  private let budget: Int
  private let budgets: SearchBudgets
  private let passes: [ProgramPass]
  /// Whether to end with the best program so far. Asked between the stages.
  private let isOutOfTime: () -> Bool
  /// Does each search for a smaller program or schedule, so that its time can be told.
  package var aroundSearch: (_ search: () -> Void) -> Void = { $0() }
  /// Programs with so many contexts get no more.
  private var contextLimit: Int { min(configuration.limits.contextCount, 3) }

  /// `passes` are all, except to measure what a pass is worth.
  package init(
    _ configuration: RunConfiguration, budget: Int = 2_000, budgets: SearchBudgets = .full,
    passes: [ProgramPass] = ProgramPass.allCases, isOutOfTime: @escaping () -> Bool = { false }
  ) {
    self.isOutOfTime = isOutOfTime
    self.configuration = configuration
    (self.budget, self.budgets) = (budget, budgets)
    self.passes = passes
  }

  /// The smallest program found that fails with `target` for `cause`; `program` itself must.
  ///
  /// The thorough passes come late, on what the search for a certificate could not shrink:
  /// they try pairs of places, and steps that are neither the program's own nor common ones. Last
  /// is a longer search on canonical stacks.
  ///
  /// - Parameter cause: The cause that every smaller program must have. Nil asks it only of
  ///   programs on other stacks, which must have the cause of the best program by then.
  package func smallest(
    _ program: Program, failingAs target: FailureSignature, because cause: Cause? = nil
  ) -> Result {
    let target = Target(failure: target, cause: cause)
    var best = smallestOfAll(program, target)
    while !isOutOfTime() {
      let schedule = best.outcome.program.schedule
      certifySchedule(of: &best, target)
      if best.outcome.program.schedule == schedule { break }
      // Under another schedule it may need fewer steps.
      let again = smallestOfAll(best.outcome.program, target)
      guard again.outcome.size < best.outcome.size else {
        best.executions += again.executions
        best.transitions += again.transitions
        break
      }
      best.shrinkAgain(by: again)
    }
    if best.isCutShort { best.certificate.exhaustedBudget = budget }
    best.certificate.isOfParts =
      configuration.stack.map { best.outcome.program.stack.isLess(than: $0) } ?? false
    return best
  }

  /// The program shrunk in a hurry, by the passes that are cheap; no certificate is searched.
  package func shrunk(_ program: Program, failingAs target: FailureSignature) -> Result {
    var result = shrink(program, Target(failure: target), passes.filter { !$0.isThorough })
    result.certificate.verdict = .unsearched
    return result
  }

  private func searched<Found>(_ search: () -> Found) -> Found {
    var found: Found?
    aroundSearch { found = search() }
    guard let found else { preconditionFailure("a search is left out") }
    return found
  }

  private func smallestOfAll(_ program: Program, _ target: Target) -> Result {
    var passes = self.passes.filter { !$0.isThorough }
    var (isThorough, hasMet) = (false, false)
    var best = shrink(program, target, passes)
    // What takes several objects is seldom met with one.
    if best.outcome.program.steps.flatMap(\.insertedNames).count < 2,
      let smaller = meet(&best, target, budget: budgets.anotherStack)
    {
      best.shrinkAgain(by: shrink(smaller, target, passes))
    }
    while !isOutOfTime() {
      if let smaller = certify(&best, target) ?? widen(&best, target)
        ?? ignoreObservers(&best, target)
      {
        best.shrinkAgain(by: shrink(smaller, target, passes))
        continue
      }
      let (size, certificate) = (best.outcome.size, best.certificate)
      if certificate.isComplete && certificate.isWide { return best }
      if !isThorough {
        isThorough = true
        passes = self.passes
        best.shrinkAgain(by: shrink(best.outcome.program, target, passes))
        if best.outcome.size < size { continue }
        best.certificate = certificate
      }
      // Where no search over common steps came to its end, a shorter program may still be known.
      if hasMet { return best }
      hasMet = true
      guard let smaller = meet(&best, target, budget: budgets.canonicalStack) else { return best }
      best.shrinkAgain(by: shrink(smaller, target, passes))
    }
    return best
  }

  private func shrink(_ program: Program, _ target: Target, _ passes: [ProgramPass])
    -> Result
  {
    let shrunk = ProgramShrinker.shrink(
      program, keeping: target.failure, configuration, budget: budget, passes: passes)
    // A shorter program with another cause is an example of another failure.
    let isSame = target.cause == nil || hasCause(shrunk.outcome.program, target)
    let outcome = isSame ? shrunk.outcome : ProgramRunner(configuration).run(program)
    var result = Result(outcome, .open(belowSteps: 0))
    result.slips = shrunk.slips
    result.executions = shrunk.statistics.executions
    result.isCutShort = shrunk.statistics.isCutShort
    return result
  }

  /// Another program that is smaller, if the search for the certificate came to one.
  private func certify(_ result: inout Result, _ target: Target) -> Program? {
    let program = result.outcome.program
    let certified = searched {
      MinimalityProof(configuration, budgets).smallest(program, failingAs: target.failure)
    }
    result.certificate = certified.certificate
    result.transitions += certified.transitionCount
    guard certified.program != program else { return nil }
    if confirms(certified.program, &result, target) { return certified.program }
    // What the search took for shorter is not the same failure: nothing is known from there on.
    if certified.certificate.stepCount < program.stepCount {
      result.certificate.verdict = .doubtful(belowSteps: certified.certificate.stepCount)
      result.certificate.stepCount = program.stepCount
    }
    return nil
  }

  /// A smaller program on a canonical stack with the same cause, with `budget` transitions for each
  /// stack.
  private func meet(_ result: inout Result, _ target: Target, budget: Int) -> Program? {
    withSameCause(as: &result, target) { program, isSuitable in
      MinimalityProof(configuration, budgets).onCanonicalStacks(
        program, failingAs: target.failure, within: configuration.limits, budget: budget,
        where: isSuitable)
    }
  }

  /// A smaller program with the same cause and without an observer, whose steps count as the
  /// program's do.
  private func ignoreObservers(_ result: inout Result, _ target: Target) -> Program? {
    if result.outcome.program.stack.observers.isEmpty { return nil }
    return withSameCause(as: &result, target) { program, isSuitable in
      MinimalityProof(configuration, budgets).withoutAnObserver(
        program, failingAs: target.failure, where: isSuitable)
    }
  }

  /// What `search` comes to, given what to look at and what counts as smaller.
  private func withSameCause(
    as result: inout Result, _ target: Target,
    _ search: (Program, (Program) -> Bool) -> (program: Program?, transitionCount: Int)
  ) -> Program? {
    var current = result
    let target = fixed(target, by: result)
    let (found, spent) = searched {
      search(result.outcome.program) { confirms($0, &current, target) }
    }
    result.transitions += spent
    result.executions = current.executions
    return found
  }

  /// A smaller program with the same cause on a stack of one context more.
  private func widen(_ result: inout Result, _ target: Target) -> Program? {
    guard result.outcome.program.stack.contexts.count < contextLimit else { return nil }
    let (found, spent) = searched {
      MinimalityProof(configuration, budgets).withAnotherContext(
        result.outcome.program, failingAs: target.failure)
    }
    result.transitions += spent
    guard let found, confirms(found, &result, fixed(target, by: result)) else { return nil }
    return found
  }

  /// The target with the cause of the best program, if it has none of its own.
  private func fixed(_ target: Target, by result: Result) -> Target {
    let cause = target.cause ?? cause(of: target, in: result.outcome.program)
    return Target(failure: target.failure, cause: cause)
  }

  private func cause(of target: Target, in program: Program) -> Cause? {
    Experiment(of: target.failure, in: program, configuration).cause
  }

  private func hasCause(_ program: Program, _ target: Target) -> Bool {
    guard let wanted = target.cause, let cause = cause(of: target, in: program) else {
      return target.cause == nil
    }
    let kind = target.failure.kind
    return FailureIdentity(kind, cause).agrees(with: FailureIdentity(kind, wanted))
  }

  /// What the search over programs could not say of a program whose lanes overtake each other: that
  /// no schedule of fewer preemptions will do.
  private func certifySchedule(of result: inout Result, _ target: Target) {
    let program = result.outcome.program
    guard program.isInterleaved, result.certificate.verdict != .minimal else { return }
    let reordered = searched {
      MinimalityProof(configuration, budgets).withFewestPreemptions(
        program, failingAs: target.failure)
    }
    result.transitions += reordered.transitionCount
    guard let found = reordered.program else { return }
    let outcome = ProgramRunner(configuration).run(found)
    result.executions += 1
    guard outcome.fails(as: target.failure), isTrueOfTheDesign(outcome.program, &result, target)
    else { return }
    if outcome.size < result.outcome.size { result.outcome = outcome }
    result.certificate.scheduleStateCount = reordered.stateCount
  }

  /// Whether a run shows that `found` fails in the same way and for the same cause, and is smaller.
  private func confirms(_ found: Program, _ result: inout Result, _ target: Target)
    -> Bool
  {
    let outcome = ProgramRunner(configuration).run(found)
    result.executions += 1
    guard outcome.fails(as: target.failure), outcome.size < result.outcome.size else {
      return false
    }
    return isTrueOfTheDesign(outcome.program, &result, target)
      && hasCause(outcome.program, target)
  }

  private func isTrueOfTheDesign(
    _ program: Program, _ result: inout Result, _ target: Target
  ) -> Bool {
    guard let design = configuration.stack else { return true }
    return program.fails(
      as: target.failure, onTheWholeOf: design, by: ProgramRunner(configuration),
      counting: &result.executions)
  }
}

extension ShrinkingPipeline.Result {
  /// Gives way to what another round of shrinking came to, at the cost of both.
  fileprivate mutating func shrinkAgain(by next: ShrinkingPipeline.Result) {
    outcome = next.outcome
    certificate = next.certificate
    isCutShort = next.isCutShort
    slips += next.slips
    executions += next.executions
    transitions += next.transitions
  }
}
