import Failures
import Execution
import Scenario
import Vocabulary

/// The explanation in a few sentences.
extension Explanation {
  package var text: [String] { stepLines + valueLines + scheduleLines }

  /// The explanation, with the result of varying values together.
  package var wholeText: [String] { stepLines + valueLines + variationLines + scheduleLines }

  private func quoted(_ step: AddressedStep) -> String {
    let text = StepText(
      model: program.model, stack: program.stack, names: program.names, steps: program.steps
    ).text(step)
    return "'" + text.split(separator: " ").joined(separator: " ") + "'"
  }

  private var stepLines: [String] {
    let own = steps.filter { !$0.isStacks }
    let stacks = steps.filter(\.isStacks)
    var sentence = needed(own, singular: "The only step is needed")
    if own.contains(where: { $0.step.step.block != nil }) {
      sentence += ", and each block is a step of its own"
    }
    if !stacks.isEmpty {
      let others =
        failsWithoutIrrelevantStacksSteps
        ? needed(stacks, singular: "The only one is needed") : "Not all are needed"
      sentence +=
        ". Of the stack's own steps, " + others.prefix(1).lowercased() + others.dropFirst()
    }
    let ofDesign = steps.indices.filter { steps[$0].role == .essentialToDesign }.map {
      name(of: $0)
    }
    if !ofDesign.isEmpty {
      sentence +=
        ". On the whole stack, \(list(ofDesign)) \(ofDesign.count == 1 ? "is" : "are") needed as well"
    }
    if performedStepCount > own.count {
      sentence +=
        ". With merges and the steps of the stack, the run performs \(performedStepCount) steps"
    }
    var lines = [sentence + "."]
    for (index, other) in steps.enumerated() {
      switch other.role {
      case .changes(let kinds):
        lines.append("Without \(name(of: index)), a different failure occurs: \(list(kinds)).")
      case .renames(let kinds):
        lines.append("Without \(name(of: index)), the failure has another name: \(list(kinds)).")
      case .irrelevantToOrder:
        lines.append("Without \(name(of: index)), another schedule fails.")
      case .essential, .irrelevant, .essentialToDesign: break
      }
    }
    func names(where isMeant: (StepRole) -> Bool) -> [String] {
      steps.indices.filter { isMeant(steps[$0]) }.map { name(of: $0) }
    }
    lines += names { $0.role == .irrelevant && isNeeded($0) }.map {
      "The program also fails with an empty block instead of \($0)."
    }
    lines += names { isIdle($0) && !$0.isStacks }.map { "The program also fails without \($0)." }
    let ofStack = names { isIdle($0) && $0.isStacks }
    if !ofStack.isEmpty {
      lines.append(
        failsWithoutIrrelevantStacksSteps
          ? "The program also fails without these steps of the stack: \(list(ofStack))."
          : "The program also fails without one of these steps of the stack, but not without all of them: \(list(ofStack, or: true))."
      )
    }
    return lines
  }

  /// Returns the quoted step, such as `'view save'`, or `the second 'view save'` if several steps
  /// are equal.
  private func name(of index: Int) -> String {
    let text = quoted(steps[index].step)
    let same = steps.indices.filter { quoted(steps[$0].step) == text }
    guard same.count > 1, let place = same.firstIndex(of: index) else { return text }
    let ordinals = ["first", "second", "third", "fourth", "fifth"]
    return "the \(place < ordinals.count ? ordinals[place] : "\(place + 1)th") \(text)"
  }

  /// Returns the name of the program step at `index`. In contrast, `steps` also contains the steps
  /// in blocks.
  private func name(ofSubmitted index: Int) -> String {
    func count(_ step: AddressedStep) -> Int {
      1 + (step.step.block ?? []).reduce(0) { $0 + count($1) }
    }
    return name(of: program.steps[..<index].reduce(0) { $0 + count($1) })
  }

  private func list(_ kinds: [FailureKind]) -> String {
    kinds.map(\.name).joined(separator: ", ")
  }

  /// Returns a clause such as `All 3 steps are needed`.
  private func needed(_ steps: [StepRole], singular: String) -> String {
    let count = steps.count(where: isNeeded)
    if count < steps.count {
      return "\(count) of \(steps.count) steps \(count == 1 ? "is" : "are") needed"
    }
    switch count {
    case 1: return singular
    case 2: return "Both steps are needed"
    default: return "All \(count) steps are needed"
    }
  }

