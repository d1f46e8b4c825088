/// Breaks a long line of Swift at the commas of its outermost call or list.
struct LineWrapping {
  static let width = 100

  /// Returns the indented line, broken into several lines if it does not fit.
  static func lines(_ text: String, indentation: String) -> [String] {
    let line = indentation + text
    guard line.count > width, !text.hasPrefix("//"), let call = Call(text) else { return [line] }
    var lines = [indentation + call.head]
    var current = ""
    for (index, argument) in call.arguments.enumerated() {
      let isLast = index == call.arguments.count - 1
      let part = argument + (isLast ? "" : ",")
      let end = isLast && !call.hasClosure ? call.tail : ""
      if current.isEmpty {
        current = part + end
      } else if (indentation + "  " + current + " " + part + end).count <= width {
        current += " " + part + end
      } else {
        lines += Self.lines(current, indentation: indentation + "  ")
        current = part + end
      }
    }
    lines += Self.lines(current, indentation: indentation + "  ")
    if call.hasClosure { lines.append(indentation + call.tail) }
    return lines
  }

  /// The parts of a call. For `f(a, b) { x in` these are `f(`, `a` and `b`, and `) { x in`.
  private struct Call {
    var head = ""
    var arguments: [String] = []
    var tail = ""
    var hasClosure: Bool { tail.hasSuffix("{") || tail.hasSuffix(" in") }

    /// Returns nil if `text` has no parentheses or brackets, or nothing between them to break.
    init?(_ text: String) {
      var depth = 0
      var isInText = false
      var argument = ""
      var isEscaped = false
      for character in text {
        let isQuote = character == "\"" && !isEscaped
        isEscaped = character == "\\" && !isEscaped
        if isQuote { isInText.toggle() }
        let opens = !isInText && (character == "(" || character == "[" || character == "{")
        let closes = !isInText && (character == ")" || character == "]" || character == "}")
        if closes { depth -= 1 }
        if !tail.isEmpty || closes && depth == 0 && !head.isEmpty && arguments.isEmpty == false
          || closes && depth == 0 && !argument.isEmpty && tail.isEmpty
        {
          if tail.isEmpty { arguments.append(argument) }
          tail.append(character)
        } else if depth == 0 {
          if opens && character == "{" { return nil }
          head.append(character)
        } else if depth == 1, character == ",", !isInText {
          arguments.append(argument)
          argument = ""
        } else if !(argument.isEmpty && character == " ") {
          argument.append(character)
        }
        if opens { depth += 1 }
      }
      if arguments.isEmpty || tail.isEmpty || head.isEmpty { return nil }
    }
  }
}
