/// The Objective-C names of a module's classes, such as `Note` in `@objc(Note)`. Linux has no
/// runtime that knows the names, so the prepared module declares them.
struct ObjectiveCNames {
  /// The class, indexed by its Objective-C name.
  private(set) var classes: [String: String] = [:]

  /// Adds the classes that a source declares at the top level and that other files can see.
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

  /// Returns the name in the `@objc(…)` of a class. Returns `nil` without a name, and for a private
  /// class.
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

  /// The declaration of the names in the subclass of `SimulatedModules`, or `nil` for none.
  var declaration: String? {
    guard !classes.isEmpty else { return nil }
    let pairs = classes.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value).self" }
    return "override public class var classes: [String: AnyClass] { "
      + "[\(pairs.joined(separator: ", "))] }"
  }
}
