/// The types of a module and of its dependencies that get an executor from an extension. An actor
/// that conforms to such a protocol has an executor, although it declares none.
struct ActorExecutors {
  /// The extended types and protocols with an `unownedExecutor`.
  private var providers: Set<String> = []
  /// The inherited protocols, indexed by protocol.
  private var inherited: [String: [String]] = [:]

  /// Adds the declarations of a source.
  mutating func collect(_ tokens: [SwiftToken]) {
    for index in tokens.indices.dropLast() {
      let name = tokens[index + 1].text
      switch tokens[index].text {
      case "extension":
        guard let open = tokens[index...].firstIndex(where: { $0.text == "{" }) else { continue }
        let body = tokens[open..<tokens.end(ofBracketAt: open)]
        let declares = zip(body, body.dropFirst()).contains {
          $0.text == "var" && $1.text == "unownedExecutor"
        }
        if declares { providers.insert(name) }
      case "protocol": inherited[name] = ActorExecutors.conformances(ofTypeAt: index, tokens)
      default: break
      }
    }
  }

  /// Returns a Boolean value that indicates whether an extension provides the executor of the actor
  /// that is declared at `index`. A macro such as `@NSModelActor` adds the conformance to the
  /// protocol of its name.
  func hasProvider(forActorAt index: Int, _ tokens: [SwiftToken]) -> Bool {
    var open =
      [tokens[index + 1].text] + ActorExecutors.conformances(ofTypeAt: index, tokens)
      + tokens.words(before: index).attributes
    var known: Set<String> = []
    while let type = open.popLast() {
      if providers.contains(type) { return true }
      if known.insert(type).inserted { open += inherited[type] ?? [] }
    }
    return false
  }

  /// Returns the words between the colon of a declaration and its body or its `where`. Generic
  /// parameters have colons of their own.
  private static func conformances(ofTypeAt index: Int, _ tokens: [SwiftToken]) -> [String] {
    var depth = 0
    let head = tokens.dropFirst(index + 2).prefix { $0.text != "{" && $0.text != "where" }
    let outer = head.filter { token in
      if token.text == "<" { depth += 1 }
      if token.text == ">" { depth -= 1 }
      return depth == 0 && token.text != ">"
    }
    return outer.drop { $0.text != ":" }.filter { $0.kind == .word }.map(\.text)
  }
}
