import Calibration
import Vocabulary

/// The page `Scenarios/FACTS.md`, which lists each fact with the scenarios and tests that show it.
package struct FactsPage {
  package private(set) var text = ""
  let coverage: FactCoverage

  package init(_ coverage: FactCoverage) {
    self.coverage = coverage
    let areas = coverage.list.sections
    let observed = coverage.observed.isEmpty ? [] : [observedSection]
    let parts =
      [introduction, grades, profiles, excuses] + observed + [counts(areas)] + areas.map(section)
    text = parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  private var introduction: [String] {
    [
      "# What is known about Core Data, and where it is shown",
      "",
      "Core Data is closed. What its contexts do to each other is known from Apple's pages, headers and",
      "talks, from tests that people have published, and from what they reported of failures.",
      "Each such statement has a number here, and each number leads to the scenario in which the",
      "simulator shows it: a small stack, a program, and what came of it, as a transcript that is run as",
      "a test. Where no scenario fits, a test shows it. Reports and scenarios name these numbers;",
      "`faultline facts SV-04` explains one on the command line.",
      "",
      "This page is written by `make facts` from [the list of facts](../\(FactCoverage.listPath)) and from the",
      "`evidence` lines of the scenarios. Change those, not the page.",
    ]
  }

  private var grades: [String] {
    let rows = Fact.Grade.allCases.map { grade in
      let facts = coverage.list.facts.filter { $0.grade == grade && !$0.id.isPoint }
      return row(["`\(grade.rawValue)`", grade.meaning, "\(facts.count)"])
    }
    return [
      "## Grades", "",
      "`SV-04` is from a list of facts that were gathered from many sources, `SV-A4` from a second list, made",
      "apart from the first, of what the authors of public test suites assert. They often agree.",
      "",
    ] + table(["grade", "means", "facts"], rows + observedGrade)
  }

  /// The description of the additional grade for facts that were tested on Apple's framework.
  private var observedGrade: [String] {
    if coverage.observed.isEmpty { return [] }
    let decided = coverage.list.facts.count { fact in
      coverage.observed.contains { observed in
        observed.report.facts.contains {
          $0.id == fact.id.description && [.confirmed, .refuted].contains($0.verdict)
        }
      }
    }
    return [
      row([
        "`observed`", "besides one of these: decided by a report of a calibration package",
        "\(decided)",
      ])
    ]
  }

  private var profiles: [String] {
    [
      "## Profiles", "",
      "Systems differ, and some contradict Apple's documentation. A *profile* is a set of such quirks. The",
      "column *profiles* says under which a scenario that shows the fact passes as a whole, with the quirks",
      "of the profile and no other that it names. One scenario is enough: where a fact has several, some may",
      "turn on a quirk that the profile lacks.",
      "`documented` is Core Data as Apple's documentation has it, `legacy` what was reported of iOS 5 to 9, `current` today's",
      "systems. None does where only a test shows the fact, or where the scenarios turn on the other",
      "outcome of a contested point. Scenarios that show the contrary, under other quirks, do not count.",
    ]
  }

  private var excuses: [String] {
    let rows = Fact.Excuse.Reason.allCases.map { reason in
      let count = coverage.list.facts.count { $0.excuse?.reason == reason }
      return row(["`\(reason.rawValue)`", reason.meaning, "\(count)"])
    }
    return [
      "## Not simulated", "",
      "A few facts are about something that is not here. Each says why, for one of these reasons:",
      "",
    ] + table(["reason", "means", "facts"], rows)
  }

  // MARK: - Counts

  private func counts(_ areas: [FactList.Section]) -> [String] {
    let rows = areas.map { area in
      let link = "[\(escaped(area.title))](#\(anchor(area.title)))"
      return row([link] + counts(area.facts).map { "\($0)" })
    }
    let total = row(["**all**"] + counts(coverage.list.facts).map { "**\($0)**" })
    let columns = [
      "section", "statements", "by a scenario", "by a test only", "not simulated", "not shown",
      "open",
    ]
    return [
      "## How much is shown", "",
      "What is certain, and each statement of the second list, must be shown or excused: if it is not, it is",
      "*open*, and `faultline facts` fails as long as there is any of it. Of what is likely or contested,",
      "some is *not shown*. A contested point that nothing names is shown by the facts that record its outcomes.",
      "",
    ] + table(columns, rows + [total])
  }

  /// Returns the numbers of facts: all, shown by a scenario, shown by a test only, excused, not
  /// shown, and open.
  private func counts(_ facts: [Fact]) -> [Int] {
    func count(_ standing: FactCoverage.Standing) -> Int {
      facts.count { coverage.standing(of: $0) == standing }
    }
    let byScenario = facts.count { fact in
      outcomes(of: fact).contains { coverage.places(of: $0).contains { $0.line == nil } }
    }
    return [
      facts.count, byScenario, count(.shown) - byScenario, count(.excused), count(.notShown),
      count(.open),
    ]
  }

  /// Returns the fact itself, or the facts with its outcomes if no scenario or test cites it
  /// directly.
  private func outcomes(of fact: Fact) -> [FactID] {
    coverage.places(of: fact.id).isEmpty ? fact.about : [fact.id]
  }

  // MARK: - Sections

  private func section(_ section: FactList.Section) -> [String] {
    let columns = ["ID", "what is known", "grade", "profiles", "shown by"]
    let isObserved = !coverage.observed.isEmpty
    return ["## \(section.title)", ""]
      + table(columns + (isObserved ? ["observed"] : []), section.facts.map(line))
  }

  private func line(_ fact: Fact) -> String {
    row(
      [
        fact.id.description, escaped(fact.sentence), fact.grade.rawValue, profiles(of: fact),
        whereabouts(of: fact),
      ] + (coverage.observed.isEmpty ? [] : [observation(of: fact)]))
  }

  private func profiles(of fact: Fact) -> String {
    let places = coverage.places(of: fact.id)
    let profiles = Profile.allCases.filter { profile in
      places.contains { $0.profiles.contains(profile) }
    }
    if profiles == Profile.allCases { return "all" }
    return profiles.map(\.rawValue).joined(separator: ", ")
  }

  private func whereabouts(of fact: Fact) -> String {
    let places = coverage.places(of: fact.id)
    let scenarios = places.filter { $0.line == nil }
    let contrary = coverage.contraryPlaces(of: fact.id)
    if !places.isEmpty {
      return links(scenarios.isEmpty ? places : scenarios)
        + (contrary.isEmpty ? "" : "; the contrary: " + links(contrary))
    }
    if let excuse = fact.excuse {
      return "*not simulated* (`\(excuse.reason.rawValue)`): \(escaped(excuse.words))"
    }
    let shown = fact.about.filter { !coverage.places(of: $0).isEmpty }
    if !shown.isEmpty { return "see " + shown.map(\.description).joined(separator: ", ") }
    return fact.mustBeShown ? "*open*" : "*not shown*"
  }

  /// Returns links to the first three places. `faultline facts ID` lists all of them.
  private func links(_ places: [FactCoverage.Place]) -> String {
    let shown = places.prefix(3).map(link).joined(separator: ", ")
    return places.count > 3 ? "\(shown) and \(places.count - 3) more" : shown
  }

  private func link(_ place: FactCoverage.Place) -> String {
    let folders = place.path.split(separator: "/")
    let name = folders.last?.split(separator: ".").first ?? ""
    guard let line = place.line else {
      return "[\(name)](\(place.path.dropFirst("Scenarios/".count)))"
    }
    return "[\(folders[1])/\(name):\(line)](../\(place.path)#L\(line))"
  }

  // MARK: - Markdown

  func table(_ columns: [String], _ rows: [String]) -> [String] {
    [row(columns), "|" + columns.map { _ in "---|" }.joined()] + rows
  }

  func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

  func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      if "\\|<*[`".contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }

  /// Returns the anchor that a web page derives from a title.
  private func anchor(_ title: String) -> String {
    let kept = title.lowercased().filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
    return String(kept.map { $0 == " " ? "-" : $0 })
  }
}

extension Fact.Grade {
  package var meaning: String {
    switch self {
    case .certain:
      "Apple's header or page and a test agree, or a test on the real framework shows it"
    case .likely: "one good source, or several reports; or it follows from what is certain"
    case .contested: "sources or systems differ"
    case .tested: "asserted by a test that was run on Apple's framework"
    case .noted: "observed and written down, without a published test"
    case .documented: "Apple's own words"
    }
  }
}

extension Fact.Excuse.Reason {
  package var meaning: String {
    switch self {
    case .sqliteFile: "about files of SQLite; stores here are tables in memory"
    case .kvo: "about key-value coding and observing, which Swift on Linux does not have"
    case .migration: "about bringing a store to a new version of its model"
    case .cloudKit: "about the synchronisation with iCloud"
    case .oldDefect: "a defect of one old system, without a consequence for anything here"
    }
  }
}
