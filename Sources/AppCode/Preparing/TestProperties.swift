/// Rewrites the stored properties of an `XCTestCase`. XCTest creates an instance for each test
/// before any test runs, and therefore outside a run. Lazy properties create their initial values,
/// such as a container, in the run of the test, before `setUp`.
extension SourceRewriter {
  /// Makes the properties lazy. Returns the code after the brace of the class that evaluates them,
  /// or `nil` for none.
  mutating func makeLazy(propertiesOfClassAt index: Int, named name: String) -> String? {
    guard classes.mayBeTestCase(name),
      let brace = tokens[index...].firstIndex(where: { $0.text == "{" })
    else { return nil }
    let properties = lazyProperties(in: brace..<end(ofBracketAt: brace))
    for property in properties {
      replace(property.keyword..<property.keyword + 1, by: "lazy var")
    }
    // A nonisolated method cannot access properties of the main actor, and a class of another
    // module may lack the method. Such properties are evaluated at their first use.
    guard !properties.isEmpty, classes.isTestCase(name), !classes.isOfMainActor(name) else {
      return nil
    }
    let uses = properties.map { "_ = \($0.name)" }.joined(separator: "; ")
    return " public override func __makeProperties() { super.__makeProperties(); \(uses) };"
  }

  /// Returns the instance properties whose initial values call something, in order.
  private func lazyProperties(in body: Range<Int>) -> [(keyword: Int, name: String)] {
    var properties: [(keyword: Int, name: String)] = []
    var (depth, conditions) = (0, 0)
    for position in body {
      switch text(position) {
      case "{", "(", "[": depth += 1
      case "}", ")", "]": depth -= 1
      case "#if": conditions += 1
      case "#endif": conditions -= 1
      case "let" where depth == 1 && conditions == 0, "var" where depth == 1 && conditions == 0:
        let words = tokens.words(before: position)
        if words.attributes.isSubset(of: ["objc", "nonobjc"]),
          words.modifiers.isDisjoint(with: SourceRewriter.unlikeStored),
          callsSomething(propertyAt: position)
        {
          properties.append((position, text(position + 1)))
        }
      default: break
      }
    }
    return properties
  }

  /// Modifiers of properties that no instance stores, or that cannot be lazy.
  private static let unlikeStored: Set<String> = [
    "static", "class", "lazy", "weak", "unowned", "override", "nonisolated",
  ]

  /// Returns a Boolean value that indicates whether the property has an initial value that may call
  /// something. A name counts as a call, because it may be a computed property or a lazy global
  /// variable.
  private func callsSomething(propertyAt keyword: Int) -> Bool {
    guard tokens.indices.contains(keyword + 2), tokens[keyword + 1].kind == .word else {
      return false
    }
    var (depth, hasValue, calls) = (0, false, false)
    for position in (keyword + 2)..<tokens.count {
      let word = text(position)
      let goesOn = word == "=" || word.hasPrefix(".") || ["?", ":", "{"].contains(word)
      let isFirstOfValue = text(position - 1) == "="
      if depth == 0, tokens[position].beginsLine, !goesOn, !isFirstOfValue { break }
      switch word {
      case "=" where depth == 0: hasValue = true
      // Several properties in one declaration cannot all be lazy.
      case "," where depth == 0 && [":", "="].contains(text(position + 2)): return false
      case ";" where depth == 0: return calls
      // A computed property.
      case "{" where depth == 0 && !hasValue: return false
      case "(", "{", "[":
        depth += 1
        if hasValue, word != "[" { calls = true }
      case ")", "}", "]":
        depth -= 1
        if depth < 0 { return calls }
      case "true", "false", "nil": break
      case _ where hasValue && tokens[position].kind == .word: calls = true
      case _ where hasValue && tokens[position].kind == .text && word.contains("\\("): calls = true
      default: break
      }
    }
    return calls
  }
}
