import Determinism
package import Execution
package import Failures
import Invariants
import Vocabulary

/// One failing program, to be run with interventions.
///
/// Results are remembered, since several rules try the same intervention. A failure that is not a
/// disagreement needs no reference model.
package final class Experiment {
  package let target: FailureSignature
  package let program: Program
  /// The configuration of the campaign.
  package let configuration: RunConfiguration
  private let quick: RunConfiguration
  private var results: [Intervention: Bool] = [:]
  /// The number of programs that were run.
  package private(set) var executions = 0

  private let scheduleCount: Int

  /// - Parameters:
  ///   - program: A program that fails as `target` under `configuration`.
  ///   - scheduleCount: The number of other schedules under which the failure has to stay away. A
  ///     change that only turns the recorded schedule another way prevents nothing.
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

  /// A Boolean value that indicates whether the intervention changes the program and prevents the
  /// failure, under the recorded schedule and others.
  /// - Complexity: A run, and for interleaved programs one more for each other schedule.
  package func isPrevented(by intervention: Intervention) -> Bool {
    if let known = results[intervention] { return known }
    let isPrevented =
      intervention.applied(to: program, quick).map { changed in
        !fails(changed.program, changed.configuration, tellsSchedules: !intervention.isOfBug)
      } ?? false
    results[intervention] = isPrevented
    return isPrevented
  }

  /// A Boolean value that indicates whether the intervention brings about a kind of failure that
  /// the unchanged program does not show. It then prevents a name, and not a harm.
  func causesOthers(_ intervention: Intervention) -> Bool {
    !newFailureKinds(intervention).isEmpty
  }

  private func newFailureKinds(_ intervention: Intervention) -> [FailureKind] {
    let known = unchanged.failureKinds
    return intervention.applied(to: program, quick).map { changed in
      run(changed.program, changed.configuration).failureKinds.filter { !known.contains($0) }
    } ?? []
  }

  /// A Boolean value that indicates whether the intervention leaves no failure of the target's
  /// invariant in the run. Otherwise the failure only changes its name.
  func leavesNothing(_ intervention: Intervention) -> Bool {
    intervention.applied(to: program, quick).map { changed in
      !run(changed.program, changed.configuration).failures.contains {
        $0.kind.invariant == target.kind.invariant
      }
    } ?? false
  }

  /// A Boolean value that indicates whether the intervention brings about a kind of failed save
  /// that the unchanged program does not show. What comes after that save then has nothing to show.
  func makesSavesFail(_ intervention: Intervention) -> Bool {
    newFailureKinds(intervention).contains {
      $0.invariant?.definition.suspects.scopes.contains(.errorPolicy) == true
    }
  }

  /// The run of the unchanged program.
  private(set) lazy var unchanged = run(program, quick)

  /// The violation of the unchanged program that is the target; nil for a disagreement.
  private(set) lazy var violation = unchanged.violations.first { violation in
    violation.kind == target.kind && target.admits(violation.signature(in: program.stack))
  }

  /// A Boolean value that indicates whether lanes that keep their order prevent the failure, and
  /// some schedule does not show it.
  private(set) lazy var dependsOnOrder =
    isPrevented(by: .keepingOrder)
    && !otherSchedules(of: program, beside: unchanged).allSatisfy { run($0, quick).shows(target) }

  /// A Boolean value that indicates whether the failure stays away under some schedule of the
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
  /// The program under `count` other schedules than that of `outcome`, its run; none if the
  /// scheduler had nothing to choose.
  package func underOtherSchedules(beside outcome: Outcome, count: Int) -> [Program] {
    guard isInterleaved, let most = outcome.alternativeCounts.max() else { return [] }
    var generator = Generator(seed: 1)
    // Choices that are out of bounds are lowered.
    return (0..<count).map { _ in
      var other = self
      other.schedule = outcome.alternativeCounts.map { _ in UInt32(generator.next(below: most)) }
      return other
    }
  }
}

extension Outcome {
  /// A Boolean value that indicates whether the run has a failure of this kind that comes about in
  /// the same ways, in whichever context and by whichever step it shows.
  package func shows(_ target: FailureSignature) -> Bool {
    failures.contains { failure in
      guard failure.kind == target.kind else { return false }
      guard let ways = failure.detail?.ways, let known = target.detail?.ways else { return true }
      return ways.isSubset(of: known)
    }
  }
}
