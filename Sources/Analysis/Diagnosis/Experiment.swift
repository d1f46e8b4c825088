import Determinism
package import Execution
package import Failures
import Invariants
import Vocabulary

/// A failing program to run with interventions.
///
/// Results are cached, because several rules try the same intervention. The reference model runs
/// only if the failure is a disagreement.
package final class Experiment {
  package let target: FailureSignature
  package let program: Program
  /// The configuration of the campaign.
  package let configuration: RunConfiguration
  private let quick: RunConfiguration
  private var results: [Intervention: Bool] = [:]
  /// The number of program runs so far.
  package private(set) var executions = 0

  private let scheduleCount: Int

  /// Creates an experiment.
  ///
  /// - Parameters:
  ///   - target: The failure to explain.
  ///   - program: A program that fails as `target` under `configuration`.
  ///   - configuration: The configuration of the campaign.
  ///   - scheduleCount: The number of other schedules under which an intervention must also prevent
  ///     the failure. An intervention that only shifts the recorded schedule is no cause.
  package init(
    of target: FailureSignature, in program: Program, _ configuration: RunConfiguration,
    scheduleCount: Int = 24
  ) {
    (self.target, self.program, self.configuration) = (target, program, configuration)
    self.scheduleCount = scheduleCount
    var quick = configuration
    quick.comparesWithReference = target.kind.invariant == nil
    self.quick = quick
  }

  /// Returns a Boolean value that indicates whether the intervention changes the program and
  /// prevents the failure, under the recorded schedule and others.
  ///
  /// - Complexity: One run, and for an interleaved program one more for each other schedule.
  package func isPrevented(by intervention: Intervention) -> Bool {
    if let known = results[intervention] { return known }
    let isPrevented =
      intervention.applied(to: program, quick).map { changed in
        !fails(changed.program, changed.configuration, tellsSchedules: !intervention.isOfBug)
      } ?? false
    results[intervention] = isPrevented
    return isPrevented
  }

  /// Returns a Boolean value that indicates whether the intervention causes a kind of failure that
  /// the unchanged program does not show. Such an intervention only replaces one failure with
  /// another.
  func causesOthers(_ intervention: Intervention) -> Bool {
    !newFailureKinds(intervention).isEmpty
  }

  private func newFailureKinds(_ intervention: Intervention) -> [FailureKind] {
    let known = unchanged.failureKinds
    return intervention.applied(to: program, quick).map { changed in
      run(changed.program, changed.configuration).failureKinds.filter { !known.contains($0) }
    } ?? []
  }

  /// Returns a Boolean value that indicates whether no failure of the target's invariant remains in
  /// the run with the intervention. Otherwise only the kind of the failure changes.
  func leavesNothing(_ intervention: Intervention) -> Bool {
    intervention.applied(to: program, quick).map { changed in
      !run(changed.program, changed.configuration).failures.contains {
        $0.kind.invariant == target.kind.invariant
      }
    } ?? false
  }

  /// Returns a Boolean value that indicates whether the intervention causes a kind of failed save
  /// that the unchanged program does not show. The failed save may hide the target.
  func makesSavesFail(_ intervention: Intervention) -> Bool {
    newFailureKinds(intervention).contains {
      $0.invariant?.definition.suspects.scopes.contains(.errorPolicy) == true
    }
  }

  /// The outcome of the unchanged program.
  private(set) lazy var unchanged = run(program, quick)

  /// The target violation in the run of the unchanged program. Nil for a disagreement.
  private(set) lazy var violation = unchanged.violations.first { violation in
    violation.kind == target.kind && target.admits(violation.signature(in: program.stack))
  }

  /// A Boolean value that indicates whether the failure needs lanes to overtake each other, and
  /// some schedule does not show it.
  private(set) lazy var dependsOnOrder =
    isPrevented(by: .keepingOrder)
    && !otherSchedules(of: program, beside: unchanged).allSatisfy { run($0, quick).shows(target) }

  /// A Boolean value that indicates whether the failure is absent under some schedule of the
  /// program in which lanes may overtake each other.
  var dependsOnSchedule: Bool {
    var free = program
    free.isInterleaved = true
    let outcome = run(free, quick)
    return !outcome.shows(target)
      || otherSchedules(of: free, beside: outcome).contains { !run($0, quick).shows(target) }
  }

  private func run(_ program: Program, _ configuration: RunConfiguration) -> Outcome {
    executions += 1
    return ProgramRunner(configuration).run(program)
  }

  private func fails(
    _ program: Program, _ configuration: RunConfiguration, tellsSchedules: Bool
  ) -> Bool {
    let configuration = configuration.judging(target)
    let outcome = run(program, configuration)
    if outcome.shows(target) { return true }
    return tellsSchedules
      && otherSchedules(of: program, beside: outcome).contains {
        run($0, configuration).shows(target)
      }
  }

  private func otherSchedules(of program: Program, beside outcome: Outcome) -> [Program] {
    program.underOtherSchedules(beside: outcome, count: scheduleCount)
  }
}

extension Program {
  /// Returns the program under `count` random schedules. Returns an empty array if the program is
  /// not interleaved, or if the scheduler had no choice in `outcome`, the run of the program.
  package func underOtherSchedules(beside outcome: Outcome, count: Int) -> [Program] {
    guard isInterleaved, let most = outcome.alternativeCounts.max() else { return [] }
    var generator = Generator(seed: 1)
    // A replay lowers choices that are out of bounds.
    return (0..<count).map { _ in
      var other = self
      other.schedule = outcome.alternativeCounts.map { _ in UInt32(generator.next(below: most)) }
      return other
    }
  }
}

extension Outcome {
  /// Returns a Boolean value that indicates whether the run has a failure of the target's kind. If
  /// both record ways of change, the failure's must be among the target's. The failing context and
  /// step may differ.
  package func shows(_ target: FailureSignature) -> Bool {
    failures.contains { failure in
      guard failure.kind == target.kind else { return false }
      guard let ways = failure.detail?.ways, let known = target.detail?.ways else { return true }
      return ways.isSubset(of: known)
    }
  }
}
