/// Names of modules that Linux does not have, and of a protocol that means less there.
extension SourceRewriter {
  /// The modules of Apple's log and locks, whose types product `CoreData` has.
  static let logModules: Set<String> = ["os", "OSLog"]

  /// Whether a source asks for Apple's log or its locks.
  static func importsLog(_ tokens: [SwiftToken]) -> Bool {
    tokens.indices.contains { importOf(logModules, at: $0, tokens) != nil }
  }

  /// The tokens of `import os.lock`, `import class os.OSLog` and the like, with what stands before
  /// it; nil if there is no import of one of the modules at `index`.
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

  /// Modules of Apple's, what Linux has of which is in Foundation and product `CoreData`.
  private static let partsOfFoundation: Set<String> = ["CoreGraphics", "ObjectiveC"]

  /// An import of Apple's log, or of a part of Foundation, goes.
  mutating func rewriteImport(at index: Int) -> Int {
    // `import CoreData.NSManagedObject` names a header.
    if ["CoreData", "Foundation"].contains(text(index + 1)), text(index + 2) == "." {
      remove(index + 2..<index + 4)
      return index + 4
    }
    let needless = SourceRewriter.logModules.union(SourceRewriter.partsOfFoundation)
    guard let range = SourceRewriter.importOf(needless, at: index, tokens) else { return index + 1 }
    // What stands before `import` has been passed, and needs no edit of its own.
    remove(range)
    return range.upperBound
  }

  /// `os.Logger` is `Logger`.
  mutating func rewriteLogName(at index: Int) -> Int {
    guard text(index + 1) == ".", isAdjacent(index + 1), text(index - 1) != ".",
      tokens.indices.contains(index + 2), isAdjacent(index + 2)
    else { return index + 1 }
    remove(index..<index + 2)
    return index + 2
  }

  /// `Foundation.Timer` is the simulation's, but not in `import class Foundation.Timer`.
  mutating func rewriteFoundationName(at index: Int) -> Int {
    guard ![".", "class", "struct"].contains(text(index - 1)), text(index + 1) == ".",
      isAdjacent(index + 1),
      tokens.indices.contains(index + 2), isAdjacent(index + 2),
      Shadows.qualifiedTypes.contains(text(index + 2))
    else { return index + 1 }
    replace(index..<index + 3, by: "__Foundation" + text(index + 2))
    return index + 3
  }

  /// A type of a file only has another name: in that file, the module's alias of the name would be
  /// meant as well.
  mutating func renamePrivateType(at index: Int) {
    guard text(index - 1) != "." else { return }
    replace(index..<index + 1, by: "__Private" + text(index))
  }

  /// A type parameter that has to be an `NSFetchRequestResult` may be anything: on Linux the
  /// protocol, as in `NSFetchRequest<NSFetchRequestResult>`, does not conform to itself.
  mutating func rewriteResultConstraint(at index: Int) {
    guard text(index - 1) == ":", isConstraint(at: index - 1) else { return }
    replace(index..<index + 1, by: "Any")
  }

  /// Whether a colon stands in a list of type parameters, or in a `where` of a function.
  private func isConstraint(at colon: Int) -> Bool {
    var depth = 0
    var position = colon - 1
    while position >= 0, colon - position < 200 {
      switch text(position) {
      case ">": depth += text(position - 1) == "-" ? 0 : 1
      case "<" where depth == 0:
        // `func fetch<Result: …>` and `class Store<Result: …>`; the name is before the bracket.
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

  /// Whether the declaration that has a `where` is no extension, whose `Self` it would be about.
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