  /// Returns a Boolean value that indicates whether the failure needs the step on the parts of the
  /// stack that the program has. A step that is alone in its block counts as needed, because no
  /// block is empty.
  private func isNeeded(_ step: StepRole) -> Bool {
    switch step.role {
    case .essential, .changes: true
    case .irrelevant: isAlone(step.step)
    case .essentialToDesign, .renames, .irrelevantToOrder: false
    }
  }

  private func isIdle(_ step: StepRole) -> Bool {
    step.role == .irrelevant && !isAlone(step.step)
  }

  /// Returns a Boolean value that indicates whether the step is the only step of its block.
  private func isAlone(_ step: AddressedStep) -> Bool {
    program.steps.contains { $0.contains { $0.step.block == [step] } }
  }

  private var valueLines: [String] {
    let irrelevant = values.filter(\.isIrrelevant)
    return irrelevant.map { value in
      let exceptions =
        (value.failsWithNil ? [] : ["nil"]) + value.rivals.map { "the value of \(quoted($0))" }
      return
        "The program also fails with any other value in \(quoted(value.step)) (\(value.triedCount) tried)"
        + (exceptions.isEmpty ? "." : ", but not with \(list(exceptions, or: true)).")
    }
  }

  private var variationLines: [String] {
    guard let variation else { return [] }
    return [
      "With all of these values varied together, \(variation.failingCount) of \(variation.triedCount) runs fail."
    ]
  }

  /// Returns the names of the steps during which the choices were made.
  private func places(of choices: [ChoiceRole]) -> String {
    var places: [(text: String, count: Int)] = []
    for choice in choices {
      let text = choice.step.map(name(ofSubmitted:)) ?? "the end"
      if places.last?.text == text {
        places[places.count - 1].count += 1
      } else {
        places.append((text, 1))
      }
    }
    return list(places.map { $0.count == 1 ? $0.text : "\($0.text) (\($0.count))" })
  }

  private func list(_ texts: [String], or isChoice: Bool = false) -> String {
    texts.count < 2
      ? texts.joined()
      : texts.dropLast().joined(separator: ", ") + (isChoice ? " or " : " and ")
        + texts[texts.count - 1]
  }

  private var scheduleLines: [String] {
    var lines: [String] = []
    let essential = choices.filter { $0.roles.contains { $0 != .irrelevant } }
    if !choices.isEmpty {
      lines.append(
        essential.isEmpty
          ? choices.count == 1
            ? "The scheduler's only choice does not matter."
            : "None of the scheduler's \(choices.count) choices matters alone."
          : (choices.count == 1
            ? "The scheduler's only choice matters: "
            : "Of the scheduler's \(choices.count) choices, \(essential.count) "
              + (essential.count == 1 ? "matters: " : "matter: "))
            + (essential.count == 1 ? "the choice at " : "the choices at ")
            + places(of: essential) + ".")
    }
    guard let point = commitPoint else {
      lines.append("Until the last step, another schedule can avoid the failure.")
      return lines
    }
    let schedules =
      switch (point.isExhaustive, point.scheduleCount) {
      case (true, 1): "there is only one schedule"
      case (true, let count): "all \(count) schedules fail"
      case (false, let count): "all \(count) sampled schedules fail"
      }
    // The whole stack has more schedules.
    func placed(_ sentence: String) -> String {
      isOnPartOfStack
        ? "On these parts of the stack, \(sentence.prefix(1).lowercased())\(sentence.dropFirst())"
        : sentence
    }
    if point.stepCount > 0 {
      let step = name(ofSubmitted: point.stepCount - 1)
      lines.append(
        placed("The failure is certain once \(step) has begun: from then on, \(schedules)."))
    } else if point.scheduleCount > 1 {
      // Virtual time passes only when no lane can run.
      let takesTime = program.stack.timing != Stack.Timing()
      let condition = takesTime ? ", if each lane runs as soon as possible" : ""
      lines.append(placed("No schedule avoids the failure: \(schedules)\(condition)."))
    }
    return lines
  }
}
