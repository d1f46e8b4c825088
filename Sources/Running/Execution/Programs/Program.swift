package import Failures
package import Determinism
package import Generation
package import Invariants
package import ObjectModel
package import SimulatedCoreData
package import SimulatedDispatch
package import Vocabulary

/// A program with its stack and its schedule, from which a failure is replayed, shrunk and printed.
package struct Program: Hashable {
  package var model: ObjectModel
  package var stack: Stack
  package var names: [String]
  package var steps: [AddressedStep]
  /// The choices of the scheduler where it had a choice. Empty for file order.
  package var schedule: [UInt32]
  /// A Boolean value that indicates whether lanes may overtake each other.
  package var isInterleaved: Bool

  package init(
    model: ObjectModel, stack: Stack, names: [String], steps: [AddressedStep],
    schedule: [UInt32] = [], isInterleaved: Bool = false
  ) {
    self.model = model
    self.stack = stack
    self.names = names
    self.steps = steps
    self.schedule = schedule
    self.isInterleaved = isInterleaved
  }

  /// The number of steps as a reader counts them. A block counts as one, in addition to its steps.
  package var stepCount: Int { steps.reduce(0) { $0 + $1.stepCount } }
}

/// The result of a run.
package struct Outcome {
  package var program: Program
  /// The features that were drawn for the program, or `nil` if the program was given.
  package var swarm: Swarm?
  /// The abstract states of the run, each with the first step that reached it. Empty if the program
  /// was given.
  package var stateCoverage = StateCoverage()
  /// The positions in each stream of choices, indexed by the number of steps.
  package var positions: [Choices.Positions] = []
  /// The policy that chose the lanes, or `random` if the schedule was given.
  package var policy: SchedulingPolicy
  package var digest: UInt64
  package var stepCount: Int
  package var wastedStepCount: Int
  /// The rare branches of the engine that the run went through.
  package var marks: MarkSet
  package var disagreement: Disagreement?
  package var violations: [Violation]
  /// The longest main-queue occupancy at a stretch, in milliseconds of virtual time.
  package var longestMainQueueHold: Int
  /// The main-queue occupancy of the whole run, in milliseconds of virtual time.
  package var mainQueueOccupancy: Int
  /// A Boolean value that indicates whether the run ended waiting for a suspended queue.
  package var endsSuspended: Bool
  /// The number of lanes that had work.
  package var busyLaneCount: Int
  /// The texts of the stack's promises for which the run had objects to judge.
  package var testedPromises: [String] = []
  /// The search of all schedules of the program, if the strategy requests one.
  package var search: ExhaustiveSearch?
  /// The number of times a lane was interrupted although it could have continued.
  package var preemptionCount: Int
  /// The number of runnable lanes, indexed by choice of the schedule.
  package var alternativeCounts: [Int]

  /// The failures of the run, each once, in order of appearance.
  package var failures: [FailureSignature] {
    var result = Execution.failures(of: violations, disagreement, on: program.stack)
    for finding in search?.findings ?? [] where !result.contains(finding.failure) {
      result.append(finding.failure)
    }
    return result
  }

  /// The kinds of the failures, each once, in order of appearance.
  package var failureKinds: [FailureKind] {
    var result: [FailureKind] = []
    for failure in failures where !result.contains(failure.kind) { result.append(failure.kind) }
    return result
  }

  /// The kind of the most severe failure, or `nil` without failures. The first wins among equally
  /// severe kinds. A defect of Faultline precedes all violations.
  package var worstFailureKind: FailureKind? {
    failureKinds.enumerated().min { a, b in
      (a.element.severityRank, a.offset) < (b.element.severityRank, b.offset)
    }?.element
  }

  package func fails(as target: FailureSignature) -> Bool {
    failures.contains(where: target.admits)
  }

  /// A Boolean value that indicates whether the engine behaved in a way that no stack and no quirk
  /// explains. It differed from the reference model, or it lost a block although nothing waits for
  /// a suspended queue.
  package var showsDefect: Bool {
    if disagreement != nil { return true }
    // A loop over violations would copy them, so this loop uses indices.
    return !endsSuspended
      && violations.indices.contains { violations[$0].invariant == .EveryBlockRuns }
  }

  /// Returns a text that describes the special features of the run and its scheduling.
  package func swarmText(isWhole: Bool) -> String {
    let special = swarm?.text(for: program.stack, isWhole: isWhole) ?? ""
    return (special.isEmpty ? "" : special + "; ") + "schedule: \(scheduling)"
  }

  /// The scheduling policy, in words.
  package var scheduling: String { "\(policy.rawValue), \(policy.summary)" }

  /// Returns the program, with a schedule that leads to `target`.
  package func program(showing target: FailureSignature) -> Program {
    let isShown = Execution.failures(of: violations, disagreement, on: program.stack)
      .contains(where: target.admits)
    guard !isShown, let finding = search?.findings.first(where: { target.admits($0.failure) })
    else { return program }
    var program = program
    program.isInterleaved = true
    program.schedule = finding.schedule
    return program
  }
}

/// Returns the kinds of a run's failures, each once. The kind of the disagreement comes first.
package func failureKinds(
  of violations: [Violation], _ disagreement: Disagreement?
) -> [FailureKind] {
  var result = disagreement.map { [$0.failureKind] } ?? []
  for violation in violations where !result.contains(violation.kind) {
    result.append(violation.kind)
  }
  return result
}

/// Returns the signatures of a run's failures on `stack`, each once. Campaigns count failures by
/// signature.
package func failures(
  of violations: [Violation], _ disagreement: Disagreement?, on stack: Stack
) -> [FailureSignature] {
  var result = disagreement.map { [FailureSignature($0.failureKind)] } ?? []
  // Comparing the sources of signatures is faster than making signatures. A loop over violations,
  // and not over their indices, would copy each violation.
  var sources: [Violation.SignatureSource] = []
  for index in violations.indices where !sources.contains(violations[index].signatureSource) {
    sources.append(violations[index].signatureSource)
    let signature = violations[index].signature(in: stack)
    if !result.contains(signature) { result.append(signature) }
  }
  return result
}
