import Failures
import Invariants
import ObjectModel
import Prose
import Scenario
import Vocabulary

/// Comments that mark where the run goes wrong and which assertions show it.
extension TestWriter {
  /// The width of comments, which may be deeply nested in blocks.
  private static let remarkWidth = 76

  /// Returns comments on the actions that the statements in `answer` perform.
  mutating func remarks(
    on actions: [ClosedRange<Int>], answer: [Statement]
  ) -> [Statement] {
    func isHere(_ performance: Int) -> Bool { actions.contains { $0.contains(performance) } }
    var lines: [String] = []
    for (index, problem) in problems.enumerated() {
      for remark in problem.proof where isHere(remark.performance) {
        let number = isOfCampaign ? "Step \(remark.step): " : ""
        let line = "\(number)\(remark.text)."
        if !lines.contains(line) { lines.append(line) }
      }
      guard let performance = problem.performance, isHere(performance) else { continue }
      lines.append("\(problem.name): \(problem.sentence)")
      markedProblems.insert(index)
      let isChecked = Statement.lines(answer).contains { $0.contains("XCTAssert") }
      if isChecked, problem.violation.invariant.isShownByAnswer { assertedProblems.insert(index) }
    }
    return lines.flatMap(comment)
  }

  /// Returns the actions of an occurrence of a step. A step of an observer or entry point stands
  /// for all actions that it performed.
  func actions(of step: AddressedStep, at position: Int) -> [ClosedRange<Int>] {
    if isInReaction {
      return rehearsal.bindings.indices.flatMap { item in
        // An equal step of the program is a different step.
        scenario.items[item].step.contains { $0 == step }
          ? [] : rehearsal.actions(of: step, during: item)
      }
    }
    if let interleaving {
      return interleaving.place(of: step, position).map { [$0.actions] } ?? []
    }
    let all = rehearsal.actions(of: step, during: item)
    return all.indices.contains(position) ? [all[position]] : []
  }

  /// Returns comments on violations found at the end of the run. They precede the assertions.
  mutating func closingRemarks() -> [Statement] {
    var lines: [String] = []
    for (index, problem) in problems.enumerated() where !markedProblems.contains(index) {
      lines.append("\(problem.name): \(problem.sentence)")
      markedProblems.insert(index)
    }
    return lines.flatMap(comment)
  }

  // MARK: Assertions

  /// Returns a comment on an assertion about a value of `name`, if a violation caused that value.
  mutating func remark(
    on expectation: Claim.Expectation, of name: ObjectName, in context: ContextID?
  ) -> [Statement] {
    let shown = problems.firstIndex { problem in
      let violation = problem.violation
      guard isAbout(violation.object, name), violation.property == expectation.property else {
        return false
      }
      // A context always has the values that it saved, so these values prove nothing. A stale value
      // proves something only in the context that read it.
      let isShown =
        violation.invariant.isShownByWhatWasSaved
        ? context != violation.context
        : violation.invariant.severity == .isStale && context == violation.context
      guard isShown else { return false }
      guard case .value(let value) = expectation.value, let last = violation.values.last else {
        return true
      }
      return value == last
    }
    return remark(on: shown)
  }

  /// Returns a comment on an assertion about the state of an instance, if a violation caused that
  /// state.
  mutating func remark(on state: Claim.InstanceState, of held: HeldInstance) -> [Statement] {
    let shown = problems.firstIndex { problem in
      let violation = problem.violation
      guard isAbout(violation.object, held.name), violation.context == held.context else {
        return false
      }
      return switch state {
      case .temporary: violation.invariant == .NoTemporaryIDOutlivesItsSave
      case .unregistered:
        violation.invariant == .ReadsDeleteNothing
          || violation.invariant == .ContextsTakeNothingWithThem
      default: false
      }
    }
    return remark(on: shown)
  }

  /// Returns a comment on an assertion about the rows of an entity, if a violation caused a missing
  /// row.
  mutating func remark(onRowsOf entity: EntityID, are rows: [Claim.Designation]) -> [Statement] {
    let shown = problems.firstIndex { problem in
      guard problem.violation.invariant.isShownByMissingRow,
        let object = problem.violation.object, model.entity(object.entity, inherits: entity),
        let name = rehearsal.name(of: object)
      else { return false }
      return !rows.contains(.named(name))
    }
    return remark(on: shown)
  }

  /// Returns a comment on the assertion about hook calls, if an object awakened more than once.
  mutating func remarkOnCalls() -> [Statement] {
    remark(on: problems.firstIndex { $0.violation.invariant == .ObjectsAwakenOnce })
  }

  private mutating func remark(on problem: Int?) -> [Statement] {
    guard let problem else { return [] }
    assertedProblems.insert(problem)
    return [.comment("\(problems[problem].name): the next assertion shows its effect.")]
  }

  private func isAbout(_ object: ObjectID?, _ name: ObjectName) -> Bool {
    object.flatMap(rehearsal.name) == name
  }

  // MARK: The head of the file

  /// Introductory lines for readers of a passing test. Empty if the run has no problem.
  var headLines: [String] {
    guard let first = problems.first else { return [] }
    let text: String
    if endsInDeadlock {
      text =
        "This test passes while the problem exists: it asserts the current behaviour of Core Data. A wait that would "
        + "never end has a timeout, and the test expects it to time out. It fails if that wait ends in time."
    } else if !assertedProblems.isEmpty {
      let names = assertedProblems.sorted().map { "“\(problems[$0].name)”" }
      text =
        "This test passes while the problem exists: it asserts the current behaviour of Core Data. Comments that begin "
        + "with \(names.joined(separator: " or ")) mark the step that shows the problem, and the assertions that "
        + "show its effect. The test fails once Core Data behaves differently."
    } else {
      text =
        "This test passes with the problem, and may pass without it: it performs the steps, but no assertion shows "
        + "the problem. The comment that begins with “\(first.name)” marks the step that shows it."
    }
    return wrapped(text, indentation: 0, width: 96) + [""]
  }

  private var isOfCampaign: Bool { scenario.source?.hasPrefix("seed ") == true }

  private func comment(_ text: String) -> [Statement] {
    wrapped(text, indentation: 0, width: TestWriter.remarkWidth).map { .comment($0) }
  }
}
