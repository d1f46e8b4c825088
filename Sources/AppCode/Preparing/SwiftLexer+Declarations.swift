/// Questions about the declarations of a source.
extension SwiftLexer {
  static func imports(_ module: String, _ tokens: [SwiftToken]) -> Bool {
    zip(tokens, tokens.dropFirst()).contains { $0.text == "import" && $1.text == module }
  }

  /// Returns a Boolean value that indicates whether a source declares the access level of an
  /// import, such as `internal import CoreData`.
  static func limitsImports(_ tokens: [SwiftToken]) -> Bool {
    let levels: Set<String> = ["public", "package", "internal", "fileprivate", "private"]
    return zip(tokens, tokens.dropFirst()).contains {
      levels.contains($0.text) && $1.text == "import"
    }
  }

  /// Returns a Boolean value that indicates whether an extension conforms a type to a protocol.
  static func conforms(_ type: String, _ tokens: [SwiftToken]) -> Bool {
    tokens.indices.contains { index in
      index >= 2 && tokens[index].text == ":" && tokens[index - 1].text == type
        && tokens[index - 2].text == "extension"
    }
  }

  /// Returns a Boolean value that indicates whether a source declares `Bundle.module`
  /// unconditionally.
  static func declaresBundleModule(_ tokens: [SwiftToken]) -> Bool {
    var conditions = 0
    return tokens.indices.contains { index in
      if tokens[index].text == "#if" { conditions += 1 }
      if tokens[index].text == "#endif" { conditions -= 1 }
      return conditions == 0 && index >= 2 && tokens[index].text == "module"
        && ["var", "let"].contains(tokens[index - 1].text) && tokens[index - 2].text == "static"
    }
  }

  /// Returns the top-level types that a source declares. Certain types are visible in the whole
  /// module: neither private nor conditional.
  static func declaredTypes(_ tokens: [SwiftToken], isCertain: Bool = true) -> [String] {
    outerTypes(tokens).filter { !isCertain || !$0.isConditional && !$0.isPrivate }.map(\.name)
  }

  /// Returns the private types that a source declares unconditionally.
  static func privateTypes(_ tokens: [SwiftToken]) -> Set<String> {
    Set(outerTypes(tokens).filter { $0.isPrivate && !$0.isConditional }.map(\.name))
  }

  private static func outerTypes(
    _ tokens: [SwiftToken]
  ) -> [(name: String, isPrivate: Bool, isConditional: Bool)] {
    let modifiers: Set<String> = ["final", "indirect", "public", "open", "package", "internal"]
    func isPrivate(_ index: Int) -> Bool {
      let before = tokens[..<index].reversed().first { !modifiers.contains($0.text) }
      return before.map { ["private", "fileprivate"].contains($0.text) } ?? false
    }
    var (depth, conditions) = (0, 0)
    return tokens.indices.dropLast().compactMap { index in
      switch tokens[index].text {
      case "#if": conditions += 1
      case "#endif": conditions -= 1
      case "{", "(", "[": depth += 1
      case "}", ")", "]": depth -= 1
      case "class", "struct", "enum", "protocol", "actor", "typealias":
        if depth == 0 { return (tokens[index + 1].text, isPrivate(index), conditions > 0) }
      default: break
      }
      return nil
    }
  }
}
