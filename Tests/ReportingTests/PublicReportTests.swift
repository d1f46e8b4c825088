import Campaigns
import Failures
import Foundation
import InputFiles
import Invariants
import Scenario
import ScenarioChecking
import TestSupport
import Testing

/// The designs of `Fixtures/Reports`, as listed in its table.
@Suite struct `A public report` {
  private static let folder = Repository.root + "/Fixtures/Reports"

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let kind: String
    /// The number of programs of 2,000 that show the kind.
    let count: Int
    let isMended: Bool

    /// The number of programs that a test runs. Rare failures need all that the table counts.
    var runs: Int { count < 100 ? 2_000 : 200 }

    var testDescription: String { name }
  }

  private static let rows: [Row] = {
    let page = try? TextFile.read(path: folder + "/README.md")
    return (page ?? "").split(separator: "\n").compactMap { line in
      let cells = line.split(separator: "|").map { $0.trimmingPrefix(" ").split(separator: " ") }
      guard cells.count == 5, let name = cells[0].first, name.hasPrefix("`"),
        let count = Int(cells[3].joined().filter { $0 != "," })
      else { return nil }
      return Row(
        name: String(name.dropFirst().dropLast()), kind: cells[2].joined(separator: " "),
        count: count, isMended: cells[4] == ["0"])
    }
  }()

  /// Returns the kinds of failures that a campaign shows.
  private func kinds(of row: Row, on stack: String) throws -> [String] {
    let folder = "\(Self.folder)/\(row.name)"
    let design = try StackDesign(path: "\(folder)/\(stack).stack")
    let own = "\(folder)/\(stack).model"
    let path = (try? TextFile.read(path: own)) == nil ? folder + "/design.model" : own
    let model = try #require(design.model(suiting: ModelFile.read(path: path)))
    var settings = CampaignSettings(models: [.file(path: path, model)])
    (settings.stack, settings.runs, settings.seed) = (design.stack, row.runs, 11)
    return FuzzCampaign(settings).survey().failureTallies.map(\.kind.name)
  }

  @Test func `a public report is in the table, or is said to be missed`() throws {
    #expect(Self.rows.count >= 20)
    let page = try TextFile.read(path: Self.folder + "/README.md")
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
    for name in folders where name != "README.md" { #expect(page.contains("`\(name)`")) }
  }

  /// The article's last two columns count designs found as a violation of the invariant, and
  /// reported scenarios that show one.
  @Test func `the table of invariants counts the public reports`() throws {
    let shown: [Set<Invariant>] = try Repository.scenarios().compactMap { path, scenario in
      guard scenario.evidence == .reported else { return nil }
      return Set(ScenarioRunner(scenario).run().violations.map(\.invariant))
    }
    #expect(shown.count >= 100)
    let path = Repository.root + "/Sources/Faultline/Faultline.docc/Invariants.md"
    let lines = try TextFile.read(path: path).split(separator: "\n")
    for line in lines where line.hasPrefix("| ") && !line.hasPrefix("| invariant") {
      let judged = Set(Invariant.allCases.filter { line.contains($0.sentence) })
      #expect(!judged.isEmpty, "\(line)")
      let designs = Self.rows.count { row in
        FailureKind(row.kind)?.invariant.map(judged.contains) == true
      }
      let scenarios = shown.count { !$0.isDisjoint(with: judged) }
      #expect(
        line.hasSuffix("| \(designs) | \(scenarios) |"),
        "\(line) should end with | \(designs) | \(scenarios) |")
    }
  }

  @Test(arguments: rows)
  func `a public report is found on its design, and not on the mended one`(row: Row) throws {
    #expect(try kinds(of: row, on: "design").contains(row.kind))
    if row.isMended {
      #expect(try !kinds(of: row, on: "mended").contains(row.kind))
    }
  }
}
