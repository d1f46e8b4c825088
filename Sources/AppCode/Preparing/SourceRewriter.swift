import Foundation

/// Rewrites a source that is written for Apple's Core Data so that it compiles with product
/// `CoreData`. Lines are preserved, and code that needs the Objective-C runtime is replaced.
///
/// - `@NSManaged` properties and accessors get bodies.
/// - `#selector(…)` becomes a `Selector` that calls the method, and `#keyPath(…)` a string.
/// - `@objc`, `@nonobjc`, `@IBAction` and similar attributes are removed, as is `dynamic`.
/// - `override init(entity:insertInto:)` becomes `required`, because contexts create objects of
///   classes that they know only at run time.
/// - A cast to an `NSFetchRequest` uses another operator, because on Linux generic classes differ
///   by argument.
/// - `NSManagedObject(entity:insertInto:)` creates an object of the entity's class.
/// - An actor gets an executor of the simulation. A task gets its place in the source as its name.
/// - A test of Swift Testing becomes a test of a run.
/// - An override in an extension is renamed, and the class calls it by the new name.
/// - An `@objc` protocol is restricted to classes, and its optional methods get empty bodies.
/// - An `observeValue` that no superclass in the module has becomes the method of a protocol.
///
/// The extensions: `+Managed` rewrites `@NSManaged`, and `+Expressions` rewrites selectors, key
/// paths and casts. `+Tasks` rewrites tasks and actors, `+Names` modules and protocols, and
/// `+Places` records the places of blocks.
struct SourceRewriter {
  /// Code that cannot be rewritten, which stops the compilation with a message at its line.
  struct Problem: Hashable {
    let line: Int
    let message: String
  }

  struct Edit {
    let range: Range<Int>
    let text: String
  }

  let source: [UInt8]
  let tokens: [SwiftToken]
  let classes: ModuleClasses
  /// The path of the source, which reports name.
  private let path: String
  /// A Boolean value that indicates whether tests of Swift Testing stay as they are, because they
  /// may run their own campaigns or the source does not import Testing.
  private let hasCampaigns: Bool
  /// A Boolean value that indicates whether the source has a test that runs under the simulation.
  private(set) var hasTests = false
  /// A Boolean value that indicates whether the source imports Apple's log.
  private let importsLog: Bool
  /// The private types of this source that have names of types of the simulation.
  private let privateTypes: Set<String>
  /// The number of open `#if` directives.
  private var conditionDepth = 0
  var edits: [Edit] = []
  var problems: [Problem] = []

  /// Rewrites a source, and returns the problems in code that cannot be rewritten.
  ///
  /// - Parameters:
  ///   - classes: The classes of the whole module.
  ///   - path: The path of the source.
  static func rewrite(
    _ source: String, _ classes: ModuleClasses, path: String
  ) -> (source: String, problems: [Problem], hasTests: Bool) {
    var rewriter = SourceRewriter(source, classes, path: path)
    rewriter.run()
    return (rewriter.result, rewriter.problems, rewriter.hasTests)
  }

  /// Returns a generated source with the additional code that its classes need.
  static func complete(_ source: String, _ classes: ModuleClasses) -> String {
    var rewriter = SourceRewriter(source, classes, path: "")
    for index in rewriter.tokens.indices where rewriter.text(index) == "class" {
      rewriter.complete(classAt: index)
    }
    return rewriter.result
  }

  private init(_ source: String, _ classes: ModuleClasses, path: String) {
    self.source = Array(source.utf8)
    (self.classes, self.path) = (classes, path)
    let tokens = SwiftLexer.tokens(of: source)
    hasCampaigns =
      !SwiftLexer.imports("Testing", tokens)
      || ["Faultline", "FaultlineTesting"].contains { SwiftLexer.imports($0, tokens) }
    importsLog = SourceRewriter.importsLog(tokens)
    privateTypes = SwiftLexer.privateTypes(tokens).intersection(Shadows.types)
    self.tokens = tokens
  }

