package import Invariants
package import SimulatedCoreData
import SimulatedDispatch
package import Vocabulary

/// A run whose holder hands in the steps one by one, and says which automatic merges come before
/// each. What is left is the program with the schedule that repeats it.
package struct GuidedRun {
  private var run: DifferentialRun
  package private(set) var program: Program
  /// What could be observed, in order.
  package private(set) var events: [Event] = []
  /// The contexts that merge before the program's thread goes on, in order.
  private var merges: [ContextID] = []

  /// `program` has no steps yet.
  package init(_ program: Program, _ configuration: RunConfiguration) {
    precondition(program.steps.isEmpty, "a guided run begins with steps")
    self.program = program
    self.program.isInterleaved = true
    run = DifferentialRun(configuration, self.program)
  }

  package var isOver: Bool { run.isOver }
  package var world: World { run.world }
  package var violations: [Violation] { run.violations }

  /// The next automatic merge of `context` comes before the next step, and after those that were
  /// asked for before.
  package mutating func merge(into context: ContextID) { merges.append(context) }

  /// Performs a step. The program's thread goes on unless it waits for another. What can be
  /// observed of a silent one is left out of `events`.
  package mutating func perform(_ step: AddressedStep, isSilent: Bool = false) {
    guard !run.isOver else { return }
    program.steps.append(step)
    run.submit(step)
    performMerges()
    let count = events.count
    while !run.isOver, !run.world.isDriverIdle {
      let lanes = run.alternatives
      guard !lanes.isEmpty else {
        guard run.wake() else { return }
        continue
      }
      take(lanes.firstIndex(of: run.driver) ?? 0, of: lanes)
    }
    if isSilent { events.removeLast(events.count - count) }
  }

  /// Lets everything that is left go on.
  package mutating func finish() {
    guard !run.isOver else { return }
    run.allowTurnsOfEnd()
    performMerges()
    while !run.isOver {
      let lanes = run.alternatives
      if lanes.isEmpty { if run.wake() { continue } else { return } }
      take(0, of: lanes)
    }
  }

  private mutating func performMerges() {
    for context in merges {
      let lane = run.world.dispatcher.worker(of: run.world.queue(of: context))
      let lanes = run.alternatives
      if let index = lanes.firstIndex(of: lane) { take(index, of: lanes) }
    }
    merges = []
  }

  private mutating func take(_ index: Int, of lanes: [LaneID]) {
    if lanes.count > 1 { program.schedule.append(UInt32(index)) }
    var events: [Event] = []
    run.go(lanes[index]) { events += $1 }
    self.events += events
  }
}
