package import Execution
package import Failures
import Invariants
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// A run of code as a program, which is replayed, shrunk and printed without the code.
///
/// Blocks that the code enqueued become blocks on the queues of contexts and of the app. The
/// schedule repeats the order of the run. A program cannot express the work of overridden hooks, or
/// code that observers of merges ran. So the program is run to determine whether it fails as the
/// run does.
package struct RecordedProgram {
  package var program: Program { blocks.program }
  /// The failures of the program.
  package var failures: [FailureSignature] { blocks.failures }
  /// The program with the blocks that the code enqueued.
  private let blocks: Outcome
  /// The program without blocks, step by step, which is easier to shrink.
  private let flat: Outcome
  /// A Boolean value that indicates whether all observable events of the run occur in the program,
  /// in the same order.
  package let isExact: Bool
  private let runner: ProgramRunner

  /// Returns nil if the run was not recorded, or has no coordinator.
  package init?(_ run: LiveRun, _ configuration: RunConfiguration) {
    guard let recording = run.recording, let trace = run.trace else { return nil }
    guard !run.stack.coordinators.isEmpty else { return nil }
    var recorded = RecordedBlocks(run, recording, trace)
    let program = recorded.program()
    let order = recorded.order()
    let guided = GuidedRun(
      program, configuration, order: order.map(\.due), ignoring: recorded.isForgotten)
    isExact = guided.isExact && !recording.hasMore
    runner = ProgramRunner(configuration)
    let outcome = runner.run(guided.program)
    // A program without a schedule is easier to read.
    let inOrder = runner.run(program)
    blocks = inOrder.digest == outcome.digest ? inOrder : outcome
    flat = runner.run(recorded.flatProgram(order))
  }

  /// Returns the program to shrink that shows this failure of the run, and the failure's signature
  /// there. Returns nil if no program shows the failure.
  package func failing(as failure: LiveFailure) -> (program: Program, failure: FailureSignature)? {
    guard case .violation(let kind) = failure.kind else { return nil }
    for outcome in [flat, blocks] {
      let own = outcome.failures.filter { $0.kind == kind }
      guard let found = own.first(where: { failure.signature?.admits($0) == true }) ?? own.first
      else { continue }
      return (narrowed(outcome, to: found), found)
    }
    return nil
  }

  /// Returns the program without the edits of other attributes that the same save lost, if it still
  /// fails. The remaining program is about the attribute that its report names first.
  private func narrowed(_ outcome: Outcome, to failure: FailureSignature) -> Program {
    let (program, stack) = (outcome.program, outcome.program.stack)
    let shown = outcome.violations.first { failure.admits($0.signature(in: stack)) }
    guard let shown else { return program }
    let losses = outcome.violations.ofOneSave(with: shown, in: program.model)
    let names = losses[0].names.filter { $0.object == losses[0].object }.map(\.name)
    let others = losses.dropFirst().map(\.property)
    if others.isEmpty { return program }
    var narrow = program
    narrow.steps = program.steps.compactMap { step in
      step.without { inner in
        guard case .set(let name, let property, _) = inner.step else { return false }
        return names.contains(name) && others.contains(property)
      }
    }
    return runner.run(narrow).fails(as: failure) ? narrow : program
  }
}

extension AddressedStep {
  /// Returns the step without the omitted steps in its blocks, or nil if the step itself is
  /// omitted.
  fileprivate func without(_ isOmitted: (AddressedStep) -> Bool) -> AddressedStep? {
    if isOmitted(self) { return nil }
    guard let block = step.block else { return self }
    return AddressedStep(context, step.withBlock(block.compactMap { $0.without(isOmitted) }))
  }
}
