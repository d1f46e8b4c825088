import Scenario
import Vocabulary

/// A deadlock, exported as a wait that times out. The main thread waits for a block, and work
/// enqueued before that block needs the main queue. After the timeout, the test and the blocked
/// queues continue.
struct ExpectedDeadlock {
  /// The index of the item in which the deadlock occurs. No later item runs.
  let item: Int
  /// The `performAndWait` that never returns.
  let step: AddressedStep

  /// Refuses a deadlock that would block the test's own thread in a call of Core Data. Only a wait
  /// for a block of the scenario can be given a timeout.
  init(_ scenario: Scenario, _ rehearsal: Rehearsal) throws(Refusal) {
    let item = rehearsal.lastItem
    let top = scenario.items[item].step
    let stuck = (top.step.block ?? []).first { step in
      guard case .performAndWait = step.step, step.context != top.context else { return false }
      return !rehearsal.hasBegun(step, during: item)
    }
    guard case .performAndWait = top.step, scenario.stack[top.context].isOnMainQueue, let stuck,
      !scenario.stack[stuck.context].isOnMainQueue, scenario.interleave == .inOrder
    else {
      throw Refusal(
        "deadlock", "the thread that runs the test would take part in the deadlock")
    }
    self.item = item
    step = stuck
  }
}

extension Rehearsal {
  /// Returns whether any step in the block of `step` was performed.
  fileprivate func hasBegun(_ step: AddressedStep, during item: Int) -> Bool {
    (step.step.block ?? []).contains { !answers(to: $0, during: item).isEmpty }
  }
}

extension TestWriter {
  /// Returns whether the step is the `performAndWait` that never returns.
  func isStuck(_ step: AddressedStep) -> Bool {
    step == deadlock?.step && item == deadlock?.item && !isPastDeadlock
  }

  /// Returns the block that never begins, and a wait for it that times out.
  mutating func deadlockStatements(_ step: AddressedStep) throws(Refusal) -> [Statement] {
    isPastDeadlock = true
    let context = step.context
    let body = try statements(
      for: step.step.block ?? [], place: Place(onMain: false, contexts: [context]))
    helpers.insert(.waitForBlocks)
    return [
      .line("let waited = DispatchSemaphore(value: 0)"),
      .block(
        "\(names[context]).perform {\(capture(of: body))",
        body.caught + [.line("waited.signal()")]),
      .comment("'performAndWait' would never return: an earlier block needs the main queue."),
      .line("XCTAssertEqual(waited.wait(timeout: .now() + 1), .timedOut)"),
    ]
  }
}
