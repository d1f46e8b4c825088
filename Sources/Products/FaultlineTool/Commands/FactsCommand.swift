import Calibration
import Catalogue
import Foundation
import InputFiles
import Prose
import Scenario
import Vocabulary

/// The command `faultline facts`.
enum FactsCommand {
  static let options = ["root", "write", "observed"]

  private static let help = """
    faultline facts          checks the list of facts, Fixtures/Facts.txt: a scenario or a test must show
                             each certain or tested fact, or the list must excuse it. Every ID that is
                             named anywhere must be in the list. Counts the other facts that are not shown
    faultline facts --write  checks, and writes Scenarios/FACTS.md, which names the scenarios of each fact
    faultline facts --observed FILE
                             keeps a report of a calibration package ('faultline calibration') in
                             Fixtures/Observed, and adds its results to Scenarios/FACTS.md; may be
                             repeated. If a report is not valid, no report is kept
    faultline facts ID…      explains IDs such as those in the 'evidence' of a scenario

    Exit code 1 if the check finds a problem, or if Scenarios/FACTS.md is out of date. --write and
    --observed write Scenarios/FACTS.md even if the check finds a problem. Exit code 2 if a file cannot
    be read or is not valid.

      --root DIR   the checkout to read and to write to; by default the checkout that the tool was
                   built in, or else the one around the current folder

      faultline facts SV-04 MP-27
      faultline facts --observed report.json
      faultline facts --write && git diff --stat Scenarios/FACTS.md
    """

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, known: options, repeatable: ["observed"])
    if arguments.has("help") {
      print(help)
      return 0
    }
    guard let root = arguments.text("root") ?? checkout else {
      throw UsageError(
        message: "no \(FactCoverage.listPath) here; run this inside a checkout or give '--root DIR'"
      )
    }
    let ids = arguments.positional
    let reports = arguments.texts("observed")
    let write = arguments.has("write") || !reports.isEmpty
    if write, !ids.isEmpty {
      let option = reports.isEmpty ? "--write" : "--observed"
      throw UsageError(message: "'\(option)' applies to all facts; leave out \(ids[0])")
    }
    if !reports.isEmpty { try keep(reports, root: root) }
    let coverage = try FactCoverage(root: root)
    if !ids.isEmpty { return try explain(ids, coverage) }
    let page = FactsPage(coverage).text
    if write { try self.write(page, below: root) }
    return check(coverage, isPageCurrent: page == (try? TextFile.read(path: pagePath(root))))
  }

  static var checkout: String? {
    Checkout.path(FactCoverage.listPath).map { path in
      let root = path.dropLast(FactCoverage.listPath.count)
      return root.isEmpty ? "." : String(root.dropLast())
    }
  }

  private static func explain(_ ids: [String], _ coverage: FactCoverage) throws -> Int32 {
    let facts = try ids.map { try fact($0, coverage.list) }
    for (index, fact) in facts.enumerated() {
      if index > 0 { print() }
      print("\(fact.id)  \(fact.sentence)")
      print("    \(fact.grade.rawValue): \(fact.grade.meaning)")
      for place in coverage.places(of: fact.id) + coverage.contraryPlaces(of: fact.id) {
        let profiles = place.profiles.map(\.rawValue).joined(separator: ", ")
        print(
          "    \(place.isContrary ? "contrary" : "shown by")  \(place.path)\(place.line.map { ":\($0)" } ?? "")"
            + (profiles.isEmpty ? "" : "  (\(profiles))"))
      }
      for observation in coverage.observations(of: fact.id) {
        print("    observed: \(observation)")
      }
      if let excuse = fact.excuse {
        print("    not simulated: \(excuse.words) (\(excuse.reason.rawValue))")
      }
      if !fact.about.isEmpty {
        print("    see  \(fact.about.map(\.description).joined(separator: " "))")
      }
      switch coverage.standing(of: fact) {
      case .open, .notShown: print("    not shown by any scenario or test")
      case .shown, .excused: break
      }
    }
    return 0
  }

  private static func fact(_ word: String, _ list: FactList) throws -> Fact {
    // Accept lower-case letters, which are easier to type.
    let word = word.uppercased()
    if let id = FactID(word), let fact = list[id] { return fact }
    let hint =
      nearestWord(to: word, among: list.facts.map(\.id.description))
      .map { "did you mean '\($0)'? " } ?? ""
    throw UsageError(
      message: "unknown fact '\(word)'; \(hint)'\(FactCoverage.pagePath)' lists all facts")
  }

  private static func check(_ coverage: FactCoverage, isPageCurrent: Bool) -> Int32 {
    let problems = coverage.problems
    for problem in problems { print(problem) }
    if !isPageCurrent { print("\(FactCoverage.pagePath) is out of date; run make facts") }
    let facts = coverage.list.facts
    func count(_ standing: FactCoverage.Standing) -> Int {
      facts.count { coverage.standing(of: $0) == standing }
    }
    print(
      "\(facts.count) facts: \(count(.shown)) shown, \(count(.excused)) excused, "
        + "\(count(.notShown)) not shown, \(count(.open)) open")
    return problems.isEmpty && isPageCurrent ? 0 : 1
  }

  /// Copies the reports into the checkout, if all reports are valid.
  private static func keep(_ paths: [String], root: String) throws {
    let list = try FactList(path: root + "/" + FactCoverage.listPath)
    let reports = try paths.map { path in
      let text = try TextFile.read(path: path)
      return (path: path, text: text, report: try ObservedReport.read(text, file: path, list))
    }
    let folder = "\(root)/\(ObservedReport.folder)"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw InputError(file: folder, message: "cannot create this folder; check its permissions")
    }
    for (path, text, report) in reports {
      let (place, isNew) = ObservedReport.place(for: text, report, root: root)
      if isNew { try TextFile.write(text, to: "\(root)/\(place)") }
      print(
        "\(path): \(isNew ? "kept as" : "already kept as") \(place); \(report.system.text): "
          + "facts: \(report.count(.confirmed)) hold, \(report.count(.refuted)) do not hold, "
          + "\(report.count(.inDoubt)) in doubt, \(report.count(.notDecided)) not decided")
    }
  }

  private static func write(_ page: String, below root: String) throws {
    let path = pagePath(root)
    try TextFile.write(page, to: path)
    print("\(path): written")
  }

  private static func pagePath(_ root: String) -> String {
    (root == "." ? "" : root + "/") + FactCoverage.pagePath
  }
}
