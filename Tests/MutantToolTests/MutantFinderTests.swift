import MutantTool
import Testing

@Suite struct `A source` {
  private func changes(_ source: String) -> [String] {
    MutantFinder.mutants(of: source, path: "A.swift", first: 1).map(\.change)
  }

  /// Returns the source with its only mutant.
  private func rewritten(_ source: String) -> String? {
    let mutants = MutantFinder.mutants(of: source, path: "A.swift", first: 7)
    return mutants.count == 1 ? MutantTree.rewritten(source, mutants[0].edits) : nil
  }

  @Test(arguments: [
    ("let a = b == c", "== → !="), ("let a = b < c", "< → <="), ("let a = b && c", "&& → ||"),
    ("let a = b - c", "- → +"), ("let a = f(b..<c)", "..< → ..< to one before"),
  ]) func `operators of two operands have mutants`(source: String, change: String) {
    #expect(changes(source) == [change])
  }

  @Test(arguments: [
    "let a: Array<Int>", "let a = -b", "let a = b[c...]", "func < (a: A, b: A) -> Bool",
    "let a = \"b == c\"", "// b == c", "assert(b == c, \"d\")", "extension A where B == C {",
  ]) func `a source has no mutants where nothing is computed`(source: String) {
    #expect(changes(source) == [])
  }

  @Test func `each mutant of an operator stands in the place of the old one`() {
    #expect(rewritten("let a = b == c") == "let a = b ==∇ c")
  }

  @Test func `conditions have mutants, but bindings and patterns have none`() {
    #expect(rewritten("if let a = b, isOpen {") == "if let a = b, mutated(7, isOpen) {")
    #expect(
      rewritten("guard case .a = b, c.contains(d) else {")
        == "guard case .a = b, mutated(7, c.contains(d)) else {")
    #expect(rewritten("for a in b where isOpen {") == "for a in b where mutated(7, isOpen) {")
  }

  @Test func `jumps and answers have mutants`() {
    #expect(
      rewritten("guard let a else { continue }")
        == "guard let a else { if activeMutant == 7 { break } else { continue } }")
    #expect(rewritten("{ return true }") == "{ return mutated(7, true) }")
    #expect(rewritten("let a = b.first") == "let a = b.first(mutant: 7)")
    #expect(rewritten("let a = max(b, c)") == "let a = max(mutant: 7, b, c)")
  }

  @Test func `statements over several lines have mutants, except in initializers`() {
    #expect(
      rewritten("func a() {\n  b.c(\n    d)\n}")
        == "func a() {\n  if activeMutant != 7 { b.c(\n    d) }\n}")
    #expect(
      rewritten("func a() {\n  b = c\n}") == "func a() {\n  if activeMutant != 7 { b = c }\n}")
    #expect(changes("init() {\n  b = c\n}") == [])
  }

  /// Both mutants are in the source at once, one inside the other.
  @Test func `a mutant can stand within another mutant`() {
    let source = "func a() {\n  b = c == d\n}"
    let mutants = MutantFinder.mutants(of: source, path: "A.swift", first: 1)
    #expect(
      MutantTree.rewritten(source, mutants.flatMap(\.edits))
        == "func a() {\n  if activeMutant != 1 { b = c ==∂ d }\n}")
  }
}

@Suite struct `Compiler errors` {
  @Test func `errors name the file below the root, and the line`() {
    let output = """
      /tree/Sources/A/B.swift:12:3: error: cannot find 'c' in scope
      /tree/Sources/A/B.swift:14:3: warning: result of call to 'c' is unused [#no-usage]
      /tree/Sources/A/B.swift:15:3: warning: will never be executed
      elsewhere: error: no such module
      """
    let errors = MutantTree.errors(in: output, below: "/tree")
    #expect(
      errors == [
        .init(path: "Sources/A/B.swift", line: 12), .init(path: "Sources/A/B.swift", line: 14),
      ])
  }
}

@Suite struct `A draw` {
  private let mutants = (1...90).map { number in
    Mutant(
      number: number, path: number <= 80 ? "Long.swift" : "Short.swift", line: number,
      change: "== → !=", edits: [])
  }

  @Test func `a draw takes as many from a short file as from a long one`() {
    let drawn = MutantRunner.drawn(12, from: mutants, seed: 1)
    #expect(drawn.count { $0.path == "Short.swift" } == 6)
    #expect(drawn.map(\.number) == drawn.map(\.number).sorted())
    #expect(MutantRunner.drawn(30, from: mutants, seed: 1).count == 30)
  }

  @Test func `a draw is a function of its seed`() {
    func numbers(_ seed: UInt64) -> [Int] {
      MutantRunner.drawn(12, from: mutants, seed: seed).map(\.number)
    }
    #expect(numbers(1) == numbers(1))
    #expect(numbers(1) != numbers(2))
  }
}
