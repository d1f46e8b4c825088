import Testing

@Suite struct `A class of tests of the main actor` {
  @Test func `a main-actor test case sets up and tears down on the main actor`() throws {
    let source = try PreparedSource(
      """
      @MainActor final class NoteTests: XCTestCase {
        override func setUp() { super.setUp(); make() }
        override func tearDownWithError() throws { try remove() }
        override func tearDown() async throws { try await wait() }
        func setUpOthers() { make() }
      }
      """)
    #expect(
      source.body == """
        @MainActor final class NoteTests: XCTestCase {
          override func setUp() { simulatedMainActor { super.setUp(); make() } }
          override func tearDownWithError() throws { try simulatedMainActor { try remove() } }
          override func tearDown() async throws { try await wait() }
          func setUpOthers() { make() }
        }
        """)
  }

  @Test(arguments: [
    (
      "func testSaves() throws { try save() }",
      "nonisolated func testSaves() throws { try simulatedMainActor { try save() } }"
    ),
    ("func testWaits() async { await wait() }", "func testWaits() async { await wait() }"),
    ("func testing(_ note: Note) { check(note) }", "func testing(_ note: Note) { check(note) }"),
  ])
  func `XCTest can list tests of a main-actor test case`(method: String, expected: String) throws {
    let source = try PreparedSource(
      "@MainActor final class NoteTests: XCTestCase {\n  \(method)\n}")
    #expect(source.body.hasSuffix("\n  \(expected)\n}"))
  }

  @Test func `a test case of no actor stays as it is`() throws {
    let text = "final class NoteTests: XCTestCase { override func setUp() { make() } }"
    #expect(try PreparedSource(text).body == text)
  }
}
