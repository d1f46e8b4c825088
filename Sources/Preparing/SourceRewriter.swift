import Foundation

/// Turns a source that is written for Apple's Core Data into one that compiles with product
/// `CoreData`, line for line: what needs the Objective-C runtime is written otherwise.
///
/// - `@NSManaged` properties and accessors get bodies.
/// - `#selector(…)` becomes a `Selector` that calls the method; `#keyPath(…)` a text.
/// - `@objc`, `@nonobjc`, `@IBAction` and the like go, and with them `dynamic`.
/// - `override init(entity:insertInto:)` becomes `required`, because a context makes objects of
///   classes that it knows at run time only.
/// - A cast to an `NSFetchRequest` uses another operator: on Linux generic classes differ by
///   argument.
/// - `NSManagedObject(entity:insertInto:)` makes an object of the entity's class.
///
/// - An actor gets an executor of the simulation; a task its place in the source as its name.
/// - A test of Swift Testing becomes one of a run.
/// - An override in an extension gets another name, by which the class calls it.
/// - An `@objc` protocol is one of classes, and its optional methods get bodies that do nothing.
/// - An `observeValue` that no class of the module has before is a protocol's, not an override.
///
/// The extensions: `+Managed` is about `@NSManaged`, `+Expressions` about selectors, key paths and
/// casts, `+Tasks` about tasks and actors, `+Names` about modules and protocols, `+Places` about
/// the places of blocks.
struct SourceRewriter {
  /// What cannot be rewritten, and stops the compilation with a message at its line.
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
  /// Where the source is, which reports name.
  private let path: String
  /// Whether the tests of Swift Testing are left to run their own campaigns.
  private let hasCampaigns: Bool
  /// Whether it has a test that runs under the simulation.
  private(set) var hasTests = false
  /// Whether it asks for Apple's log.
  private let importsLog: Bool
  /// The types that only this source has, under names of the simulation's.
  private let privateTypes: Set<String>
  /// How many `#if` are open.
  private var conditionDepth = 0
  var edits: [Edit] = []
  var problems: [Problem] = []

  /// The source as it compiles with product `CoreData`, and what of it does not.
  /// `classes` are those of the whole module, `path` is where the source is.
  static func rewrite(
    _ source: String, _ classes: ModuleClasses, path: String
  ) -> (source: String, problems: [Problem], hasTests: Bool) {
    var rewriter = SourceRewriter(source, classes, path: path)
    rewriter.run()
    return (rewriter.result, rewriter.problems, rewriter.hasTests)
  }

  /// A source that is generated, with what its classes need besides.
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

  /// The token at which to go on; nil if no declaration that needs rewriting begins at `index`.
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

  /// The token at which to go on; nil if nothing at `index` needs rewriting in an expression.
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

  /// Removes tokens; line breaks between them stay.
  mutating func remove(_ indexes: Range<Int>) {
    for index in indexes { edits.append(Edit(range: tokens[index].range, text: "")) }
  }

  /// Replaces tokens by a text in the line of the first; line breaks between them stay.
  mutating func replace(_ indexes: Range<Int>, by text: String) {
    guard let first = indexes.first else { return }
    edits.append(Edit(range: tokens[first].range, text: text))
    remove(indexes.dropFirst())
  }

  /// Adds a text behind a token.
  mutating func insert(_ text: String, after index: Int) {
    let end = tokens[index].range.upperBound
    edits.append(Edit(range: end..<end, text: text))
  }

  /// Adds a text before a token.
  mutating func insert(_ text: String, before index: Int) {
    let start = tokens[index].range.lowerBound
    edits.append(Edit(range: start..<start, text: text))
  }

  mutating func complain(at index: Int, _ message: String) {
    problems.append(Problem(line: tokens[index].line, message: message))
  }

  /// The token after the bracket that closes the one at `index`.
  func end(ofBracketAt index: Int) -> Int { tokens.end(ofBracketAt: index) }

  /// The token after the generic arguments that begin with the `<` at `index`.
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

  /// `@Test("a name", arguments: 1...3)` becomes
  /// `@Test("a name", SimulatedTest("File.swift", 12), arguments: 1...3)`. The macro does not ask
  /// `#sourceLocation` where the test is.
  private mutating func simulateTest(at index: Int) -> Int {
    guard !hasCampaigns else { return index + 2 }
    hasTests = true
    let trait = "SimulatedTest(\(Preparation.literal(path)), \(tokens[index].line))"
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

  /// An override of an initializer that product `CoreData` requires of classes.
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
      // What is required must be as visible as the class.
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
