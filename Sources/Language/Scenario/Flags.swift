import Prose
import Vocabulary

/// Flags of the app and the conditions of `when` and `unless`.
extension Condition.Question {
  /// The words for all conditions except flags. No flag can have one of these names.
  fileprivate static let written: [(word: String, question: Self)] = [
    ("hasChanges", .hasChanges), ("onMainThread", .onMainThread),
    ("offMainThread", .offMainThread), ("found", .found),
  ]
}

extension Scope {
  /// Reads the declaration of a flag, such as `flag  merging`, after its first word.
  mutating func readFlag(_ line: inout LineReader) throws(TextError) {
    let name = try line.identifier("the name of a flag")
    if Condition.Question.written.contains(where: { $0.word == name }) {
      throw line.error("'\(name)' has another meaning after 'when'; choose another name")
    }
    try check(name, isNewAmong: stack.flags.map(\.name), "flag", line)
    try line.expectEnd()
    stack.flags.append(Stack.Flag(name: name))
  }

  /// Reads the name of a flag after `raise` or `lower`.
  func flag(_ line: inout LineReader) throws(TextError) -> FlagID {
    let name = try line.identifier("the name of a flag")
    if let flag = flag(name) { return flag }
    throw declaredBelow(.flag, name, "declare flags above the contexts", line)
      ?? line.undeclared(
        name,
        stack.flags.isEmpty
          ? "the stack has no flags; write 'flag  \(shortened(name))' above the contexts"
          : unknown("step names flag", name, "the stack has", stack.flags.map(\.name)))
  }

  private func flag(_ name: String) -> FlagID? {
    stack.flags.firstIndex { $0.name == name }.map { FlagID($0) }
  }

  /// Reads the condition after `when` or `unless`: a word of `written`, or the name of a flag.
  func condition(
    isNegated: Bool, _ line: inout LineReader
  ) throws(TextError) -> Condition {
    let word = try line.word("a condition")
    if let known = Condition.Question.written.first(where: { $0.word == word }) {
      return Condition(known.question, isNegated: isNegated)
    }
    if let flag = flag(word) { return Condition(.isRaised(flag), isNegated: isNegated) }
    let words = Condition.Question.written.map(\.word) + stack.flags.map(\.name)
    throw declaredBelow(.flag, word, "declare flags above the contexts", line)
      ?? line.undeclared(word, unknown("no condition", word, "there are", words))
  }
}

extension Spelling {
  func text(_ flag: FlagID) -> String { stack.flags[flag.index].name }

  func text(_ condition: Condition) -> String {
    if let flag = condition.flag { return text(flag) }
    guard let known = Condition.Question.written.first(where: { $0.question == condition.question })
    else { preconditionFailure("\(condition.question) has no word") }
    return known.word
  }
}
