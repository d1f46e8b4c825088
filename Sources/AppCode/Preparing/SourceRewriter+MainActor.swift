/// Rewrites test classes that the main actor isolates. Overrides of Apple's `XCTestCase` may
/// declare their isolation. On Linux, its methods are nonisolated, and so are their overrides.
extension SourceRewriter {
  private static let overridden: Set<String> = [
    "setUp", "tearDown", "setUpWithError", "tearDownWithError",
  ]

  /// Wraps the bodies of tests, `setUp` and `tearDown` so that they run as code of the main actor,
  /// on whose thread they already are.
  mutating func isolate(methodsOfClassAt index: Int, named name: String) {
    guard classes.isOfMainActor(name), classes.mayBeTestCase(name),
      let brace = tokens[index...].firstIndex(where: { $0.text == "{" })
    else { return }
    var depth = 0
    for position in brace..<end(ofBracketAt: brace) {
      switch text(position) {
      case "{", "(", "[": depth += 1
      case "}", ")", "]": depth -= 1
      case "func" where depth == 1 && SourceRewriter.overridden.contains(text(position + 1)):
        isolate(methodAt: position, where: "override")
      case "func" where depth == 1 && text(position + 1).hasPrefix("test"):
        isolate(methodAt: position, where: nil)
      default: break
      }
    }
  }

  /// Wraps the body of one method. A test also becomes nonisolated, because XCTest's list of tests
  /// on Linux accepts only nonisolated methods.
  private mutating func isolate(methodAt index: Int, where modifier: String?) {
    let words = tokens.words(before: index)
    guard modifier.map(words.modifiers.contains) ?? true, words.attributes.isEmpty,
      words.modifiers.isDisjoint(with: ["class", "static", "nonisolated"]),
      text(index + 2) == "(", text(index + 3) == ")"
    else { return }
    let canThrow = text(index + 4) == "throws"
    let brace = canThrow ? index + 5 : index + 4
    guard text(brace) == "{" else { return }
    if modifier == nil { insert("nonisolated ", before: index) }
    insert("\(canThrow ? " try" : "") simulatedMainActor {", after: brace)
    insert("} ", before: end(ofBracketAt: brace) - 1)
  }
}
