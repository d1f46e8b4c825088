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
  package let program: Program
  /// How it fails.
  package let failures: [FailureSignature]
  /// The steps without the blocks, one after the other, which is easier to shrink; and how that
  /// fails.
  package let flat: (program: Program, failures: [FailureSignature])
  /// Whether all that could be observed in the run happens in the program, in the same order.
  package let isExact: Bool

  /// Nil if the run was not recorded.
  package init?(_ run: LiveRun, _ configuration: RunConfiguration) {
    guard let recording = run.recording, let trace = run.trace else { return nil }
    guard !run.stack.coordinators.isEmpty else { return nil }
    var blocks = RecordedBlocks(run, recording, trace)
    let program = blocks.program()
    let order = blocks.order()
    let guided = GuidedRun(
      program, configuration, order: order.map(\.due), ignoring: blocks.isForgotten)
    isExact = guided.isExact && !recording.hasMore
    let runner = ProgramRunner(configuration)
    var outcome = runner.run(guided.program)
    // Without choices it reads better.
    let inOrder = runner.run(program)
    if inOrder.digest == outcome.digest { outcome = inOrder }
    (self.program, failures) = (outcome.program, outcome.failures)
    let flat = runner.run(blocks.flatProgram(order))
    self.flat = (flat.program, flat.failures)
  }

  /// The program to shrink that fails in the way of this name, and how; nil if neither does.
  package func failing(as name: String) -> (program: Program, failure: FailureSignature)? {
    if let failure = flat.failures.first(where: { $0.kind.name == name }) {
      return (flat.program, failure)
    }
    return failures.first { $0.kind.name == name }.map { (program, $0) }
  }
}
