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
      "# Facts about Core Data, and the scenarios that show them",
      "",
      "The source of Core Data is not public. The behaviour of its contexts is known from Apple's",
      "documentation, headers and talks, from published tests, and from reports of failures. Each statement",
      "has a number here, with a link to the scenario in which the simulator shows it: a small stack, a",
      "program, and a transcript of the run, which is checked as a test. Where no scenario fits, a test shows",
      "the statement. Reports and scenarios cite these numbers; `faultline facts SV-04` explains one on the",
      "command line.",
      "",
      "`make facts` writes this page from [the list of facts](../\(FactCoverage.listPath)) and the `evidence`",
      "lines of the scenarios. Change those, not this page.",
    ]
  }

  private var grades: [String] {
    let rows = Fact.Grade.allCases.map { grade in
      let facts = coverage.list.facts.filter { $0.grade == grade && !$0.id.isPoint }
      return row(["`\(grade.rawValue)`", grade.meaning, "\(facts.count)"])
    }
    return [
      "## Grades", "",
      "`SV-04` belongs to a list of facts from many sources. `SV-A4` belongs to a second, independent list of",
      "the assertions in public test suites. The two lists often agree.",
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
        "`observed`", "in addition to one of these: decided by a report of a calibration package",
        "\(decided)",
      ])
    ]
  }

  private var profiles: [String] {
    [
      "## Profiles", "",
      "Systems differ, and some contradict Apple's documentation. A *profile* is a set of such quirks. The",
      "column *profiles* lists the profiles under which a scenario of the fact passes completely, with the",
      "quirks of the profile and no others. One scenario is enough; other scenarios of the fact may turn on a",
      "quirk that the profile lacks.",
      "`documented` is Core Data as Apple documents it, `legacy` iOS 5 to 9 according to reports, and",
      "`current` today's systems. The column is empty if only a test shows the fact, or if its scenarios turn",
      "on the other outcome of a contested point. Scenarios that show the contrary under other quirks do not",
      "count.",
    ]
  }

  private var excuses: [String] {
    let rows = Fact.Excuse.Reason.allCases.map { reason in
      let count = coverage.list.facts.count { $0.excuse?.reason == reason }
      return row(["`\(reason.rawValue)`", reason.meaning, "\(count)"])
    }
    return [
      "## Not simulated", "",
      "A few facts concern features that are not simulated, each for one of these reasons:",
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
      "section", "statements", "shown by a scenario", "shown only by a test", "not simulated",
      "not shown",
      "open",
    ]
    return [
      "## Coverage", "",
      "Every certain fact, and every statement of the second list, must be shown or excused. Otherwise it is",
      "*open*, and `faultline facts` fails. A likely or contested fact can be *not shown*. A contested point",
      "that nothing cites is shown by the facts that record its outcomes.",
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
    let columns = ["ID", "fact", "grade", "profiles", "shown by"]
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
    case .likely: "one good source, several reports, or a consequence of certain facts"
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
    case .sqliteFile: "concerns SQLite files; the simulated stores are tables in memory"
    case .kvo: "concerns key-value coding and observing, which Swift on Linux lacks"
    case .migration: "concerns the migration of a store to a new version of its model"
    case .cloudKit: "concerns the synchronisation with iCloud"
    case .oldDefect: "a defect of one old system, without consequences for the simulation"
    }
  }
}
