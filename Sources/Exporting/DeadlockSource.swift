import Scenario
import Vocabulary

/// A deadlock as a wait that times out: the main thread waits for a block, and what is before the
/// block for the main queue. When the test has waited long enough, it goes on, and so do they.
struct ExpectedDeadlock {
  /// The program's step in which it comes about; there is no later one.
  let item: Int
  /// The `performAndWait` that never returns.
  let step: AddressedStep

  /// Refused if the thread that runs the test would itself hang: in a call of Core Data that takes
  /// a queue, and not for a block of the scenario.
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
        "deadlock", "the thread that runs the test would be one of those that wait for ever")
    }
    self.item = item
    step = stuck
  }
}

extension Rehearsal {
  /// Whether a step in the block of `step` was performed.
  fileprivate func hasBegun(_ step: AddressedStep, during item: Int) -> Bool {
    (step.step.block ?? []).contains { !answers(to: $0, during: item).isEmpty }
  }
}

extension TestWriter {
  /// Whether the step is the one that never returns.
  func isStuck(_ step: AddressedStep) -> Bool {
    step == deadlock?.step && item == deadlock?.item && !isPastDeadlock
  }

  /// The block that never begins, and the wait for it.
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
      .comment("A 'performAndWait' would never return: what is before it needs the main queue."),
      .line("XCTAssertEqual(waited.wait(timeout: .now() + 1), .timedOut)"),
    ]
  }
}
