import Foundation
import Preparing
import Testing

@Suite struct `A prepared source` {
  @Test(arguments: [
    ("#selector(self.reload)", "Selector(Self.reload)"),
    ("#selector(self.reload(_:))", "Selector(Self.reload(_:))"),
    ("#selector(List.reload(_:))", "Selector(List.reload(_:))"),
    ("#selector(App.List.reload(for:at:))", "Selector(App.List.reload(for:at:))"),
    ("#selector(reload)", "Selector(Self.reload)"),
    ("#selector(reload(_:))", "Selector(Self.reload(_:))"),
    ("#selector(_reload)", "Selector(Self._reload)"),
    ("#selector(\n  reload\n)", "Selector(\n  Self.reload\n)"),
    ("#selector(\n  _List\n    .reload(_:)\n)", "Selector(\n  _List\n    .reload(_:)\n)"),
    (
      "#selector(NSString.caseInsensitiveCompare(_:))",
      "Selector(comparing: NSString.caseInsensitiveCompare(_:))"
    ),
    ("#selector(reload as () -> Void)", "Selector(Self.reload as () -> Void)"),
    ("#selector(getter: title)", "Selector(\"title\" )"),
    ("#selector(getter: App.Note.title)", "Selector(\"title\" )"),
    ("#selector(setter: Note.`in`)", "Selector(\"setIn:\" )"),
  ])
  func `a prepared source has methods, not selectors`(expression: String, method: String) throws {
    let source = try PreparedSource("add(self, selector: \(expression), name: nil)")
    #expect(source.body == "add(self, selector: \(method), name: nil)")
    #expect(source.errors.isEmpty)
  }

  @Test(arguments: [
    ("#keyPath(Note.title)", "\"title\""),
    ("#keyPath(Note.author.name)", "\"author.name\""),
    ("#keyPath(App.Note.author?.name)", "\"author.name\""),
    ("#keyPath(Note.author!.name)", "\"author.name\""),
    ("#keyPath(self.title)", "\"title\""),
    ("#keyPath(title)", "\"title\""),
  ])
  func `a prepared source has texts instead of key paths`(expression: String, text: String) throws {
    let source = try PreparedSource("NSSortDescriptor(key: \(expression), ascending: true)")
    #expect(source.body == "NSSortDescriptor(key: \(text), ascending: true)")
  }

