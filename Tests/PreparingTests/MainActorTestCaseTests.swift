import Testing

@Suite struct `A class of tests of the main actor` {
  @Test func `sets up and tears down as code of the main actor`() throws {
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

  @Test func `has tests that XCTest can list on Linux`() throws {
    let source = try PreparedSource(
      """
      @MainActor final class NoteTests: XCTestCase {
        func testSaves() throws { try save() }
        func testWaits() async { await wait() }
        func testing(_ note: Note) { check(note) }
      }
      """)
    #expect(
      source.body == """
        @MainActor final class NoteTests: XCTestCase {
          nonisolated func testSaves() throws { try simulatedMainActor { try save() } }
          func testWaits() async { await wait() }
          func testing(_ note: Note) { check(note) }
        }
        """)
  }

  @Test func `is told from one of no actor`() throws {
    let text = "final class NoteTests: XCTestCase { override func setUp() { make() } }"
    #expect(try PreparedSource(text).body == text)
  }
}
