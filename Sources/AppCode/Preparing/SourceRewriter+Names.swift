/// Rewrites names of modules that Linux lacks, and of a protocol that differs there.
extension SourceRewriter {
  /// The modules of Apple's log and locks. Product `CoreData` has their types.
  static let logModules: Set<String> = ["os", "OSLog"]

  /// Returns a Boolean value that indicates whether a source imports Apple's log or its locks.
  static func importsLog(_ tokens: [SwiftToken]) -> Bool {
    tokens.indices.contains { importOf(logModules, at: $0, tokens) != nil }
  }

  /// Returns the tokens of an import such as `import os.lock` or `import class os.OSLog`, with its
  /// modifiers. Returns `nil` if no import of one of the modules is at `index`.
  private static func importOf(
    _ modules: Set<String>, at index: Int, _ tokens: [SwiftToken]
  ) -> Range<Int>? {
    func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }
    let kinds: Set<String> = ["class", "struct", "enum", "protocol", "typealias", "func", "var"]
    guard text(index) == "import" else { return nil }
    let name = kinds.contains(text(index + 1)) ? index + 2 : index + 1
    guard modules.contains(text(name)) else { return nil }
    var end = name + 1
    while text(end) == "." { end += 2 }
    var start = index
    while start > 0, !tokens[start].beginsLine { start -= 1 }
    return start..<min(end, tokens.count)
  }

  /// Apple's modules that Linux has as parts of Foundation and product `CoreData`.
  private static let partsOfFoundation: Set<String> = ["CoreGraphics", "ObjectiveC"]

  /// Removes an import of Apple's log, or of a part of Foundation.
  mutating func rewriteImport(at index: Int) -> Int {
    // `import CoreData.NSManagedObject` names a header.
    if ["CoreData", "Foundation"].contains(text(index + 1)), text(index + 2) == "." {
      remove(index + 2..<index + 4)
      return index + 4
    }
    let needless = SourceRewriter.logModules.union(SourceRewriter.partsOfFoundation)
    guard let range = SourceRewriter.importOf(needless, at: index, tokens) else { return index + 1 }
    // The tokens before `import` were already passed, and need no other edit.
    remove(range)
    return range.upperBound
  }

  /// Rewrites `os.Logger` as `Logger`.
  mutating func rewriteLogName(at index: Int) -> Int {
    guard text(index + 1) == ".", isAdjacent(index + 1), text(index - 1) != ".",
      tokens.indices.contains(index + 2), isAdjacent(index + 2)
    else { return index + 1 }
    remove(index..<index + 2)
    return index + 2
  }

  /// Rewrites `Foundation.Timer` as the type of the simulation, except in `import class
  /// Foundation.Timer`.
  mutating func rewriteFoundationName(at index: Int) -> Int {
    guard ![".", "class", "struct"].contains(text(index - 1)), text(index + 1) == ".",
      isAdjacent(index + 1),
      tokens.indices.contains(index + 2), isAdjacent(index + 2),
      Shadows.qualifiedTypes.contains(text(index + 2))
    else { return index + 1 }
    replace(index..<index + 3, by: "__Foundation" + text(index + 2))
    return index + 3
  }

  /// Renames a type that is private to the file. Otherwise, its name would also mean the module's
  /// alias in that file.
  mutating func renamePrivateType(at index: Int) {
    guard text(index - 1) != "." else { return }
    replace(index..<index + 1, by: "__Private" + text(index))
  }

  /// Relaxes the constraint `NSFetchRequestResult` on a type parameter to `Any`. On Linux, the
  /// protocol does not conform to itself, as `NSFetchRequest<NSFetchRequestResult>` requires.
  mutating func rewriteResultConstraint(at index: Int) {
    guard text(index - 1) == ":", isConstraint(at: index - 1) else { return }
    replace(index..<index + 1, by: "Any")
  }

  /// Returns a Boolean value that indicates whether a colon is in a list of type parameters, or in
  /// the `where` clause of a declaration.
  private func isConstraint(at colon: Int) -> Bool {
    var depth = 0
    var position = colon - 1
    while position >= 0, colon - position < 200 {
      switch text(position) {
      case ">": depth += text(position - 1) == "-" ? 0 : 1
      case "<" where depth == 0:
        // In `func fetch<Result: …>` and `class Store<Result: …>`, the name precedes the bracket.
        return ["func", "class", "struct", "enum", "actor", "init"].contains(text(position - 2))
          || text(position - 1) == "init"
      case "<": depth -= 1
      case "where" where depth == 0: return isOfFunction(whereAt: position)
      case "{", "}", ";": return false
      default: break
      }
      position -= 1
    }
    return false
  }

  /// Returns a Boolean value that indicates whether a `where` clause belongs to a function or a
  /// type. The clause of an extension would constrain `Self`.
  private func isOfFunction(whereAt index: Int) -> Bool {
    var position = index - 1
    while position >= 0, index - position < 400 {
      switch text(position) {
      case "func", "init", "class", "struct", "enum", "actor": return true
      case "extension", "protocol", "associatedtype", "{", "}": return false
      default: position -= 1
      }
    }
    return false
  }
}