  func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }

  private mutating func run() {
    var index = 0
    while index < tokens.count {
      if let next = rewriteDeclaration(at: index) ?? rewriteExpression(at: index) {
        index = next
      } else {
        if tokens[index].kind == .text { rewriteKeyPaths(inTextAt: index) }
        index += 1
      }
    }
  }

  /// Rewrites the declaration that begins at `index`. Returns the index of the next token to
  /// rewrite, or `nil` if no declaration there needs rewriting.
  private mutating func rewriteDeclaration(at index: Int) -> Int? {
    switch text(index) {
    case "@": return rewriteAttribute(at: index)
    case "dynamic" where isModifier(at: index): remove(index..<index + 1)
    case "optional" where isModifier(at: index): return rewriteOptional(at: index)
    case "protocol" where text(index - 1) != ".": rewriteProtocol(at: index)
    case "init" where text(index - 1) != ".": requireInitializer(at: index)
    case "actor": addExecutor(at: index)
    case "import": return rewriteImport(at: index)
    case "#if", "#endif": conditionDepth += text(index) == "#if" ? 1 : -1
    case "extension":
      if conditionDepth == 0 { renameOverrides(inExtensionAt: index) }
      conform(observerAt: index, named: text(index + 1))
    case "class":
      complete(classAt: index)
      if let name = ModuleClasses.name(ofClassAt: index, tokens) {
        conform(observerAt: index, named: name)
      }
    default: return nil
    }
    return index + 1
  }

  /// Rewrites an expression at `index`. Returns the index of the next token to rewrite, or `nil` if
  /// nothing there needs rewriting.
  private mutating func rewriteExpression(at index: Int) -> Int? {
    switch text(index) {
    case let name where text(index - 1) == "." && classes.optional.names.contains(name):
      return rewriteOptionalCall(at: index)
    case "#selector": return rewriteSelector(at: index)
    case "#keyPath": return rewriteKeyPath(at: index)
    case "_kvcKeyPathString": replace(index..<index + 1, by: "simulatedKeyPathString")
    case "Task": nameTask(at: index)
    case "perform": notePlace(ofCallAt: index)
    case "as": return rewriteCast(at: index)
    case "os" where importsLog: return rewriteLogName(at: index)
    case "Foundation": return rewriteFoundationName(at: index)
    case "os_log" where importsLog && text(index + 1) == "(":
      replace(index..<index + 1, by: "simulatedOSLog")
    case "dispatchPrecondition" where text(index + 1) == "(" && text(index - 1) != ".":
      replace(index..<index + 1, by: "simulatedDispatchPrecondition")
    case "NSFetchRequestResult": rewriteResultConstraint(at: index)
    case "NSManagedObject": nameEntityClass(at: index)
    case "NSDate", "NSUUID", "Date": makeOfRun(at: index)
    case let name where privateTypes.contains(name): renamePrivateType(at: index)
    default: return nil
    }
    return index + 1
  }

  /// The source with all edits.
  private var result: String {
    var bytes: [UInt8] = []
    var position = 0
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      bytes += source[position..<edit.range.lowerBound]
      bytes += Array(edit.text.utf8)
      position = edit.range.upperBound
    }
    return String(decoding: bytes + source[position...], as: UTF8.self)
  }

  // MARK: Edits

  /// Removes tokens, and keeps the line breaks between them.
  mutating func remove(_ indexes: Range<Int>) {
    for index in indexes { edits.append(Edit(range: tokens[index].range, text: "")) }
  }

  /// Replaces tokens by a text in the line of the first token, and keeps the line breaks between
  /// them.
  mutating func replace(_ indexes: Range<Int>, by text: String) {
    guard let first = indexes.first else { return }
    edits.append(Edit(range: tokens[first].range, text: text))
    remove(indexes.dropFirst())
  }

  /// Inserts a text after a token.
  mutating func insert(_ text: String, after index: Int) {
    let end = tokens[index].range.upperBound
    edits.append(Edit(range: end..<end, text: text))
  }

  /// Inserts a text before a token.
  mutating func insert(_ text: String, before index: Int) {
    let start = tokens[index].range.lowerBound
    edits.append(Edit(range: start..<start, text: text))
  }

  mutating func complain(at index: Int, _ message: String) {
    problems.append(Problem(line: tokens[index].line, message: message))
  }

  /// Returns the index after the bracket that closes the bracket at `index`.
  func end(ofBracketAt index: Int) -> Int { tokens.end(ofBracketAt: index) }

  /// Returns the index after the generic arguments that begin with the `<` at `index`.
  func end(ofArgumentsAt index: Int) -> Int {
    var depth = 0
    for position in index..<tokens.count {
      if text(position) == "<" { depth += 1 }
      if text(position) == ">" { depth -= 1 }
      if depth == 0 { return position + 1 }
    }
    return tokens.count
  }

  func isAdjacent(_ index: Int) -> Bool { tokens.isAdjacent(index) }

  // MARK: Attributes and modifiers

  private static let removed: Set<String> = [
    "objc", "objcMembers", "nonobjc", "IBOutlet", "IBAction", "IBInspectable", "IBDesignable",
    "IBSegueAction", "NSApplicationMain", "UIApplicationMain",
  ]

  static let modifiers: Set<String> = [
    "public", "open", "internal", "fileprivate", "private", "package", "override", "final",
    "class", "static", "weak", "unowned", "lazy", "dynamic", "optional", "required",
    "convenience", "nonisolated", "mutating", "nonmutating", "prefix", "postfix",
  ]

  private static let declarations: Set<String> = ["var", "let", "func", "init", "subscript"]

  private func isModifier(at index: Int) -> Bool {
    let next = text(index + 1)
    return SourceRewriter.modifiers.contains(next) || SourceRewriter.declarations.contains(next)
      || next == "@"
  }

  private mutating func rewriteAttribute(at index: Int) -> Int {
    let name = text(index + 1)
    if name == "NSManaged" { return rewriteManaged(at: index) }
    if name == "Test" { return simulateTest(at: index) }
    guard SourceRewriter.removed.contains(name) else { return index + 1 }
    let isCalled = text(index + 2) == "(" && isAdjacent(index + 2)
    let end = isCalled ? end(ofBracketAt: index + 2) : index + 2
    remove(index..<end)
    return end
  }

  /// Adds a trait to a test. `@Test("a name", arguments: 1...3)` becomes `@Test("a name",
  /// SimulatedTest("File.swift", 12), arguments: 1...3)`. The trait names the place of the test,
  /// because the macro ignores `#sourceLocation`.
  private mutating func simulateTest(at index: Int) -> Int {
    guard !hasCampaigns else { return index + 2 }
    hasTests = true
    let trait = "SimulatedTest(\(literal(path)), \(tokens[index].line))"
    guard text(index + 2) == "(", isAdjacent(index + 2) else {
      insert("(\(trait))", after: index + 1)
      return index + 2
    }
    if tokens[index + 3].kind == .text {
      insert(", \(trait)", after: index + 3)
    } else {
      insert(text(index + 3) == ")" ? trait : "\(trait), ", after: index + 2)
    }
    return index + 3
  }

  /// Makes an overriding initializer `required`, as product `CoreData` demands of classes.
  private mutating func requireInitializer(at index: Int) {
    guard text(index + 1) == "(",
      ["entity", "concurrencyType", "managedObjectModel"].contains(text(index + 2))
    else { return }
    let parameters = (index + 1..<end(ofBracketAt: index + 1)).map { text($0) }
    guard
      text(index + 2) != "entity" || parameters.contains("insertInto")
        || parameters.contains("insertIntoManagedObjectContext")
    else { return }
    var position = index - 1
    while position >= 0, SourceRewriter.modifiers.contains(text(position)) {
      switch text(position) {
      case "override": replace(position..<position + 1, by: "required")
      // A required initializer must be as visible as its class.
      case "private", "fileprivate": remove(position..<position + 1)
      default: break
      }
      position -= 1
    }
  }

  private mutating func renameOverrides(inExtensionAt index: Int) {
    for place in ModuleClasses.places(inExtensionAt: index, tokens)
    where classes.hasClass(place.override.type) {
      remove(place.keyword..<place.keyword + 1)
      replace(place.name..<place.name + 1, by: place.override.newName)
    }
  }

  private mutating func complete(classAt index: Int) {
    guard let name = ModuleClasses.name(ofClassAt: index, tokens) else { return }
    isolate(methodsOfClassAt: index, named: name)
    let text =
      (classes.additions(to: name) ?? "") + (testPlaces(ofClassAt: index, named: name) ?? "")
      + (makeLazy(propertiesOfClassAt: index, named: name) ?? "")
    guard !text.isEmpty, let brace = tokens[index...].firstIndex(where: { $0.text == "{" })
    else { return }
    insert(text, after: brace)
  }
}
