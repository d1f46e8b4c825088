/// An `@objc` method of a migration policy or migration manager, which expressions of a mapping
/// model may call by its selector.
struct CallableMethod {
  /// The selector, such as `text:of:`.
  let selector: String
  private let name: String
  /// The label of each parameter, `_` for none, and its type.
  private let parameters: [(label: String, type: String)]
  private let canThrow: Bool
  private let isPrivate: Bool

  /// Returns the methods in the body of the class or extension whose keyword is at `index`. An
  /// extension may be in another file, so only methods visible to the class are returned.
  static func all(
    ofTypeAt index: Int, isExtension: Bool = false, _ tokens: [SwiftToken]
  ) -> [CallableMethod] {
    if isExtension, index > 0, tokens[index - 1].text.hasSuffix("private") { return [] }
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
        guard let method = CallableMethod(attributeAt: position, tokens),
          !isExtension || !method.isPrivate
        else { continue }
        methods.append(method)
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
    while SourceRewriter.modifiers.contains(text(next)) { next += 1 }
    guard text(next) == "func", text(next + 2) == "(" else { return nil }
    // Some modifiers may precede the attribute.
    let modifiers = tokens.words(before: next).modifiers
    guard modifiers.isDisjoint(with: ["static", "class", "override"]) else { return nil }
    let end = tokens.end(ofBracketAt: next + 2)
    guard
      let parameters = CallableMethod.parameters(in: tokens[(next + 3)..<max(next + 3, end - 1)])
    else { return nil }
    name = text(next + 1)
    self.parameters = parameters
    // An asynchronous method has a completion handler, which expressions cannot pass.
    if text(end) == "async" { return nil }
    canThrow = text(end) == "throws"
    isPrivate = modifiers.contains { $0.hasSuffix("private") }
    let labels = parameters.map(\.label)
    selector =
      stated.isEmpty ? CallableMethod.selector(of: name, labels, canThrow: canThrow) : stated
  }

  /// Returns the selector that Swift gives a method without a declared selector. A throwing method
  /// has a parameter for the error after the arguments.
  private static func selector(
    of name: String, _ labels: [String], canThrow: Bool
  ) -> String {
    guard let first = labels.first else { return canThrow ? "\(name)AndReturnError:" : name }
    let word = first.prefix(1).uppercased() + first.dropFirst()
    let isJoined = prepositions.contains(firstWord(of: first)) || endsInPreposition(name)
    let stem = first == "_" ? name : name + (isJoined ? "" : "With") + word
    let others = labels.dropFirst().map { $0 == "_" ? "" : $0 } + (canThrow ? ["error"] : [])
    return ([stem] + others).map { "\($0):" }.joined()
  }

  private static let prepositions: Set<String> = [
    "above", "after", "along", "alongside", "as", "at", "before", "below", "by", "following", "for",
    "from", "given", "in", "including", "inside", "into", "matching", "of", "on", "passing",
    "preceding", "since", "to", "until", "using", "via", "when", "with", "within",
  ]

  private static func firstWord(of name: String) -> String {
    name.prefix(1).lowercased() + name.dropFirst().prefix { !$0.isUppercase }
  }

  private static func endsInPreposition(_ name: String) -> Bool {
    let start = name.lastIndex(where: \.isUppercase) ?? name.startIndex
    return prepositions.contains(name[start...].lowercased())
  }

  /// Returns the parameters, or `nil` if one is `inout`, is variadic, or has a default value.
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

  /// Returns the override that a class with these methods gets after its brace.
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
    return " public override func __called(_ selector: String, _ arguments: [Any?]) -> Any?? { "
      + "switch selector { \(cases.joined(separator: "; ")); "
      + "default: return super.__called(selector, arguments) } };"
  }
}
