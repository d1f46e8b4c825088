import Scenario
import SimulatedCoreData
import Vocabulary

/// Dispatch groups of the app, including waits that never end.
extension TestWriter {
  /// Returns a notification, such as `saved.notify(queue: .global()) { view.perform { … } }`.
  mutating func notification(
    of group: GroupID, _ step: AddressedStep
  ) throws(Refusal) -> [Statement] {
    if interleaving != nil {
      throw refusal(step, "a test cannot control when a group notifies")
    }
    let outer = isConditional
    isConditional = true
    defer { isConditional = outer }
    let steps = step.step.block ?? []
    let body = try statements(for: steps, place: Place(onMain: false, contexts: [step.context]))
    helpers.insert(.blocks)
    let inner = body.caught + [.line("blocks.leave()")]
    let block = Statement.block("\(names[step.context]).perform {\(capture(of: inner))", inner)
    let opening = "\(names[group]).notify(queue: .global()) {\(capture(of: [block]))"
    return [.line("blocks.enter()"), .block(opening, [block])]
  }

  /// A loop that waits until all counted blocks have ended. The loop runs the main run loop,
  /// because some blocks may need the main queue.
  var blocksEnd: Statement {
    .block(
      "while blocks.wait(timeout: .now()) == .timedOut {",
      [.line("RunLoop.current.run(until: Date() + 0.01)")])
  }

  func wait(for group: GroupID) -> [Statement] {
    guard group == endlessGroup else { return [.line("\(names[group]).wait()")] }
    return [
      .comment("A wait without a timeout would never end."),
      .line("XCTAssertEqual(\(names[group]).wait(timeout: .now() + 1), .timedOut)"),
    ]
  }
}

extension Rehearsal {
  /// Returns the group that a lane waits for permanently, or nil if no such group exists. Also
  /// returns nil if several steps wait for the group, because the blocked wait is then ambiguous.
  func endlessGroup(of scenario: Scenario) -> GroupID? {
    guard let group = world.groupAwaitedInVain, scenario.interleave == .inOrder else { return nil }
    var waits = 0
    var calls = 0
    for step in scenario.allSteps {
      _ = step.contains { inner in
        if inner.step == .wait(group) { waits += 1 }
        if case .call(let entry) = inner.step,
          scenario.stack.entryPoints[entry.index].steps.contains(where: { own in
            own.contains { $0.step == .wait(group) }
          })
        {
          calls += 1
        }
        return false
      }
    }
    return waits == 1 && calls <= 1 ? group : nil
  }
}

extension AddressedStep {
  /// A Boolean value that indicates whether this step is, or contains, a notification of a group.
  var isNotified: Bool {
    contains { if case .notify = $0.step { true } else { false } }
  }
}
