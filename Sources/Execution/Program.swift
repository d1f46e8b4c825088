package import Failures
package import Determinism
package import Generation
package import Invariants
package import ObjectModel
package import SimulatedCoreData
package import SimulatedDispatch
package import Vocabulary

/// Everything that a run was: what a failure is replayed, shrunk and printed from.
package struct Program: Hashable {
  package var model: ObjectModel
  package var stack: Stack
  package var names: [String]
  package var steps: [AddressedStep]
  /// What the scheduler chose where it had a choice; empty for file order.
  package var schedule: [UInt32]
  /// Whether lanes may overtake each other at all.
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

  /// How many steps a reader counts: a block is one besides those in it.
  package var stepCount: Int { steps.reduce(0) { $0 + $1.stepCount } }
}

/// What a run came to.
package struct Outcome {
  package var program: Program
  /// What the program was made of; nil if it was written down.
  package var swarm: Swarm?
  /// Where the run came by, and after how many steps; empty if its program was written down.
  package var stateCoverage = StateCoverage()
  /// By number of steps: how many draws each stream of choices had seen by then.
  package var positions: [Choices.Positions] = []
  /// What chose the next lane; `random` if the schedule was written down.
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
  /// The main-queue occupancy of the whole run, likewise.
  package var mainQueueOccupancy: Int
  /// Whether something waits for a queue that is suspended, and nothing else can happen.
  package var endsSuspended: Bool
  /// How many lanes had something to do.
  package var busyLaneCount: Int
  /// The texts of the promises of the stack for which there were objects to judge.
  package var testedPromises: [String] = []
  /// What other schedules of the program came to, if they were asked.
  package var search: ExhaustiveSearch?
  /// How often a lane was interrupted that could have gone on.
  package var preemptionCount: Int
  /// By choice of the schedule: among how many lanes.
  package var alternativeCounts: [Int]

  /// How the run failed, each failure once, in order of appearance.
  package var failures: [FailureSignature] {
    var result = Execution.failures(of: violations, disagreement, on: program.stack)
    for finding in search?.findings ?? [] where !result.contains(finding.failure) {
      result.append(finding.failure)
    }
    return result
  }

  /// The kinds of its failures, each once, in order of appearance.
  package var failureKinds: [FailureKind] {
    var result: [FailureKind] = []
    for failure in failures where !result.contains(failure.kind) { result.append(failure.kind) }
    return result
  }

  /// The kind of its worst failure, the first of several that are as bad: a defect of Faultline
  /// before all violations. Nil if it has none.
  package var worstFailureKind: FailureKind? {
    failureKinds.enumerated().min { a, b in
      (a.element.severityRank, a.offset) < (b.element.severityRank, b.offset)
    }?.element
  }

  package func fails(as target: FailureSignature) -> Bool {
    failures.contains(where: target.admits)
  }

  /// Whether the engine did what no stack and no quirk explains: it parted from the reference, or
  /// lost a block although nothing waits for a queue to be resumed.
  package var showsDefect: Bool {
    if disagreement != nil { return true }
    // By number: a loop over violations copies them.
    return !endsSuspended
      && violations.indices.contains { violations[$0].invariant == .EveryBlockRuns }
  }

  /// What is special about the run, and how lanes were scheduled.
  package func swarmText(isWhole: Bool) -> String {
    let special = swarm?.text(for: program.stack, isWhole: isWhole) ?? ""
    return (special.isEmpty ? "" : special + "; ") + "schedule: \(scheduling)"
  }

  /// How lanes were scheduled, in words.
  package var scheduling: String { "\(policy.rawValue), \(policy.summary)" }

  /// The program, with a schedule that leads to `target`.
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

/// What reports name a run after.
package func failureKinds(
  of violations: [Violation], _ disagreement: Disagreement?
) -> [FailureKind] {
  var result = disagreement.map { [$0.failureKind] } ?? []
  for violation in violations where !result.contains(violation.kind) {
    result.append(violation.kind)
  }
  return result
}

/// What campaigns count a run on `stack` under.
package func failures(
  of violations: [Violation], _ disagreement: Disagreement?, on stack: Stack
) -> [FailureSignature] {
  var result = disagreement.map { [FailureSignature($0.failureKind)] } ?? []
  // Comparing the sources of signatures is faster than making signatures. A loop over violations,
  // and not over their indices, would copy each.
  var sources: [Violation.SignatureSource] = []
  for index in violations.indices where !sources.contains(violations[index].signatureSource) {
    sources.append(violations[index].signatureSource)
    let signature = violations[index].signature(in: stack)
    if !result.contains(signature) { result.append(signature) }
  }
  return result
}
