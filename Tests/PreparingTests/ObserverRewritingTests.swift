import Preparing
import Testing

@Suite struct `A prepared class that observes` {
  private let method =
    "func observeValue(forKeyPath k: String?, of o: Any?, change: C?, context: P?)"

  @Test func `a class that observes conforms to a protocol instead of overriding`() throws {
    let source = try PreparedSource(
      """
      class List: NSObject {
        override \(method) { super.observeValue(forKeyPath: k, of: o, change: change, context: context) }
      }
      """)
    #expect(
      source.body == """
        class List: NSObject, SimulatedKeyValueObserver {
          nonisolated \(method) { leaveUnobserved(forKeyPath: k, of: o, change: change, context: context) }
        }
        """)
  }

  @Test func `a class may be generic, observe in an extension, or be nonisolated`() throws {
    let source = try PreparedSource(
      """
      final class List<T: P>: NSObject where T: Q {
        public override nonisolated \(method) {}
      }
      extension Other {
        public override \(method) {}
      }
      class Other: NSObject {}
      """)
    #expect(
      source.body == """
        final class List<T: P>: NSObject, SimulatedKeyValueObserver where T: Q {
          public  nonisolated \(method) {}
        }
        extension Other: SimulatedKeyValueObserver {
          public nonisolated \(method) {}
        }
        class Other: NSObject {}
        """)
  }

  @Test func `a class overrides the method of a class of its module`() throws {
    let source = try PreparedSource(
      """
      class A: NSObject { override \(method) {} }
      class B: A {}
      class C: B { override \(method) { super.observeValue(forKeyPath: k, of: o, change: nil, context: nil) } }
      """)
    #expect(
      source.body == """
        class A: NSObject, SimulatedKeyValueObserver { nonisolated \(method) {} }
        class B: A {}
        class C: B { override \(method) { super.observeValue(forKeyPath: k, of: o, change: nil, context: nil) } }
        """)
  }

  @Test func `a class that observes nothing stays as it is`() throws {
    let source = "class A: NSObject {\n  func observeValue(forKeyPath k: String) {}\n}"
    #expect(try PreparedSource(source).body == source)
  }
}

@Suite struct `A prepared test case` {
  @Test func `a test case knows where its tests are`() throws {
    let source = try PreparedSource(
      """
      class Base: XCTestCase {}
      final class A: Base {
        func testB() { func testInner() {} }
        private let x = 1
        @MainActor func testC() async throws {}
      }
      """)
    #expect(
      source.body.contains(
        "super.testPlaces.merging([\"testB\": (#filePath, 3), \"testC\": (#filePath, 5)]) { $1 }"))
    #expect(source.body.split(separator: "\n", omittingEmptySubsequences: false).count == 6)
    #expect(try PreparedSource("class A: P { func testB() {} }").body.contains("Places") == false)
  }
}
