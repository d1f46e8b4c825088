/// The optional methods of a module's `@objc` protocols. Linux has no runtime that looks them up,
/// so each method gets an empty body, in an extension after its protocol.
///
/// A method with a result remains a problem, because an empty body cannot return a result.
struct OptionalRequirements {
  /// The names of optional methods, which calls follow with a question mark:
  /// `delegate?.list?(self)`.
  private(set) var names: Set<String> = []

  /// Adds the optional methods that a source declares.
  mutating func collect(_ tokens: [SwiftToken]) {
    for index in tokens.indices where tokens[index].text == "optional" {
      if let method = Method(at: index, tokens) { names.insert(method.name) }
    }
  }

  /// An optional method without a result.
  struct Method {
    let name: String
    /// The signature from the name to the end, such as `list(_ list: List) throws`.
    let signature: String

    /// Creates the method whose `optional` is at `index`. Returns `nil` for a property, and for a
    /// method with a result.
    init?(at index: Int, _ tokens: [SwiftToken]) {
      func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }
      var function = index + 1
      while SourceRewriter.modifiers.contains(text(function)) { function += 1 }
      guard text(function) == "func", text(function + 2) == "(" else { return nil }
      var end = tokens.end(ofBracketAt: function + 2)
      while ["async", "throws"].contains(text(end)) { end += 1 }
      guard !text(end).hasPrefix("-") else { return nil }
      name = text(function + 1)
      signature = (function + 1..<end).map { position in
        (tokens.isAdjacent(position) ? "" : " ") + text(position)
      }.joined()
    }
  }

  /// Returns the extension after the protocol whose keyword is at `index`. Returns `nil` if the
  /// protocol has no optional methods.
  static func `extension`(ofProtocolAt index: Int, _ tokens: [SwiftToken]) -> String? {
    guard let start = tokens[index...].firstIndex(where: { $0.text == "{" }) else { return nil }
    let end = tokens.end(ofBracketAt: start)
    let methods = (start..<end).filter { tokens[$0].text == "optional" }
      .compactMap { Method(at: $0, tokens) }
    guard !methods.isEmpty else { return nil }
    let isSeen = tokens.words(before: index).modifiers
    let access = ["public", "package"].first(where: isSeen.contains).map { "\($0) " } ?? ""
    let bodies = methods.map { "\(access)func\($0.signature) {}" }.joined(separator: "; ")
    return "; extension \(tokens[index + 1].text) { \(bodies) }"
  }
}

extension SourceRewriter {
  /// Removes `optional`. Complains if the requirement is a property, or has a result.
  mutating func rewriteOptional(at index: Int) -> Int {
    if OptionalRequirements.Method(at: index, tokens) == nil {
      complain(
        at: index,
        "an optional requirement that is a property or returns a value needs the Objective-C runtime"
      )
    }
    remove(index..<index + 1)
    return index + 1
  }

  /// Restricts an `@objc` protocol to classes, and adds bodies of its optional methods.
  mutating func rewriteProtocol(at index: Int) {
    guard tokens.words(before: index).attributes.contains("objc"),
      let brace = tokens[index...].firstIndex(where: { $0.text == "{" })
    else { return }
    let inherited = Set((index + 2..<brace).map { text($0) })
    if inherited.isEmpty {
      insert(": AnyObject", after: index + 1)
    } else if inherited.isDisjoint(with: ["AnyObject", "class"]), text(index + 2) == ":" {
      insert(" AnyObject,", after: index + 2)
    }
    if let text = OptionalRequirements.extension(ofProtocolAt: index, tokens) {
      insert(text, after: end(ofBracketAt: brace) - 1)
    }
  }

  /// Rewrites a call of an optional method, which now always exists. `delegate?.list?(self)`
  /// becomes `delegate?.list(self)`.
  mutating func rewriteOptionalCall(at index: Int) -> Int {
    guard text(index + 1) == "?", isAdjacent(index + 1), text(index + 2) == "(",
      isAdjacent(index + 2)
    else { return index + 1 }
    remove(index + 1..<index + 2)
    return index + 2
  }
}
