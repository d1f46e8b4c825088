import Catalogue
import InputFiles
import TestSupport
import Testing

/// The coverage is read once, because each scenario is run three times for it.
private let coverage = Result { try FactCoverage(root: Repository.root) }

@Suite struct `The list of facts` {
  @Test func `the list of facts can be read and has every area`() throws {
    let list = try coverage.get().list
    #expect(list.facts.count >= 441)
    #expect(list.facts.count { $0.id.isPoint } == 29)
  }

  /// `faultline facts` says whether each fact is shown.
  @Test func `the list of facts has every fact that is named`() throws {
    let problems = try coverage.get().problems
    #expect(problems.filter { $0.file != FactCoverage.listPath } == [])
  }
}

@Suite struct `The page of facts` {
  @Test func `the page of facts is what 'make facts' would write`() throws {
    let page = FactsPage(try coverage.get()).text
    let written = try TextFile.read(path: Repository.root + "/" + FactCoverage.pagePath)
    let lines = page.split(separator: "\n")
    let writtenLines = written.split(separator: "\n")
    let index = zip(lines, writtenLines).prefix { $0 == $1 }.count
    let isUpToDate = page == written
    #expect(
      isUpToDate,
      "run 'make facts': it would write \(index < lines.count ? lines[index] : "nothing more")")
  }

  @Test func `the page of facts links files that exist`() throws {
    let page = FactsPage(try coverage.get()).text
    let links = page.matches(of: /\]\(([^)#]+)/).map { String($0.output.1) }
    #expect(links.count > 100)
    for link in links {
      #expect(!link.hasPrefix("/"))
      #expect(throws: Never.self) {
        try TextFile.read(path: Repository.root + "/Scenarios/" + link)
      }
    }
  }

  @Test func `the page of facts says where a fact is shown, or why not`() throws {
    let folder = try ScratchFolder()
    try folder.write(
      """
      section  Invented | section
        AB-01  certain  A `test` <shows> it | *all*.
        AB-02  likely  Nothing shows it.
          excused  kvo  no such thing
        X-01  contested  Which?
          about  AB-01 AB-02
        X-02  contested  Who?
        AB-03  certain  Nothing shows this either.
        AB-04  likely  Nor this.

      """, to: FactCoverage.listPath)
    try folder.write("@Test // AB-01\n", to: "Tests/FaultlineTests/NoteTests.swift")
    let page = FactsPage(try FactCoverage(root: folder.path)).text
    let lines = page.split(separator: "\n").map(String.init)
    #expect(
      lines.suffix(6) == [
        "| AB-01 | A \\`test\\` \\<shows> it \\| \\*all\\*. | certain |  | "
          + "[FaultlineTests/NoteTests:1](../Tests/FaultlineTests/NoteTests.swift#L1) |",
        "| AB-02 | Nothing shows it. | likely |  | *not simulated* (`kvo`): no such thing |",
        "| X-01 | Which? | contested |  | see AB-01 |",
        "| X-02 | Who? | contested |  | *not shown* |",
        "| AB-03 | Nothing shows this either. | certain |  | *open* |",
        "| AB-04 | Nor this. | likely |  | *not shown* |",
      ])
    #expect(lines.contains("| **all** | **6** | **0** | **2** | **1** | **2** | **1** |"))
  }
}
