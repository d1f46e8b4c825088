import Preparing

/// Removes statements: assignments, and calls with unused results.
extension MutantFinder {
  private static let keywords: Set<String> = [
    "let", "var", "func", "return", "if", "guard", "for", "while", "switch", "case", "default",
    "break", "continue", "defer", "do", "repeat", "throw", "import", "struct", "class", "enum",
    "extension", "private", "fileprivate", "package", "public", "static", "mutating", "init",
    "deinit", "subscript", "typealias", "else", "catch", "where", "get", "set", "super", "final",
    "indirect", "protocol", "override", "consuming", "borrowing", "in", "is", "as", "true", "false",
    "nil", "await", "willSet", "didSet", "precedencegroup", "infix", "weak", "unowned", "lazy",
    "assert", "precondition", "assertionFailure", "preconditionFailure", "fatalError",
    "checkInvariants", "nonmutating", "convenience", "required", "associatedtype",
  ]

  mutating func removeStatement(at index: Int) {
    guard tokens[index].kind == .word, beginsStatement(index) else { return }
    let end = end(ofStatementAt: index)
    let last = end - 1
    guard last > index, isRemovable(index..<end) else { return }
    add(
      "removed: \(excerpt(index..<end))", at: index,
      [
        insertion(of: "if activeMutant != \(nextNumber) { ", before: index),
        insertion(of: " }", after: last),
      ])
  }

  private func beginsStatement(_ index: Int) -> Bool {
    guard index > 0, !MutantFinder.keywords.contains(text(index)) else { return false }
    let previous = text(index - 1)
    if !tokens[index].beginsLine {
      // A block on one line, such as `if isOver { stop() }`.
      return previous == "{" && controlsBlock(index - 1) || previous == ":" && beginsCase(index - 1)
    }
    if ["{", "}", ")", "]", ";"].contains(previous) { return true }
    if previous == ":" { return beginsCase(index - 1) }
    if tokens[index - 1].kind == .sign { return previous == "!" || previous == "?" }
    return !["return", "=", "where", "else", "try", "throw", "is", "as"].contains(previous)
  }

  /// Returns a Boolean value that indicates whether the brace belongs to a statement, rather than
  /// to a closure or a declaration.
  private func controlsBlock(_ brace: Int) -> Bool {
    if ["else", "do", "repeat", "defer"].contains(text(brace - 1)) { return true }
    var position = brace - 1
    while position >= 0, tokens[position].line >= tokens[brace].line - 4 {
      switch text(position) {
      case "if", "for", "while": return true
      case "{", "}": return false
      default: position -= 1
      }
    }
    return false
  }

  private func beginsCase(_ colon: Int) -> Bool {
    var position = colon - 1
    while position >= 0 {
      if text(position) == "case" || text(position) == "default" { return true }
      if ["{", "}", "?", "="].contains(text(position)) { return false }
      position -= 1
    }
    return false
  }

  /// Returns the index after the last token of the statement that begins at `index`.
  private func end(ofStatementAt index: Int) -> Int {
    var position = index
    while position < tokens.count {
      let text = text(position)
      if [")", "]", "}", ";"].contains(text) { return position }
      if position > index, tokens[position].beginsLine, !isContinuation(position) {
        return position
      }
      position = ["(", "[", "{"].contains(text) ? end(ofBracketAt: position) : position + 1
    }
    return position
  }

  private func isContinuation(_ index: Int) -> Bool {
    let (token, previous) = (tokens[index], tokens[index - 1])
    if token.kind == .sign { return !["{", "(", "[", "@"].contains(token.text) }
    if ["as", "is"].contains(token.text) { return true }
    return previous.kind == .sign && ![")", "]", "}", "!", "?"].contains(previous.text)
  }

  private func isRemovable(_ statement: Range<Int>) -> Bool {
    var position = statement.lowerBound
    var isAssignment = false
    while position < statement.upperBound {
      switch text(position) {
      case "=", "+=", "-=", "*=", "|=", "&=", "^=": isAssignment = true
      case ":" where position == statement.lowerBound + 1: return false
      default: break
      }
      position =
        ["(", "[", "{"].contains(text(position)) ? end(ofBracketAt: position) : position + 1
    }
    let first = statement.lowerBound
    if isAssignment { return !isInInitializer(first) }
    if text(first) == "self", text(first + 2) == "init" { return false }
    return [")", "}"].contains(text(statement.upperBound - 1))
      && ["(", ".", "?", "[", "!", "{"].contains(text(first + 1)) || text(first) == "try"
  }

  /// Returns a Boolean value that indicates whether the enclosing function is an initializer. An
  /// initializer has to set every property.
  private func isInInitializer(_ index: Int) -> Bool {
    var position = index
    while position >= 0 {
      if text(position) == "func" { return false }
      if text(position) == "init", text(position - 1) != "." { return true }
      position -= 1
    }
    return false
  }

  private func excerpt(_ statement: Range<Int>) -> String {
    let bytes =
      tokens[statement.lowerBound].range
      .lowerBound..<tokens[statement.upperBound - 1].range.upperBound
    let words = String(decoding: source[bytes], as: UTF8.self).split(whereSeparator: \.isWhitespace)
    let text = words.joined(separator: " ")
    return text.count > 60 ? text.prefix(59) + "…" : text
  }
}
