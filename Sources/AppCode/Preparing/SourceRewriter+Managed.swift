/// Writes the accessors that Core Data generates at run time for `@NSManaged`.
extension SourceRewriter {
  /// Rewrites the declaration after the `@NSManaged` at `index`. Returns the index of the next
  /// token to rewrite.
  mutating func rewriteManaged(at index: Int) -> Int {
    remove(index..<index + 2)
    var position = index + 2
    while position < tokens.count {
      let word = text(position)
      if word == "@" {
        // Remove further attributes of the same declaration.
        var end = min(position + 2, tokens.count)
        if text(end) == "(", isAdjacent(end) { end = self.end(ofBracketAt: end) }
        remove(position..<end)
        position = end
      } else if SourceRewriter.modifiers.contains(word) {
        if word == "dynamic" { remove(position..<position + 1) }
        position += 1
        // `private(set)`.
        if text(position) == "(" { position = end(ofBracketAt: position) }
      } else {
        break
      }
    }
    switch text(position) {
    case "var": return rewriteProperty(at: position)
    case "func": return rewriteAccessor(at: position)
    default:
      complain(at: index, "@NSManaged must precede 'var' or 'func'")
      return position
    }
  }

  private mutating func rewriteProperty(at index: Int) -> Int {
    let name = plain(text(index + 1))
    guard text(index + 2) == ":" else {
      complain(at: index, "@NSManaged needs a type: '@NSManaged var \(name): String?'")
      return index + 2
    }
    let end = end(ofTypeAt: index + 3)
    guard ![",", "{", "="].contains(text(end)), end > index + 3 else {
      complain(
        at: index, "@NSManaged declares one property without an initial value and without accessors"
      )
      return end
    }
    let access: String
    if name.hasPrefix("primitive"), name.dropFirst(9).first?.isUppercase == true {
      let key = lowercased(String(name.dropFirst(9)))
      access =
        "get { managedPrimitive(\"\(key)\") } set { setManagedPrimitive(\"\(key)\", newValue) }"
    } else {
      access = "get { managed(\"\(name)\") } set { setManaged(\"\(name)\", newValue) }"
    }
    insert(" { \(access) }", after: end - 1)
    return end
  }

  /// Returns the index of the token after a type.
  private func end(ofTypeAt start: Int) -> Int {
    var position = start
    while position < tokens.count {
      let word = text(position)
      let continues = [".", "->", "&"].contains(text(position - 1))
      if position > start, tokens[position].beginsLine, !continues,
        ![".", "->", "&"].contains(word)
      {
        return position
      }
      switch word {
      case "(", "[":
        position = end(ofBracketAt: position)
      case "<": position = end(ofArgumentsAt: position)
      case ".", "->", "&", "?", "!", "any", "some": position += 1
      default:
        guard tokens[position].kind == .word,
          position == start || ["any", "some"].contains(text(position - 1)) || continues
        else { return position }
        position += 1
      }
    }
    return position
  }

  // MARK: Accessors

  private mutating func rewriteAccessor(at index: Int) -> Int {
    let name = text(index + 1)
    guard text(index + 2) == "(" else { return index + 1 }
    let end = end(ofBracketAt: index + 2)
    let parameters = self.parameters(in: index + 3..<max(index + 3, end - 1))
    guard let body = SourceRewriter.body(of: name, parameters) else {
      complain(
        at: index,
        "@NSManaged func \(name) is not an accessor that Core Data generates: addTo…, removeFrom…, "
          + "insertInto…, replace…, add…Object, remove…Object")
      return end
    }
    let last = text(end) == "->" ? self.end(ofTypeAt: end + 1) : end
    insert(" { \(body) }", after: last - 1)
    return last
  }

  private struct Parameter {
    let label: String
    let name: String
  }

  private func parameters(in range: Range<Int>) -> [Parameter] {
    var parameters: [Parameter] = []
    var words: [String] = []
    var (depth, isName) = (0, true)
    for index in range {
      let word = text(index)
      if "([<".contains(word) { depth += 1 }
      if ")]>".contains(word) { depth -= 1 }
      if depth == 0, word == "," {
        (words, isName) = ([], true)
      } else if depth == 0, word == ":", isName {
        parameters.append(Parameter(label: words.first ?? "_", name: words.last ?? "_"))
        isName = false
      } else if isName {
        words.append(word)
      }
    }
    return parameters
  }

  private static func body(of name: String, _ parameters: [Parameter]) -> String? {
    func key(_ prefix: String, _ suffix: String = "") -> String? {
      guard name.hasPrefix(prefix), name.hasSuffix(suffix) else { return nil }
      let stem = name.dropFirst(prefix.count).dropLast(suffix.count)
      guard let first = stem.first, first.isUppercase || first == "_" else { return nil }
      return "\"" + stem.prefix(1).lowercased() + stem.dropFirst() + "\""
    }
    let names = parameters.map(\.name)
    switch parameters.map(\.label) {
    case ["_"]:
      if let key = key("addTo") ?? key("add", "Object") ?? key("add") {
        return "addManaged(\(key), \(names[0]))"
      }
      if let key = key("removeFrom") ?? key("remove", "Object") ?? key("remove") {
        return "removeManaged(\(key), \(names[0]))"
      }
    case ["_", "at"]:
      if let key = key("insertInto") { return "insertManaged(\(key), \(names[0]), \(names[1]))" }
    case ["at"]:
      if let key = key("removeFrom") { return "removeManaged(\(key), at: \(names[0]))" }
    case ["at", "with"]:
      if let key = key("replace") { return "replaceManaged(\(key), \(names[0]), \(names[1]))" }
    default: break
    }
    return nil
  }

  private func plain(_ name: String) -> String { name.filter { $0 != "`" } }

  private func lowercased(_ name: String) -> String {
    name.prefix(1).lowercased() + name.dropFirst()
  }
}
