import Foundation

/// Rewrites expressions that need the Objective-C runtime.
extension SourceRewriter {
  /// Rewrites `#selector(self.reload(_:))` as `Selector(Self.reload(_:))`, which does not hold
  /// `self`.
  mutating func rewriteSelector(at index: Int) -> Int {
    guard text(index + 1) == "(" else { return index + 1 }
    let end = end(ofBracketAt: index + 1)
    replace(index..<index + 1, by: "Selector")
    switch text(index + 2).filter({ $0 != "`" }) {
    // A method that compares strings, as in sort descriptors.
    case "NSString": insert("comparing: ", after: index + 1)
    case "self": replace(index + 2..<index + 3, by: "Self")
    case "getter" where text(index + 3) == ":", "setter" where text(index + 3) == ":":
      let name = text(end - 2).filter { $0 != "`" }
      let setter = "set\(name.prefix(1).uppercased())\(name.dropFirst()):"
      replace(
        index + 2..<end - 1, by: "\"\(text(index + 2) == "getter" ? name : setter)\"")
    case let name where name.first { $0 != "_" }?.isLowercase == true:
      replace(index + 2..<index + 3, by: "Self." + text(index + 2))
    default: break
    }
    return end
  }

  /// Rewrites `#keyPath(Note.author.name)` as `"author.name"`.
  mutating func rewriteKeyPath(at index: Int) -> Int {
    guard text(index + 1) == "(" else { return index + 1 }
    let end = end(ofBracketAt: index + 1)
    let names = (index + 2..<max(index + 2, end - 1)).map { text($0) }.filter {
      !["?", "!", "."].contains($0)
    }
    let keys = names.drop { $0.first?.isUppercase == true || $0 == "self" }
    replace(index..<end, by: "\"\(keys.joined(separator: "."))\"")
    return end
  }

  /// Rewrites `"\(#keyPath(Note.title)) == %@"` as `"title == %@"`.
  mutating func rewriteKeyPaths(inTextAt index: Int) {
    let text = text(index)
    guard text.contains("#keyPath(") else { return }
    let hashes = String(text.prefix { $0 == "#" })
    let parts = text.components(separatedBy: "\\\(hashes)(#keyPath(")
    let result = parts.dropFirst().reduce(parts[0]) { result, part in
      guard let end = part.range(of: "))") else { return result + part }
      let names = part[..<end.lowerBound].split(separator: ".").map {
        $0.filter { !"?!` ".contains($0) }
      }
      let keys = names.drop { $0.first?.isUppercase == true || $0 == "self" }
      return result + keys.joined(separator: ".") + part[end.upperBound...]
    }
    if result != text { replace(index..<index + 1, by: result) }
  }

  /// Rewrites `NSManagedObject(entity: note, insertInto: context)` as a call that finds the class
  /// of the entity.
  mutating func nameEntityClass(at index: Int) {
    let isNamed = text(index + 1) == "." && text(index + 2) == "init"
    let open = index + (isNamed ? 3 : 1)
    guard text(open) == "(", isAdjacent(open), text(open + 1) == "entity", text(index - 1) != "."
    else { return }
    let end = end(ofBracketAt: open)
    guard (open..<end).contains(where: { text($0) == "insertInto" }) else { return }
    if isNamed {
      replace(index + 2..<index + 3, by: "ofEntityClass")
    } else {
      insert(".ofEntityClass", after: index)
    }
  }

  /// Rewrites `NSDate()` and `NSUUID()` so that they take values of the run. Rewrites
  /// `Date.timeIntervalSinceReferenceDate` as that property of `Date()`.
  mutating func makeOfRun(at index: Int) {
    if text(index + 1) == ".", isAdjacent(index + 1), text(index) != "NSUUID",
      text(index + 2) == "timeIntervalSinceReferenceDate"
    {
      return replace(index..<index + 1, by: "Date()")
    }
    guard text(index) != "Date" else { return }
    guard text(index + 1) == "(", isAdjacent(index + 1), text(index + 2) == ")" else { return }
    insert("ofRun: ()", after: index + 1)
  }

  /// Rewrites a cast to a fetch request. `request as! NSFetchRequest<Note>` becomes `request ~>!
  /// NSFetchRequest<Note>.self`, with an operator of the same precedence.
  ///
  /// Within the arguments of a macro, which may take operators apart, the cast becomes a call:
  /// `simulatedCast(request, to: NSFetchRequest<Note>.self)`.
  mutating func rewriteCast(at index: Int) -> Int {
    let sign = text(index + 1)
    guard sign == "!" || sign == "?", text(index + 2) == "NSFetchRequest", text(index + 3) == "<"
    else { return index + 1 }
    let end = end(ofArgumentsAt: index + 3)
    let type = typeText(index + 2..<end)
    if isInMacro(index), let start = operandStart(before: index) {
      let name = sign == "?" ? "simulatedCast" : "simulatedForcedCast"
      insert("\(name)(", before: start)
      replace(index..<end, by: ", to: \(type).self)")
    } else {
      replace(index..<end, by: " ~>\(sign) \(type).self")
    }
    return end
  }

  private func typeText(_ range: Range<Int>) -> String {
    range.map { text($0) + (["any", "some"].contains(text($0)) ? " " : "") }.joined()
  }

  /// Returns a Boolean value that indicates whether a token is within the parentheses of a macro,
  /// such as `#require(…)`.
  private func isInMacro(_ index: Int) -> Bool {
    var depth = 0
    for position in (0..<index).reversed() {
      switch text(position) {
      case ")", "]", "}": depth += 1
      case "(", "[", "{":
        depth -= 1
        guard depth < 0 else { continue }
        depth = 0
        let name = text(position - 1)
        if text(position) == "(", name.hasPrefix("#"), name.dropFirst().first?.isLetter == true {
          return true
        }
      default: break
      }
    }
    return false
  }

  /// Returns the first token of the operand that ends before `index`, or `nil` if no operand
  /// exists. The operand has no operators, because casts bind tighter than all operators except
  /// arithmetic ones.
  private func operandStart(before index: Int) -> Int? {
    var (position, depth) = (index - 1, 0)
    while position >= 0 {
      let word = text(position)
      if [")", "]", "}", ">"].contains(word) { depth += 1 }
      if ["(", "[", "{", "<"].contains(word) {
        if depth == 0 { break }
        depth -= 1
      }
      if depth == 0, isBeforeOperand(position) { break }
      position -= 1
    }
    return position + 1 < index ? position + 1 : nil
  }

  /// Returns a Boolean value that indicates whether a token ends before an operand. Such a token is
  /// a comma, the last sign of `==`, `&&` or `??`, or a word such as `try`.
  private func isBeforeOperand(_ index: Int) -> Bool {
    let words: Set<String> = [",", ":", ";", "=", "&", "|", "try", "await", "return", "in"]
    // A question mark after a space is not optional chaining.
    let isOperator =
      text(index) == "?" && (!isAdjacent(index) || text(index - 1) == "?" && !isAdjacent(index - 1))
    return words.contains(text(index)) || isOperator
  }
}
