/// A class, or an extension of a class, that overrides
/// `observeValue(forKeyPath:of:change:context:)`. On Linux no class of Foundation has this method,
/// so it becomes the method of a protocol.
struct KeyValueObserver {
  /// The index of `override`.
  let override: Int
  /// A Boolean value that indicates whether the method is declared `nonisolated`.
  let isNonisolated: Bool
  /// The index of the last token before the brace of the class, or before its `where`.
  let header: Int
  /// A Boolean value that indicates whether the declaration has an inheritance clause.
  let inherits: Bool
  /// The indices of the calls `super.observeValue(`.
  let forwards: [Int]

  /// Finds the observer in the declaration whose keyword is at `index`. Returns `nil` if the
  /// declaration does not override `observeValue`.
  init?(at index: Int, _ tokens: [SwiftToken]) {
    func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }
    guard let brace = tokens[index...].firstIndex(where: { $0.text == "{" }) else { return nil }
    let end = tokens.end(ofBracketAt: brace)
    var (depth, place): (Int, Int?) = (0, nil)
    var forwards: [Int] = []
    for position in brace..<end {
      switch text(position) {
      case "{", "(", "[": depth += 1
      case "}", ")", "]": depth -= 1
      case "func"
      where depth == 1 && text(position + 1) == "observeValue"
        && text(position + 3) == "forKeyPath":
        place = position
      case "super" where text(position + 2) == "observeValue": forwards.append(position)
      default: break
      }
    }
    guard let place else { return nil }
    var (override, isNonisolated): (Int?, Bool) = (nil, false)
    var position = place - 1
    while position > brace, SourceRewriter.modifiers.contains(text(position)) {
      if text(position) == "override" { override = position }
      if text(position) == "nonisolated" { isNonisolated = true }
      position -= 1
    }
    guard let override else { return nil }
    (self.override, self.isNonisolated, self.forwards) = (override, isNonisolated, forwards)
    let header = (index..<brace).first { text($0) == "where" } ?? brace
    self.header = header - 1
    var angles = 0
    inherits = (index..<header).contains { position in
      if text(position) == "<" { angles += 1 }
      if text(position) == ">" { angles -= 1 }
      return angles == 0 && text(position) == ":"
    }
  }
}

extension SourceRewriter {
  /// Makes an overriding `observeValue` the method of a protocol, to which the class then conforms.
  mutating func conform(observerAt index: Int, named name: String) {
    guard !classes.inheritsObserver(name), let observer = KeyValueObserver(at: index, tokens)
    else { return }
    replace(
      observer.override..<observer.override + 1, by: observer.isNonisolated ? "" : "nonisolated")
    insert(
      (observer.inherits ? ", " : ": ") + "SimulatedKeyValueObserver", after: observer.header)
    for place in observer.forwards { replace(place..<place + 3, by: "leaveUnobserved") }
  }
}
