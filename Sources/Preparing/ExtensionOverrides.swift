/// Overrides that stand in extensions of a module's own classes: Objective-C finds them there,
/// Swift on Linux only in the class.
///
/// Such a method gets another name, and the class an override that calls it, on the line of its
/// brace. Methods without parameters are treated so: the hooks of a managed object have none.
struct ExtensionOverrides {
  /// A method of an extension.
  struct Override: Hashable {
    let type: String
    /// `public class`, without `override`.
    let modifiers: String
    let name: String
    /// What stands between the parentheses and the body: `throws`, a result.
    let tail: String

    var newName: String { "__extended_\(name)" }

    var forwarding: String {
      let call = tail.contains("throws") ? "try \(newName)()" : "\(newName)()"
      return "\(modifiers)override func \(name)() \(tail){ \(call) }"
    }
  }

  /// Where an override stands, in tokens.
  struct Place {
    let override: Override
    let keyword: Int
    let name: Int
  }

  private var all: [Override] = []
  private var classes: Set<String> = []

  /// Adds what a source has.
  mutating func collect(_ tokens: [SwiftToken]) {
    for index in tokens.indices {
      switch tokens[index].text {
      case "extension":
        all += ExtensionOverrides.places(inExtensionAt: index, tokens).map(\.override)
      case "class":
        if let name = ExtensionOverrides.name(ofClassAt: index, tokens) { classes.insert(name) }
      default: break
      }
    }
  }

  /// Whether the class is one of the module, which can call what its extensions have.
  func hasClass(_ name: String) -> Bool { classes.contains(name) }

  /// What the class gets behind its brace; nil for nothing.
  func forwarding(in type: String) -> String? {
    let own = all.filter { $0.type == type }
    return own.isEmpty ? nil : own.map { " \($0.forwarding)" }.joined()
  }

  // MARK: Tokens

  /// The name of the class that is declared at `index`; nil for `class func` and `: class`.
  static func name(ofClassAt index: Int, _ tokens: [SwiftToken]) -> String? {
    guard tokens.indices.contains(index + 2), tokens[index + 1].kind == .word,
      !SourceRewriter.modifiers.contains(tokens[index + 1].text),
      !["func", "var", "let", "subscript"].contains(tokens[index + 1].text),
      [":", "{", "<", "where"].contains(tokens[index + 2].text)
    else { return nil }
    return tokens[index + 1].text
  }

  static func places(inExtensionAt index: Int, _ tokens: [SwiftToken]) -> [Place] {
    guard tokens.indices.contains(index + 1), tokens[index + 1].kind == .word,
      let start = tokens[index...].firstIndex(where: { $0.text == "{" })
    else { return [] }
    var places: [Place] = []
    var depth = 0
    for position in start..<tokens.count {
      switch tokens[position].text {
      case "{", "(", "[": depth += 1
      case "}", ")", "]": depth -= 1
      case "override" where depth == 1:
        if let place = place(at: position, tokens[index + 1].text, tokens) { places.append(place) }
      default: break
      }
      if depth == 0 { break }
    }
    return places
  }

  /// The method whose `override` stands at `index`.
  private static func place(
    at index: Int, _ type: String, _ tokens: [SwiftToken]
  ) -> Place? {
    func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }
    var first = index
    while SourceRewriter.modifiers.contains(text(first - 1)) { first -= 1 }
    var function = index
    while SourceRewriter.modifiers.contains(text(function)) { function += 1 }
    guard text(function) == "func", text(function + 2) == "(", text(function + 3) == ")",
      let brace = tokens[function...].firstIndex(where: { $0.text == "{" })
    else { return nil }
    let modifiers = (first..<function).map { text($0) }.filter { $0 != "override" }
    let tail = (function + 4..<brace).map { text($0) }
    let override = Override(
      type: type, modifiers: modifiers.map { "\($0) " }.joined(), name: text(function + 1),
      tail: tail.map { "\($0) " }.joined())
    return Place(override: override, keyword: index, name: function + 1)
  }
}
