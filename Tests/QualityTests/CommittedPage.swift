import Vocabulary
import Foundation
import Shrinking
import SimulatedCoreData
import Testing

/// The measurements in `Tests/QUALITY.md` meet the requirements for searching and shrinking. A new
/// measurement that finds less fails here.
@Suite struct `The committed measurements` {
  /// Returns the rows of the table below a heading, without the head, each by column.
  private func rows(below heading: String) throws -> [[String: String]] {
    let path = `The page of measurements`.root + "/Tests/QUALITY.md"
    let page = try String(contentsOfFile: path, encoding: .utf8)
    let section = try #require(page.components(separatedBy: "\n## \(heading)\n").dropFirst().first)
      .components(separatedBy: "\n## ")[0]
    let lines = section.components(separatedBy: "\n").filter { $0.hasPrefix("|") }.map { line in
      line.components(separatedBy: "|").dropFirst().dropLast().map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
    let head = try #require(lines.first)
    return lines.dropFirst(2).map { Dictionary(uniqueKeysWithValues: zip(head, $0)) }
  }

  private func number(_ row: [String: String], _ column: String, at index: Int = 0) throws -> Int {
    let parts = try #require(row[column]).components(separatedBy: ", ")
    return try #require(Int(parts[index]), "\(row)")
  }

  @Test func `shrunk failures are certified, cheap and quick`() throws {
    let rows = try rows(below: "Shrinking")
    // The first row of a class is about all of its cases.
    let classes = try Dictionary(grouping: rows) { $0["class"] ?? "" }.values.map {
      try #require($0.first)
    }
    let full = try classes.filter { try number($0, "cases") == 200 }
    #expect(full.count >= 12)
    // The requirement is ten.
    #expect(
      try full.count {
        try number($0, "certified") == 200 && number($0, "least") == 200
          && number($0, "answers") <= 2
      } >= 18)
    for row in rows {
      // One search in a hundred may spend its budget.
      #expect(try number(row, "certified") * 100 >= number(row, "cases") * 99, "\(row)")
      #expect(try number(row, "runs: mean, median, most") < 400, "\(row)")
      #expect(try number(row, "ms: median, most") < 1_000, "\(row)")
      #expect(try number(row, "ms: median, most", at: 1) < 5_000, "\(row)")
    }
  }

  /// Classes that have more than two answers to one cause, or whose cases end with different
  /// numbers of steps.
  private static let manyAnswers: Set<String> = [
    // A child context saves a step, which searches give to no program that has only a root.
    "nullifySkipsToOnes"
  ]

  @Test func `failures of one cause lead to at most two answers of as many steps`() throws {
    for row in try rows(below: "Shrinking") where row["cause"]?.hasPrefix("**") == false {
      if Self.manyAnswers.contains(row["class"] ?? "") { continue }
      #expect(try number(row, "answers") <= 2, "\(row)")
      let cases = try number(row, "cases")
      #expect(try number(row, "least") >= cases - max(2, cases / 100), "\(row)")
    }
  }

  @Test func `the measurements cover all classes, bugs and passes`() throws {
    func names(_ heading: String, _ column: String) throws -> Set<String> {
      Set(try rows(below: heading).compactMap { $0[column] }.filter { !$0.hasPrefix("**") })
    }
    #expect(try names("Shrinking", "class") == Set(FailureClass.all.map(\.name)))
    let bugs = try names("Runs that show a planted bug", "bug")
      .map { $0.replacingOccurrences(of: " *", with: "") }
    #expect(Set(bugs) == Set(PlantedBug.allCases.map(\.name)))
    let passes = try names("What each pass is worth", "without").subtracting(["nothing"])
    #expect(passes == Set(ProgramPass.allCases.map { "\($0)" }))
  }

  @Test func `failures of long programs are certified within ten seconds`() throws {
    for row in try rows(below: "Long programs") {
      #expect(try number(row, "certified") == number(row, "cases"), "\(row)")
      #expect(try number(row, "ms: median, most", at: 1) < 10_000, "\(row)")
    }
  }

  @Test func `every planted bug is found, and most soon`() throws {
    let rows = try rows(below: "Runs that show a planted bug")
    let medians = try rows.filter { !($0["bug"] ?? "").hasPrefix("**") }.map {
      try number($0, "first run: median, of 9 in 10, series without")
    }
    #expect(medians.count >= 60 && medians.sorted()[medians.count / 2] < 200)
    let neverSeen = try #require(rows.first { $0["bug"] == "**never seen**" })
    #expect(neverSeen["portfolio"] == "0", "\(neverSeen)")
  }

  /// Returns the interval of each column's share, written as in `14 (7–29)`.
  @Test(arguments: ["Schedules that show a bug", "Runs that show a planted bug"])
  func `no strategy is surely better in the worst case`(heading: String) throws {
    let row = try #require(
      rows(below: heading).first { ($0["bug"] ?? "").hasPrefix("**worst case") })
    let intervals = try row.filter { $0.value.contains("(") && $0.key != "bug" }
      .mapValues { text in
        let numbers = try #require(text.firstMatch(of: /\(([0-9]+)–([0-9]+)\)/), "\(text)")
        return (low: try #require(Int(numbers.1)), high: try #require(Int(numbers.2)))
      }
    #expect(intervals.count == 9)
    let portfolio = try #require(intervals["portfolio"])
    for (strategy, interval) in intervals {
      #expect(interval.low <= portfolio.high, "\(strategy)")
    }
  }

  @Test func `the answers of the challenge are the best known in every case`() throws {
    for row in try rows(below: "The shrinking challenge") {
      #expect(try number(row, "best") == 100, "\(row)")
    }
  }
}
