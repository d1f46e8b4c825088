import Scenario
import Vocabulary

/// The program of a run whose queues overtake each other. Each step waits for its turn.
extension TestWriter {
  /// Returns the statements of the program. If the main queue has blocks, the program runs on a
  /// separate queue while the main thread runs those blocks. Otherwise, the program is the body of
  /// the test.
  mutating func interleavedStatements() throws(Refusal) -> [Statement] {
    let usesMainQueue =
      programDeadlock != nil
      || scenario.contains { step in
        step.step.traits.contains(.enqueues) && stack.needsMainQueue(for: step)
      }
    var body: [Statement] = []
    for index in scenario.items.indices where programDeadlock == nil || index <= rehearsal.lastItem
    {
      item = index
      path = StepPath(indexes: [index])
      body += try interleavedStatements(of: scenario.items[index].step, onMain: !usesMainQueue)
    }
    let ends = endStatements(onMain: !usesMainQueue)
    if !usesMainQueue { return body + ends }
    return [
      .line("let done = expectation(description: \"the program has ended\")"),
      .block(
        "DispatchQueue(label: \"program\").async {\(capture(of: body + ends))",
        (body + ends).caught + [.line("done.fulfill()")]),
      .line("wait(for: [done], timeout: 10)"),
    ]
  }

  /// Returns the statements of a step, which waits for its turn before it enters the queue of its
  /// context.
  private mutating func interleavedStatements(
    of step: AddressedStep, onMain: Bool
  ) throws(Refusal) -> [Statement] {
    let place = Place(onMain: onMain)
    if let waiting = try standstillStatements(step, place: place) { return waiting }
    if programDeadlock != nil, !isOnQueue(step.step) || step.step.isPerformAndWait {
      return try statements(for: step, place: place)
    }
    guard isOnQueue(step.step), step.step.block == nil else {
      return try statements(for: [step], place: place)
    }
    let inner = try statements(for: step, place: place.inside(step.context))
    // A step that opens a gate first holds its queue while it waits.
    if let first = inner.first, first.isSignal { return block(of: step.context, inner) }
    let (entry, exit) = (inner.filter(\.isWait), inner.filter(\.isSignal))
    let rest = inner.filter { !$0.isWait && !$0.isSignal }
    return entry + block(of: step.context, rest) + exit
  }

  /// Returns statements that wait until every block has ended.
  mutating func endStatements(onMain: Bool) -> [Statement] {
    let contexts = stack.contextIDs.filter { context in
      stack[context].automaticallyMergesChangesFromParent
        || overdueContexts.contains(context)
        || scenario.contains { $0.enqueues(on: context) }
    }
    return contexts.map { context in
      // Blocks held up by a deadlock need the main queue.
      if onMain, deadlock != nil || stack.needsMainQueue(context) {
        helpers.insert(.waitForBlocks)
        return .line("waitForBlocks(of: \(names[context]))")
      }
      return .line("\(names[context]).performAndWait {}")
    }
  }
}

extension Step {
  fileprivate var isPerformAndWait: Bool { if case .performAndWait = self { true } else { false } }
}

extension Statement {
  fileprivate var isWait: Bool {
    if case .line(let text) = self {
      text.hasPrefix("turns[") && text.hasSuffix("wait()")
    } else {
      false
    }
  }

  fileprivate var isSignal: Bool {
    if case .line(let text) = self {
      text.hasPrefix("turns[") && text.hasSuffix("signal()")
    } else {
      false
    }
  }
}
