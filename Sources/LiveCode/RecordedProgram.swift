package import Execution
package import Failures
import Invariants
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// A run of code as a program, which is replayed, shrunk and printed without the code.
///
/// What the code enqueued are blocks on the queues of contexts and of the app, and the schedule has
/// everything happen in the order of the run. What a program cannot say is left out: what
/// overridden hooks did, and code that observers of merges ran. So whether the program fails as the
/// run does is asked, not assumed.
package struct RecordedProgram {
  package var program: Program { blocks.program }
  /// How it fails.
  package var failures: [FailureSignature] { blocks.failures }
  /// The steps in blocks, as the code enqueued them.
  private let blocks: Outcome
  /// The steps without the blocks, one after the other, which is easier to shrink.
  private let flat: Outcome
  /// Whether all that could be observed in the run happens in the program, in the same order.
  package let isExact: Bool
  private let runner: ProgramRunner

  /// Nil if the run was not recorded.
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
    // Without choices it reads better.
    let inOrder = runner.run(program)
    blocks = inOrder.digest == outcome.digest ? inOrder : outcome
    flat = runner.run(recorded.flatProgram(order))
  }

  /// The program to shrink that shows this failure of the run, and how it fails; nil if none does.
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

  /// The program without the edits of other attributes that the same save lost, if it fails without
  /// them: what is left is about the one that its report names first.
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
  /// The step without steps in its blocks that `isOmitted`; nil if it is one itself.
  fileprivate func without(_ isOmitted: (AddressedStep) -> Bool) -> AddressedStep? {
    if isOmitted(self) { return nil }
    guard let block = step.block else { return self }
    return AddressedStep(context, step.withBlock(block.compactMap { $0.without(isOmitted) }))
  }
}
