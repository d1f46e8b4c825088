import Catalogue
import InputFiles
import TestSupport
import Testing
import Vocabulary

/// A checkout of a few files, with invented facts.
private struct SmallCheckout {
  let folder: ScratchFolder

  init(facts: String) throws {
    folder = try ScratchFolder()
    try folder.write("section  Invented\n" + facts + "\n", to: FactCoverage.listPath)
  }

  /// Writes a scenario that passes. Under `documented` it passes only if it does not depend on a
  /// quirk.
  func scenario(_ name: String, evidence: String, claim: String = "changed  view") throws {
    let steps = "  edit  insert Note as n\n  edit  set n.title \"a\"\n  edit  save"
    let text = smallScenario(name, evidence: evidence, steps: steps, claims: "  " + claim)
    try folder.write("# Some prose.\n\n" + text, to: "Scenarios/Group/\(name).scenario")
  }

  func test(_ text: String, in path: String = "SimulatedCoreDataTests/NoteTests.swift") throws {
    try folder.write("@Test func works() {}\n" + text + "\n", to: "Tests/" + path)
  }

  func problems() throws -> [String] {
    try FactCoverage(root: folder.path).problems.map(\.description)
  }

  func places(of id: String) throws -> [FactCoverage.Place] {
    try FactCoverage(root: folder.path).places(of: try #require(FactID(id)))
  }
}

private let open =
  "is open: neither the 'evidence' of a scenario nor a test names it, and it is not excused"

@Suite struct `The facts of a checkout` {
  @Test func `a fact is shown by scenarios and tests, or excused`() throws {
    let checkout = try SmallCheckout(
      facts: """
          AB-01  certain  A scenario shows it.
          AB-A1  tested  A test shows it.
          AB-02  likely  Nothing can show it.
            excused  kvo  no such thing
          X-01  contested  Which?
            about  AB-01
        """)
    try checkout.scenario("first", evidence: "observed  AB-01, seed 000")
    try checkout.test("// AB-A1: so it is.")
    #expect(try checkout.problems() == [])
    #expect(try checkout.places(of: "AB-01").map(\.path) == ["Scenarios/Group/first.scenario"])
    #expect(try checkout.places(of: "AB-01").first?.line == nil)
    #expect(
      try checkout.places(of: "AB-A1").map(\.path) == [
        "Tests/SimulatedCoreDataTests/NoteTests.swift"
      ])
    #expect(try checkout.places(of: "AB-A1").first?.line == 2)
  }

