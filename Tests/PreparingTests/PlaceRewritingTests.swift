import Preparing
import Testing

@Suite struct `A call that hands over a block` {
  @Test(arguments: [
    ("storage.perform { work() }", "simulatedPlace(); storage.perform { work() }"),
    (
      "func f() {\n  self.storage?.main!.perform { work() }\n}",
      "func f() {\n  simulatedPlace(); self.storage?.main!.perform { work() }\n}"
    ),
    (
      "let a = b\nstorage.perform { work() }",
      "let a = b\nsimulatedPlace(); storage.perform { work() }"
    ),
  ])
  func `a call as a statement notes its place`(source: String, result: String) throws {
    #expect(try PreparedSource(source).body == result)
  }

  @Test(arguments: [
    "let result = storage.perform { 1 }", "await storage.perform { work() }",
    "return\n  storage.perform { work() }", "let a =\n  storage.perform { work() }",
    "store(of: 1).perform { work() }", "storage.perform(work)", "func perform() { work() }",
    "let all = [\n  a.perform { 1 },\n]",
  ])
  func `a call that is part of an expression, or of another kind, stays`(source: String) throws {
    #expect(try PreparedSource(source).body == source)
  }
}
