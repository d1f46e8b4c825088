import Diagnosis
package import Failures
package import Execution
import Generation
import Vocabulary

/// Makes a failing program as small as possible, and proves its minimality if the budget allows.
///
/// The pipeline shrinks the program and searches for a certificate. Further searches look for the
/// same failure on `CanonicalStacks`, and on stacks with one more context or one fewer observer. If
/// a search finds a smaller program, the pipeline shrinks that program in turn.
package struct ShrinkingPipeline {
  package struct Result {
    /// The run of the smallest program.
    package var outcome: Outcome
    package var certificate: Certificate
    /// Other failures that edits caused, each with the first program that showed it.
    package var slips: [ProgramShrinker.Slip] = []
    /// The number of programs that were run.
    package var executions = 0
    /// A Boolean value that indicates whether the budget ended the last round of shrinking.
    var isCutShort = false
    /// The number of transitions of all searches.
    package var transitions = 0

    /// Creates the result for a program that is not shrunk further, for the reason in `verdict`.
    package init(_ outcome: Outcome, _ verdict: Certificate.Verdict) {
      self.outcome = outcome
      certificate = Certificate(verdict: verdict, stepCount: outcome.program.stepCount)
    }
  }

  /// The failure that an example must show.
  private struct Target {
    let failure: FailureSignature
    /// The cause that the failure must have, or nil for any cause.
    var cause: Cause?
  }

  private let configuration: RunConfiguration
  /// The maximum number of runs in each round of shrinking.
  private let budget: Int
  private let budgets: SearchBudgets
  private let passes: [ProgramPass]
  /// Returns whether to end with the best program so far. Called between the stages.
  private let isOutOfTime: () -> Bool
  /// Performs each search for a smaller program or schedule. A caller can use it to measure the
  /// time of searches.
  package var aroundSearch: (_ search: () -> Void) -> Void = { $0() }
  /// The number of contexts from which on no further context is added.
  private var contextLimit: Int { min(configuration.limits.contextCount, 3) }

  /// Creates a pipeline. Pass a subset of the passes only to measure the effect of a pass.
  package init(
    _ configuration: RunConfiguration, budget: Int = 2_000, budgets: SearchBudgets = .full,
    passes: [ProgramPass] = ProgramPass.allCases, isOutOfTime: @escaping () -> Bool = { false }
  ) {
    self.isOutOfTime = isOutOfTime
    self.configuration = configuration
    (self.budget, self.budgets) = (budget, budgets)
    self.passes = passes
  }

  /// Returns the smallest program found that fails with `target` for `cause`. `program` itself must
  /// fail so.
  ///
  /// The thorough passes, which try pairs of positions and uncommon steps, run on programs that the
  /// search for a certificate could not shrink. A longer search on canonical stacks comes last.
  ///
  /// - Parameter cause: The cause that every smaller program must have. If nil, only programs on
  ///   other stacks must have the cause of the best program so far.
  package func smallest(
    _ program: Program, failingAs target: FailureSignature, because cause: Cause? = nil
  ) -> Result {
    let target = Target(failure: target, cause: cause)
    var best = smallestOfAll(program, target)
    while !isOutOfTime() {
      let schedule = best.outcome.program.schedule
      certifySchedule(of: &best, target)
      if best.outcome.program.schedule == schedule { break }
      // Under another schedule the program may need fewer steps.
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

  /// Returns the program shrunk by the cheap passes only, without a certificate.
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
    // A failure that needs several objects rarely has an equivalent on a canonical stack with one
    // object.
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
      // If no search over common steps was completed, a canonical stack may still have a shorter
      // program.
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

  /// Certifies the program. Returns a smaller program if the search for the certificate found one.
  private func certify(_ result: inout Result, _ target: Target) -> Program? {
    let program = result.outcome.program
    let certified = searched {
      MinimalityProof(configuration, budgets).smallest(program, failingAs: target.failure)
    }
    result.certificate = certified.certificate
    result.transitions += certified.transitionCount
    guard certified.program != program else { return nil }
    if confirms(certified.program, &result, target) { return certified.program }
    // A whole run refutes the shorter program, so nothing is known about programs of its length or
    // longer.
    if certified.certificate.stepCount < program.stepCount {
      result.certificate.verdict = .doubtful(belowSteps: certified.certificate.stepCount)
      result.certificate.stepCount = program.stepCount
    }
    return nil
  }

  /// Returns a smaller program on a canonical stack with the same cause. `budget` applies to each
  /// stack.
  private func meet(_ result: inout Result, _ target: Target, budget: Int) -> Program? {
    withSameCause(as: &result, target) { program, isSuitable in
      MinimalityProof(configuration, budgets).onCanonicalStacks(
        program, failingAs: target.failure, within: configuration.limits, budget: budget,
        where: isSuitable)
    }
  }

  /// Returns a smaller program with the same cause and without one of the observers. Steps of
  /// observers count like steps of the program.
  private func ignoreObservers(_ result: inout Result, _ target: Target) -> Program? {
    if result.outcome.program.stack.observers.isEmpty { return nil }
    return withSameCause(as: &result, target) { program, isSuitable in
      MinimalityProof(configuration, budgets).withoutAnObserver(
        program, failingAs: target.failure, where: isSuitable)
    }
  }

  /// Returns the result of `search`, which receives the best program and a test of whether a
  /// program is smaller with the same cause.
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

  /// Returns a smaller program with the same cause on a stack with one more context.
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

  /// Returns the target, with the cause of the best program if the target has no cause.
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

  /// Searches the schedules of an interleaved program for fewer preemptions, if the search over
  /// programs did not certify that none has fewer.
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

  /// Returns a Boolean value that indicates whether `found` fails in the same way, for the same
  /// cause, and is smaller.
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
  /// Replaces the program with the result of another round of shrinking, and adds its cost.
  fileprivate mutating func shrinkAgain(by next: ShrinkingPipeline.Result) {
    outcome = next.outcome
    certificate = next.certificate
    isCutShort = next.isCutShort
    slips += next.slips
    executions += next.executions
    transitions += next.transitions
  }
}
