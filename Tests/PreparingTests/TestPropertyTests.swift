import Testing

@Suite struct `Properties of a test case` {
  @Test func `properties that call something are made in the run, in order`() throws {
    let source = try PreparedSource(
      """
      @objc final class A: XCTestCase {
        let stack = Stack(kind: .inMemory)
        private var context: NSManagedObjectContext { stack.context }
        private(set) var names: [String] = {
          ["a"]
        }()
        var sut: Model!
        func testB() { let local = f(); _ = local }
      }
      """)
    let lines = source.body.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[1] == "  lazy var stack = Stack(kind: .inMemory)")
    #expect(lines[3] == "  private(set) lazy var names: [String] = {")
    #expect(
      lines[0].hasSuffix(
        " public override func __makeProperties() "
          + "{ super.__makeProperties(); _ = stack; _ = names };"))
    #expect(lines[7] == "  func testB() { let local = f(); _ = local }")
    #expect(lines.count == 9 && source.errors.isEmpty)
  }

  @Test(arguments: [
    "let count = 5", "var names: [String] = []", "var saves = 0 + 1", "static let stack = Stack()",
    "class var stack: Stack { Stack() }", "lazy var stack = Stack()", "var stack: Stack!",
    "nonisolated let stack = Stack()", "@Published var stack = Stack()", "weak var stack = make()",
    "let (a, b) = pair()", "let a = Stack(), b = 2", "var first: Int { get { 1 } }",
    "var isOn = false", "var name: String? = nil", "let title = \"a\"",
    "nonisolated(unsafe) var stack = Stack()", "@available(iOS 17, *) let stack = Stack()",
    "private(set) static var stack = Stack()", "var first: Int!\n  func setUp() { first = f() }",
  ])
  func `properties stay if they call nothing, or cannot be lazy`(property: String) throws {
    let source = try PreparedSource("class A: XCTestCase {\n  \(property)\n}")
    #expect(source.body == "class A: XCTestCase {\n  \(property)\n}")
  }

  @Test(arguments: [
    "context = PersistenceController.preview.viewContext", "note: Note = .sample",
    "stack = TestStack.fresh", "store = Repository<Note, DTO>(stack)", "pair: (Int, Int) = other",
    "path = \"/tmp/\\(name)\"",
  ])
  func `properties that name what may be computed are made in the run`(property: String) throws {
    let source = try PreparedSource("class A: XCTestCase {\n  let \(property)\n}")
    #expect(source.body.hasSuffix("\n  lazy var \(property)\n}"))
  }

  @Test func `properties keep their attributes and modifiers`() throws {
    let source = try PreparedSource(
      """
      class A: XCTestCase {
        @Wrapper(key: 1) final class Spy: Base {}
        let stack = Stack()
        var names = list.lazy
        private(set) var other = Stack()
      }
      """)
    #expect(source.body.contains("  lazy var stack = Stack()\n"))
    #expect(source.body.contains("  private(set) lazy var other = Stack()\n"))
    #expect(source.body.contains("_ = stack; _ = names; _ = other }"))
  }

  @Test func `properties below another module's class are made when they are first used`() throws {
    let source = try PreparedSource("class A: DatabaseTestCase { let stack = Stack() }")
    #expect(source.body == "class A: DatabaseTestCase { lazy var stack = Stack() }")
  }

  @Test func `properties of the main actor are made when they are first used`() throws {
    let source = try PreparedSource(
      """
      @MainActor public final class A: XCTestCase {
        let stack = Stack()
      }
      final class B: A {
        let other = Stack()
      }
      class C: P { let stack = Stack() }
      @MainActor @available(iOS 17, *) final class D: XCTestCase { let third = Stack() }
      """)
    #expect(!source.body.contains("__makeProperties"))
    #expect(source.body.contains("  lazy var stack = Stack()\n"))
    #expect(source.body.contains("  lazy var other = Stack()\n"))
    #expect(source.body.contains("{ lazy var third = Stack() }"))
    #expect(source.body.contains("class C: P { let stack = Stack() }"))
  }
}
