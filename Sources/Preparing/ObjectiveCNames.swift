/// The names that classes of a module have for Objective-C: `@objc(Note)`. Linux has no runtime
/// that knows them, so the prepared module says which they are.
struct ObjectiveCNames {
  /// By name: the class.
  private(set) var classes: [String: String] = [:]

  /// Adds the classes that a source declares outside of other types, for other files to see.
  mutating func collect(_ tokens: [SwiftToken]) {
    var (depth, conditions) = (0, 0)
    for index in tokens.indices {
      switch tokens[index].text {
      case "{": depth += 1
      case "}": depth -= 1
      case "#if": conditions += 1
      case "#endif": conditions -= 1
      case "class" where depth == 0 && conditions == 0:
        guard let type = ModuleClasses.name(ofClassAt: index, tokens),
          tokens[index + 2].text != "<", let name = name(before: index, tokens)
        else { continue }
        classes[name] = type
      default: break
      }
    }
  }

  /// The name in the `@objc(…)` of a class; nil without one, and of a private class.
  private func name(before index: Int, _ tokens: [SwiftToken]) -> String? {
    var position = index - 1
    while position >= 0, !["}", "{", ";"].contains(tokens[position].text), index - position < 32 {
      switch tokens[position].text {
      case "private", "fileprivate": return nil
      case "objc" where position > 0 && tokens[position - 1].text == "@":
        guard position + 3 < index, tokens[position + 1].text == "(",
          tokens[position + 3].text == ")"
        else { return nil }
        return tokens[position + 2].text
      default: position -= 1
      }
    }
    return nil
  }

  /// What the subclass of `SimulatedModules` has of them; nil for nothing.
  var declaration: String? {
    guard !classes.isEmpty else { return nil }
    let pairs = classes.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value).self" }
    return "override public class var classes: [String: AnyClass] { "
      + "[\(pairs.joined(separator: ", "))] }"
  }
}