  @Test(arguments: [
    (#""\(#keyPath(Note.title)) == %@""#, #""title == %@""#),
    (#""ANY \(#keyPath(Note.author?.name)) IN %@""#, #""ANY author.name IN %@""#),
    (##"#"\#(#keyPath(Note.title)) \(#keyPath(A.b))"#"##, ##"#"title \(#keyPath(A.b))"#"##),
    (##""#keyPath(Note.title)""##, ##""#keyPath(Note.title)""##),
  ])
  func `key paths in texts become texts, too`(expression: String, text: String) throws {
    #expect(try PreparedSource("f(\(expression))").body == "f(\(text))")
  }

  @Test(arguments: [
    ("@Test func saves() {}", #"@Test(SimulatedTest("Source.swift", 1)) func saves() {}"#),
    ("@Test() func saves() {}", #"@Test(SimulatedTest("Source.swift", 1)) func saves() {}"#),
    (
      #"@Test("it saves") func saves() {}"#,
      #"@Test("it saves", SimulatedTest("Source.swift", 1)) func saves() {}"#
    ),
    (
      #"@Test("it saves", arguments: [1]) func saves(_ count: Int) {}"#,
      #"@Test("it saves", SimulatedTest("Source.swift", 1), arguments: [1]) func saves(_ count: Int) {}"#
    ),
    (
      "@Test(.tags(.slow)) func saves() {}",
      #"@Test(SimulatedTest("Source.swift", 1), .tags(.slow)) func saves() {}"#
    ),
    ("@Test (a, b)", #"@Test(SimulatedTest("Source.swift", 1)) (a, b)"#),
    ("@Testable func saves() {}", "@Testable func saves() {}"),
  ])
  func `tests of Swift Testing run under the simulation`(test: String, result: String) throws {
    let source = try PreparedSource("import Testing; \(test)")
    #expect(source.body == "import Testing; \(result)")
    let isSimulated = result.contains("SimulatedTest")
    #expect(source.imports.contains("import CoreDataTesting") == isSimulated)
  }

  @Test(arguments: [
    "", "import Testing; import Faultline", "import Testing; import FaultlineTesting",
  ])
  func `tests of campaigns or of another library are left alone`(imports: String) throws {
    let test = "\(imports); @Test func saves() {}"
    let source = try PreparedSource(test)
    #expect(source.body == test)
    #expect(source.imports == ["import CoreData"])
  }

  @Test(arguments: [
    ("@objc class Note {}", " class Note {}"),
    ("@objc(Note) class Note {}", " class Note {}"),
    ("@objc(reload:) func reload(_ sender: Any) {}", " func reload(_ sender: Any) {}"),
    ("@objc dynamic var count = 0", "  var count = 0"),
    ("@objc public dynamic var count = 0", " public  var count = 0"),
    ("dynamic func reload() {}", " func reload() {}"),
    ("@objcMembers final class Note {}", " final class Note {}"),
    ("@nonobjc class func request() {}", " class func request() {}"),
    ("@IBAction @objc func tap() {}", "  func tap() {}"),
    ("@IBOutlet weak var label: Label!", " weak var label: Label!"),
    ("@objc (a, b)", " (a, b)"),
    ("@MainActor @objc func reload() {}", "@MainActor  func reload() {}"),
    ("let dynamic = 1; print(dynamic)", "let dynamic = 1; print(dynamic)"),
    ("@dynamicMemberLookup struct A {}", "@dynamicMemberLookup struct A {}"),
  ])
  func `a source loses Objective-C attributes`(declaration: String, expected: String) throws {
    let source = try PreparedSource(declaration)
    #expect(source.body == expected)
    #expect(source.errors.isEmpty)
  }

  @Test(arguments: [
    ("import os", ""), ("import os.log", ""), ("import class os.OSLog", ""),
    ("private import OSLog\nlet a = os.Logger()", "\nlet a = Logger()"),
    ("import os\nos_log(\"a\")", "\nsimulatedOSLog(\"a\")"),
    (
      "dispatchPrecondition(condition: .onQueue(.main))",
      "simulatedDispatchPrecondition(condition:.onQueue(.main))"
    ),
    ("a.dispatchPrecondition(b)", "a.dispatchPrecondition(b)"),
    ("import osmosis\nlet a = os.b", "import osmosis\nlet a = os.b"),
  ])
  func `a prepared source has only Linux's modules`(source: String, expected: String) throws {
    let body = try PreparedSource(source).body
    #expect(body.filter { $0 != " " } == expected.filter { $0 != " " })
  }

  @Test(arguments: [
    ("let a = Foundation.Timer()", "let a = __FoundationTimer()"),
    ("let a: Foundation.ValueTransformer.Type", "let a: __FoundationValueTransformer.Type"),
    ("let a: Foundation.Date", "let a: Foundation.Date"),
    ("let a = b.Foundation.Timer()", "let a = b.Foundation.Timer()"),
    ("import Foundation", "import Foundation"),
    ("import class Foundation.Thread", "import class Foundation.Thread"),
    ("import struct Foundation.SortDescriptor", "import struct Foundation.SortDescriptor"),
  ])
  func `a prepared source has types of the simulation under their full names`(
    source: String, expected: String
  ) throws {
    #expect(try PreparedSource(source).body == expected)
  }

  @Test(arguments: [
    ("func f<A: NSFetchRequestResult>(_ a: A) {}", "func f<A: Any>(_ a: A) {}"),
    ("struct S<A, B: NSFetchRequestResult> {}", "struct S<A, B: Any> {}"),
    ("func f<A>(_ a: A) where A: NSFetchRequestResult {}", "func f<A>(_ a: A) where A: Any {}"),
  ])
  func `a prepared source constrains no type to results`(source: String, expected: String) throws {
    #expect(try PreparedSource(source).body == expected)
  }

  @Test(arguments: [
    "let a: NSFetchRequestResult? = nil", "extension NSFetchRequestResult where Self: Note {}",
    "class Row: NSObject, NSFetchRequestResult {}", "func f(_ a: NSFetchRequestResult) {}",
    "let a: [String: NSFetchRequestResult] = [:]",
    "extension List where A: NSFetchRequestResult {}",
  ])
  func `a prepared source names fetch results elsewhere`(source: String) throws {
    #expect(try PreparedSource(source).body == source)
  }

  @Test(arguments: [
    ("override init(", "required init("),
    ("public override init(", "public required init("),
    ("override public init(", "required public init("),
    ("override private init(", "required  init("),
    ("@objc override init(", " required init("),
    ("@objc override dynamic init(", " required  init("),
    ("override\n  init(", "required\n  init("),
    ("init(", "init("),
  ])
  func `a prepared source requires the initializer that contexts use`(
    start: String, expected: String
  ) throws {
    let rest = """
      entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
      }
      """
    let source = try PreparedSource(start + rest)
    #expect(source.body == expected + rest)
  }

  @Test(arguments: [
    "override init(entity: Int) {}", "override init(coder: NSCoder) {}",
    "override func make(entity: Int, insertInto context: Int) {}",
    "let note = Note.init(entity: entity, insertInto: nil)",
  ])
  func `a prepared source leaves other initializers as they are`(declaration: String) throws {
    #expect(try PreparedSource(declaration).body == declaration)
  }

  @Test(arguments: [
    (
      "Note.fetchRequest() as! NSFetchRequest<Note>",
      "Note.fetchRequest()  ~>! NSFetchRequest<Note>.self "
    ),
    ("request as? NSFetchRequest<Note>", "request  ~>? NSFetchRequest<Note>.self "),
    (
      "request as! NSFetchRequest<Foo<Bar>>", "request  ~>! NSFetchRequest<Foo<Bar>>.self "
    ),
    ("request as! NSFetchRequest", "request as! NSFetchRequest"),
    ("request as NSFetchRequest<Note>", "request as NSFetchRequest<Note>"),
    ("object as! Note", "object as! Note"),
  ])
  func `a prepared source has an operator where it would cast a request`(
    expression: String, expected: String
  ) throws {
    #expect(try PreparedSource("let a = (\(expression), 1)").body == "let a = (\(expected), 1)")
  }

  @Test(arguments: [
    (
      "NSManagedObject(entity: e, insertInto: c)",
      "NSManagedObject.ofEntityClass(entity: e, insertInto: c)"
    ),
    (
      "NSManagedObject.init(entity: e, insertInto: nil)",
      "NSManagedObject.ofEntityClass(entity: e, insertInto: nil)"
    ),
    ("Note(entity: e, insertInto: c)", "Note(entity: e, insertInto: c)"),
    ("NSManagedObject(context: c)", "NSManagedObject(context: c)"),
    ("f(NSManagedObject.self)", "f(NSManagedObject.self)"),
  ])
  func `a prepared source makes objects of the class that their entity names`(
    expression: String, expected: String
  ) throws {
    #expect(try PreparedSource("let a = \(expression)").body == "let a = \(expected)")
  }

  @Test(arguments: [
    ("@objc optional func reload() -> Bool", "needs the Objective-C runtime"),
    ("@objc optional var title: String { get }", "needs the Objective-C runtime"),
  ])
  func `code that needs Objective-C's runtime stops the compilation`(
    text: String, message: String
  ) throws {
    let source = try PreparedSource("import Foundation\n\n\n\(text)")
    let error = try #require(source.errors.first)
    #expect(source.errors.count == 1)
    #expect(error.hasPrefix("4: ") && error.contains(message), "\(error)")
  }

  @Test func `a prepared source names each problem at its line, in order`() throws {
    let source = try PreparedSource(
      "@NSManaged var a = 1\n@NSManaged var b: Int\n@NSManaged func c()\n@objc optional func d() -> Int"
    )
    #expect(source.errors.map { $0.prefix(2) } == ["1:", "3:", "4:"])
  }

  @Test func `a prepared source keeps its lines`() throws {
    let text = """
      import CoreData

      @objc(
        Note
      )
      final class Note: NSManagedObject {
        @NSManaged
        @objc(addTagsObject:)
        public func addToTags(
          _ value: Tag
        )
        let path = #keyPath(
          Note
            .author.name)
        let action = #selector(
          reload)
        let request = Note.fetchRequest() as!
          NSFetchRequest<Note>
        var last = 1
      }
      """
    let source = try PreparedSource(text)
    #expect(source.location == "#sourceLocation(file: \"Source.swift\", line: 1)")
    #expect(source.errors.isEmpty)
    let (lines, prepared) = (
      text.components(separatedBy: "\n"), source.body.components(separatedBy: "\n")
    )
    #expect(lines.count == prepared.count)
    for line in ["final class Note: NSManagedObject {", "  var last = 1", "}"] {
      #expect(lines.firstIndex(of: line) == prepared.firstIndex(of: line))
    }
    #expect(prepared[10] == "  ) { addManaged(\"tags\", value) }")
    #expect(prepared[11].contains("\"author.name\""))
  }
}

@Suite struct `Tasks and actors of a prepared source` {
  private static let name = "name: \"\\(#fileID):\\(#line)\""

  @Test(arguments: [
    ("Task { run() }", "Task(\(name)) { run() }"),
    ("x = Task { run() }", "x = Task(\(name)) { run() }"),
    ("Task.detached { run() }", "Task.detached(\(name)) { run() }"),
    ("Task(priority: .high) { run() }", "Task(\(name), priority: .high) { run() }"),
    ("Task<Void, Never> { run() }", "Task<Void, Never>(\(name)) { run() }"),
    ("Task.detached(priority: .low) {}", "Task.detached(\(name), priority: .low) {}"),
  ])
  func `tasks have their places as names`(source: String, rewritten: String) throws {
    #expect(try PreparedSource(source).body == rewritten)
  }

  @Test(arguments: [
    "extension Task { var x: Int { 0 } }", "class Task: NSManagedObject {}",
    "var task: Task { tasks[0] }", "func next() -> Task { tasks[0] }", "Task(context: context)",
    "Task.fetchRequest()", "let task: Task = Task(name: \"import\") { run() }",
    "try await Task.sleep(for: .seconds(1))", "let actor = Person()", "find(actor: person)",
    "film.actor { $0.name }", "for actor in actors { print(actor) }",
    "guard let actor else { return }",
    "enum Role { case actor\n case director\n var title: String { name } }",
    "list.forEach { actor in\n if actor > 0 { print(actor) } }", "if actor { run() }",
    "let task = Task(priority: .high, title: title)", "var t:\n Task<Void, Never> { get }",
    "actor Own { nonisolated var unownedExecutor: UnownedSerialExecutor { context.executor } }",
    "actor Own {}\nextension Own { nonisolated var unownedExecutor: UnownedSerialExecutor { own } }",
    "protocol A: Actor {}\nprotocol B: Sendable, A {}\nactor Own: Codable, B {}\n"
      + "extension A { nonisolated var unownedExecutor: UnownedSerialExecutor { own } }",
  ])
  func `code that has no tasks stays as it is`(source: String) throws {
    #expect(try PreparedSource(source).body == source)
  }

  @Test(arguments: [
    "actor Store {", "public actor Store<Row>: Sendable where Row: Hashable {",
    "@MainActor enum Names { actor Store {", "@globalActor actor Store {",
    "final actor Store: Keeper {",
    "actor Store<Row: Identifiable> where Row.ID == String {",
    "actor Store<Row: Other>: Sendable {",
  ])
  func `actors have an executor of the simulation`(head: String) throws {
    let other =
      "\nextension Other { nonisolated var unownedExecutor: UnownedSerialExecutor { own } }"
    let body = try PreparedSource(head + " var rows = 0 }" + other).body
    #expect(
      body == head + " nonisolated let __executor = __ActorExecutor(); "
        + "public nonisolated var unownedExecutor: UnownedSerialExecutor "
        + "{ __executor.asUnownedSerialExecutor() }; var rows = 0 }" + other)
  }
}
