/// An `@objc` method of a migration policy, or of a migration manager, which an expression of a
/// mapping model may call by its selector.
struct CallableMethod {
  /// As `text:of:`.
  let selector: String
  private let name: String
  /// The label of each parameter, `_` for none, and its type.
  private let parameters: [(label: String, type: String)]
  private let canThrow: Bool

  /// The methods in the body of the class whose keyword stands at `index`.
  static func all(ofTypeAt index: Int, _ tokens: [SwiftToken]) -> [CallableMethod] {
    guard let start = tokens[index...].firstIndex(where: { $0.text == "{" }) else { return [] }
    let end = min(tokens.end(ofBracketAt: start), tokens.count)
    var methods: [CallableMethod] = []
    var (depth, conditions) = (0, 0)
    for position in start..<end {
      switch tokens[position].text {
      case "{", "(", "[": depth += 1
      case "}", ")", "]": depth -= 1
      case "#if": conditions += 1
      case "#endif": conditions -= 1
      case "objc" where depth == 1 && conditions == 0 && tokens[position - 1].text == "@":
        if let method = CallableMethod(attributeAt: position, tokens) { methods.append(method) }
      default: break
      }
    }
    return methods
  }

  private init?(attributeAt index: Int, _ tokens: [SwiftToken]) {
    func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }
    var (next, stated) = (index + 1, "")
    if text(next) == "(" {
      let end = tokens.end(ofBracketAt: next)
      stated = (next + 1..<max(next + 1, end - 1)).map { text($0) }.joined()
      next = end
    }
    while SourceRewriter.modifiers.contains(text(next)) {
      if text(next) == "static" || text(next) == "class" || text(next) == "override" { return nil }
      next += 1
    }
    guard text(next) == "func", text(next + 2) == "(" else { return nil }
    let end = tokens.end(ofBracketAt: next + 2)
    guard
      let parameters = CallableMethod.parameters(in: tokens[(next + 3)..<max(next + 3, end - 1)])
    else { return nil }
    name = text(next + 1)
    self.parameters = parameters
    canThrow = text(end) == "throws"
    selector = stated.isEmpty ? CallableMethod.selector(of: name, parameters.map(\.label)) : stated
  }

  /// The selector that Swift gives a method without a stated one.
  private static func selector(of name: String, _ labels: [String]) -> String {
    guard let first = labels.first else { return name }
    let word = first.prefix(1).uppercased() + first.dropFirst()
    let begins = prepositions.contains { first == $0 || startsAnew(first, behind: $0) }
    let stem = first == "_" ? name : name + (begins ? "" : "With") + word
    return ([stem] + labels.dropFirst().map { $0 == "_" ? "" : $0 }).map { "\($0):" }.joined()
  }

  private static let prepositions = [
    "at", "by", "for", "from", "in", "into", "of", "on", "to", "using", "with",
  ]

  /// Whether a word of its own follows a prefix.
  private static func startsAnew(_ label: String, behind prefix: String) -> Bool {
    label.hasPrefix(prefix) && label.dropFirst(prefix.count).first?.isUppercase == true
  }

  /// Nil if one is `inout` or variadic.
  private static func parameters(
    in tokens: ArraySlice<SwiftToken>
  ) -> [(label: String, type: String)]? {
    var parameters: [(label: String, type: String)] = []
    var (label, type) = ("", "")
    var (depth, isName) = (0, true)
    func end() { if !type.isEmpty { parameters.append((label, type)) } }
    for token in tokens {
      switch token.text {
      case "inout", "...", "=": return nil
      case "," where depth == 0:
        end()
        (label, type, isName) = ("", "", true)
        continue
      case ":" where depth == 0 && isName:
        isName = false
        continue
      case "(", "[", "<": depth += 1
      case ")", "]", ">": depth -= 1
      default: break
      }
      if isName {
        if label.isEmpty { label = token.text }
      } else {
        type += token.text == "any" || token.text == "some" ? token.text + " " : token.text
      }
    }
    end()
    return parameters
  }

  /// What a class with these methods gets behind its brace.
  static func override(_ methods: [CallableMethod]) -> String {
    guard !methods.isEmpty else { return "" }
    let cases = methods.map { method in
      let arguments = method.parameters.enumerated().map { index, parameter in
        (parameter.label == "_" ? "" : "\(parameter.label): ")
          + "simulatedArgument(arguments, \(index))"
      }.joined(separator: ", ")
      let call = "\(method.canThrow ? "try? " : "")self.\(method.name)(\(arguments))"
      return "case \"\(method.selector)\": return .some(\(call))"
    }
    return " public override func called(_ selector: String, _ arguments: [Any?]) -> Any?? { "
      + "switch selector { \(cases.joined(separator: "; ")); "
      + "default: return super.called(selector, arguments) } };"
  }
}
