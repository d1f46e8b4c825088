import ObjectModel
package import Scenario
package import Vocabulary

/// A scenario exported as a Swift file. The file contains an XCTest test case that depends only on
/// Core Data.
package struct ExportedTest {
  /// The name of the file, such as `ChildPolicyIsIgnoredTests.swift`.
  package let fileName: String
  /// The text of the file.
  package let source: String

  /// Runs the scenario, and writes its steps and their results as a test.
  package init(_ scenario: Scenario) throws(Refusal) {
    try self.init(orders: try scenario.ordersToExport())
  }

  /// Runs the scenario on a simulated system that has `quirks` and no others. Omits claims that do
  /// not hold there.
  package init(_ scenario: Scenario, under quirks: QuirkSet) throws(Refusal) {
    try self.init(orders: scenario.ordersToExport(under: quirks))
  }

  private init(orders: [Scenario]) throws(Refusal) {
    for order in orders.dropLast() {
      if let test = try? ExportedTest(ordered: order) {
        self = test
        return
      }
    }
    guard let last = orders.last else { preconditionFailure("a scenario without an order") }
    try self.init(ordered: last)
  }

  private init(ordered scenario: Scenario) throws(Refusal) {
    let rehearsal = Rehearsal(scenario)
    try rehearsal.checkEnding(of: scenario)
    let scenario =
      rehearsal.isDeadlocked ? scenario.watchingNothing : scenario.claimingFinalState(rehearsal)
    let prefix = capitalized(scenario.swiftName)
    var writer = TestWriter(scenario, rehearsal, typePrefix: prefix)
    if rehearsal.isDeadlocked {
      writer.endlessGroup = rehearsal.endlessGroup(of: scenario)
      if writer.endlessGroup == nil {
        writer.deadlock = try? ExpectedDeadlock(scenario, rehearsal)
        if writer.deadlock == nil { try writer.standStill() }
      }
    } else if scenario.interleave != .inOrder {
      writer.interleaving = try Interleaving(scenario, rehearsal.performances)
    }
    fileName = prefix + "Tests.swift"
    source = try writer.file(prefix + "Tests")
    if let programDeadlock = writer.programDeadlock,
      writer.writtenWaits.count < programDeadlock.waits.count
    {
      throw Refusal("deadlock", "the test cannot delay one of its waits")
    }
  }
}

extension Rehearsal {
  /// Refuses runs that a test cannot reproduce, and runs that never end.
  fileprivate func checkEnding(of scenario: Scenario) throws(Refusal) {
    for performance in performances {
      guard case .wrongQueue = performance.action else { continue }
      let item = scenario.items[performance.item]
      throw Refusal(
        line: item.line == 0 ? nil : item.line, scenario.lineText(item.step),
        "it uses a context outside its queue, which only a debugging option makes visible")
    }
    if isEndless {
      throw Refusal("steps", "they trigger each other forever, and the test would not end")
    }
    if isSuspended { throw Refusal("suspend", "a context's queue cannot be suspended") }
  }
}

extension Scenario {
  /// The scenario without watched events. Notifications and calls of a run that never ends are not
  /// compared.
  fileprivate var watchingNothing: Scenario {
    var result = self
    result.watch = []
    return result
  }

  /// The scenario's name as a Swift identifier, such as `childPolicyIsIgnored`.
  fileprivate var swiftName: String {
    let parts = name.split { !($0.isLetter || $0.isNumber) }.map(String.init)
    guard let first = parts.first else { return "scenario" }
    return decapitalized(first) + parts.dropFirst().map { capitalized($0) }.joined()
  }

  /// Returns the text of a step on one line, without its block.
  func lineText(_ step: AddressedStep) -> String {
    StepText(model: model, stack: stack, names: names, steps: items.map(\.step)).line(step)
  }
}