  @Test func `a scenario that shows the contrary does not show a fact`() throws {
    let checkout = try SmallCheckout(
      facts: """
          AB-01  certain  Only the contrary is shown.
          AB-02  certain  Both are.
          AB-03  certain  It is too.
          AB-04  certain  It is shown.
        """)
    try checkout.scenario("first", evidence: "observed  against AB-01 to AB-03, AB-04")
    try checkout.scenario("second", evidence: "observed  AB-02")
    #expect(
      try checkout.problems() == [
        "Fixtures/Facts.txt:2: AB-01 \(open)", "Fixtures/Facts.txt:4: AB-03 \(open)",
      ])
    let coverage = try FactCoverage(root: checkout.folder.path)
    let id = try #require(FactID("AB-02"))
    #expect(coverage.places(of: id).map(\.path) == ["Scenarios/Group/second.scenario"])
    #expect(coverage.contraryPlaces(of: id).map(\.path) == ["Scenarios/Group/first.scenario"])
    #expect(
      FactsPage(coverage).text.contains(
        "[second](Group/second.scenario); the contrary: [first](Group/first.scenario)"))
  }

  @Test func `a fact that nothing names is open`() throws {
    let checkout = try SmallCheckout(
      facts: "  AB-01  certain  A.\n  AB-A1  noted  B.\n")
    #expect(
      try checkout.problems() == [
        "Fixtures/Facts.txt:2: AB-01 " + open, "Fixtures/Facts.txt:3: AB-A1 " + open,
      ])
  }

  @Test func `an uncertain fact may go unshown`() throws {
    let checkout = try SmallCheckout(
      facts: "  AB-01  likely  A.\n  AB-02  contested  B.\n  C1  contested  C?\n    about  AB-01\n")
    #expect(try checkout.problems() == [])
    let coverage = try FactCoverage(root: checkout.folder.path)
    #expect(coverage.list.facts.allSatisfy { coverage.standing(of: $0) == .notShown })
  }

  @Test func `a fact must not be both shown and excused`() throws {
    let checkout = try SmallCheckout(
      facts: "  AB-01  certain  A.\n    excused  kvo  no such thing\n")
    try checkout.test("// AB-01")
    #expect(
      try checkout.problems() == [
        "Fixtures/Facts.txt:2: AB-01 is excused, but "
          + "Tests/SimulatedCoreDataTests/NoteTests.swift shows it; drop one of the two"
      ])
  }

  @Test func `at most 45 facts may be excused`() throws {
    let facts = (1...46).map { "  AB-A\($0)  tested  A.\n    excused  kvo  no such thing" }
    #expect(
      try SmallCheckout(facts: facts.joined(separator: "\n")).problems() == [
        "Fixtures/Facts.txt: 46 facts are excused; at most 45 may be"
      ])
    #expect(
      try SmallCheckout(facts: facts.dropLast().joined(separator: "\n")).problems() == [])
  }

  @Test(arguments: [
    "Scenarios/README.md", "Sources/SEMANTICS.md", "Sources/A/B.swift", "Tests/ToolTests/A.swift",
    "README.md",
  ]) func `the list must have each fact that a text names`(path: String) throws {
    let checkout = try SmallCheckout(facts: "  AB-01  certain  A.\n")
    try checkout.test("// AB-01")
    try checkout.folder.write("Some text.\nIn it AB-01 and AB-02.\n", to: path)
    #expect(
      try checkout.problems() == [
        "\(path):2: 'AB-02' is not in Fixtures/Facts.txt; did you mean 'AB-01'?"
      ])
  }

  @Test func `the list must have each fact that a scenario names, prose included`() throws {
    let checkout = try SmallCheckout(facts: "  AB-01  certain  A.\n")
    try checkout.scenario("first", evidence: "observed  AB-01, XY-77 (a source)")
    #expect(
      try checkout.problems() == [
        "Scenarios/Group/first.scenario:4: 'XY-77' is not in Fixtures/Facts.txt; "
          + "there is 'AB-01'"
      ])
  }

  @Test func `a fact is shown under the profiles that its scenario passes`() throws {
    let checkout = try SmallCheckout(facts: "  AB-01  certain  A.\n  AB-02  certain  A.\n")
    try checkout.scenario("first", evidence: "observed  AB-01")
    try checkout.scenario("second", evidence: "observed  AB-02", claim: "clean  view")
    #expect(try checkout.places(of: "AB-01").map(\.profiles) == [[.documented, .legacy, .current]])
    #expect(try checkout.places(of: "AB-02").map(\.profiles) == [[]])
  }

  @Test func `a fact is found first where it is named first`() throws {
    let checkout = try SmallCheckout(facts: "  AB-01  certain  A.\n  AB-02  certain  A.\n")
    try checkout.scenario("a", evidence: "observed  AB-02, AB-01")
    try checkout.scenario("b", evidence: "observed  AB-01, AB-02")
    try checkout.test("// AB-01")
    #expect(
      try checkout.places(of: "AB-01").map { String($0.path.suffix(10)) } == [
        "b.scenario", "a.scenario", "ests.swift",
      ])
  }

  @Test func `a checkout without a list of facts is refused`() throws {
    let folder = try ScratchFolder()
    #expect(throws: InputError.self) { try FactCoverage(root: folder.path) }
  }
}

@Suite struct `A test` {
  private static let facts =
    (1...12).map { "  AB-\($0 < 10 ? "0" : "")\($0)  likely  A.\n" }.joined()
    + "  C4  contested  A?\n"

  private func shown(by text: String, in path: String = "SimulatedCoreDataTests/NoteTests.swift")
    throws -> [String]
  {
    let checkout = try SmallCheckout(facts: `A test`.facts)
    try checkout.test(text, in: path)
    let coverage = try FactCoverage(root: checkout.folder.path)
    return coverage.list.facts.map(\.id).filter { !coverage.places(of: $0).isEmpty }
      .map(\.description)
  }

  @Test(arguments: [
    ("// AB-01", ["AB-01"]),
    ("/// Both AB-02 and (AB-01).", ["AB-01", "AB-02"]),
    ("func `is one (AB-03)`() {}", ["AB-03"]),
    ("@Test(\"is one (AB-03)\")", ["AB-03"]),
    ("// AB-03 to AB-05, AB-07", ["AB-03", "AB-04", "AB-05", "AB-07"]),
    ("// AB-03 up to AB-05", ["AB-03", "AB-05"]),
    ("// XAB-01, AB-010, AB-1, _AB-01, AB-01-x, äAB-01, AB-", []),
    ("// the contexts C4 and C5", []),
    ("// contested: C4", ["C4"]),
    ("// AB-01, C4", ["AB-01", "C4"]),
  ]) func `a test shows the facts that it names`(text: String, ids: [String]) throws {
    #expect(try shown(by: text) == ids)
  }

  @Test(arguments: [
    "ScenarioTests/NoteTests.swift", "ToolTests/NoteTests.swift", "FaultlineTests/Facts/A.swift",
  ]) func `a test of texts shows no fact`(path: String) throws {
    #expect(try shown(by: "// AB-01", in: path) == [])
  }

  @Test func `a helper without tests shows no fact`() throws {
    let checkout = try SmallCheckout(facts: `A test`.facts)
    try checkout.folder.write("// AB-01\n", to: "Tests/SimulatedCoreDataTests/Helper.swift")
    #expect(try checkout.places(of: "AB-01").isEmpty)
  }
}
