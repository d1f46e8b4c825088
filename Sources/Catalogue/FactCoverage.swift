import Determinism
import Foundation
package import InputFiles
import Scenario
import ScenarioChecking
package import Vocabulary

/// Where in a checkout each fact of its list is shown, and what is wrong with that.
///
/// A fact is shown by a scenario whose `evidence` line names its ID without `against` before it, or
/// by a test. A test names it in a Swift file below `Tests` that has at least one `@Test`: in a
/// comment, a string or the name of a test, anywhere in the file; no code can contain an ID,
/// because `swift format` puts spaces around a minus. Left out are tests of texts, whose IDs belong
/// to sample texts: those in `ScenarioTests` and `ToolTests`, and those in a folder `Facts`, which
/// make facts up.
///
/// All scenarios, Swift files and pages are searched for IDs that are not in the list. What a page
/// or a comment in `Sources` names is not thereby shown.
package struct FactCoverage: Sendable {
  /// A scenario or a line of a test.
  package struct Place: Hashable, Sendable {
    /// From the checkout's folder.
    package var path: String
    /// Nil for a scenario.
    package var line: Int? = nil
    /// The profiles under which the scenario passes as a whole.
    package var profiles: [Profile] = []
    /// Whether it shows the contrary: what holds where the fact does not.
    package var isContrary = false
    /// Which of the IDs in its `evidence` it is: a scenario that names a fact first is mostly about
    /// it.
    var rank = 0
  }

  package enum Standing {
    case shown, excused
    /// Nothing shows it, which is a pity.
    case notShown
    /// Nothing shows it although something must.
    case open
  }

  package static let listPath = "Fixtures/Facts.txt"
  package static let pagePath = "Scenarios/FACTS.md"
  /// More excuses than this would be one.
  static let excuseLimit = 45

  package let list: FactList
  /// What was observed on Apple's framework.
  package let observed: [ObservedReport]
  private var shownAt = LookupTable<FactID, [Place]>()
  private var strangers: [InputError] = []

  package init(root: String) throws(InputError) {
    list = try FactList(path: root + "/" + FactCoverage.listPath)
    observed = try ObservedReport.all(root: root, list)
    let files = CheckoutFiles(root: root)
    for path in files.below("Scenarios", ending: ".scenario") { try addScenario(path, files) }
    for path in files.below("Tests", ending: ".swift") { try addTest(path, files) }
    let pages = ["Scenarios", "Sources"].flatMap { files.below($0, ending: ".md") }
    for path in files.below("Sources", ending: ".swift") + ["README.md"] + pages
    where path != FactCoverage.pagePath && files.exist(path) {
      search(try files.text(path), of: path)
    }
  }

  private mutating func addScenario(_ path: String, _ files: CheckoutFiles) throws(InputError) {
    search(try files.text(path), of: path)
    let scenario = try ScenarioFile.read(path: files.root + "/" + path)
    let ids = FactMentions(in: scenario.source ?? "").ids(in: list)
    if ids.isEmpty { return }
    let profiles = Profile.allCases.filter {
      ScenarioCheck(scenario, quirks: $0.quirks).problems.isEmpty
    }
    for (rank, named) in ids.enumerated() {
      add(
        Place(path: path, profiles: profiles, isContrary: named.isContrary, rank: rank),
        to: named.id)
    }
  }

  private mutating func addTest(_ path: String, _ files: CheckoutFiles) throws(InputError) {
    let folders = path.split(separator: "/").dropLast()
    if folders.contains("Facts") { return }
    let text = try files.text(path)
    let mentions = search(text, of: path)
    guard text.contains("@Test"), !folders.contains("ScenarioTests"), !folders.contains("ToolTests")
    else { return }
    for named in mentions.ids(in: list) {
      add(Place(path: path, line: named.line, isContrary: named.isContrary), to: named.id)
    }
  }

  private mutating func add(_ place: Place, to id: FactID) {
    shownAt[id] = (shownAt[id] ?? []) + [place]
  }

  @discardableResult
  private mutating func search(_ text: String, of path: String) -> FactMentions {
    let mentions = FactMentions(in: text)
    for mention in mentions.strangers(to: list) {
      strangers.append(
        InputError(file: path, line: mention.line, message: list.message(about: mention)))
    }
    return mentions
  }

  /// The scenarios that show a fact, the one that is about it first, and then the tests.
  package func places(of id: FactID) -> [Place] {
    sorted((shownAt[id] ?? []).filter { !$0.isContrary })
  }

  /// Those which show the contrary, in the same order.
  package func contraryPlaces(of id: FactID) -> [Place] {
    sorted((shownAt[id] ?? []).filter(\.isContrary))
  }

  private func sorted(_ places: [Place]) -> [Place] {
    let scenarios = places.filter { $0.line == nil }
    let ranks = Set(scenarios.map(\.rank)).sorted()
    return ranks.flatMap { rank in scenarios.filter { $0.rank == rank } }
      + places.filter { $0.line != nil }
  }

  /// A contested point is shown if a fact is that records one of its outcomes.
  package func standing(of fact: Fact) -> Standing {
    if !places(of: fact.id).isEmpty { return .shown }
    if fact.excuse != nil { return .excused }
    let outcomes = fact.about.compactMap { list[$0] }
    if outcomes.contains(where: { standing(of: $0) == .shown }) { return .shown }
    return fact.mustBeShown ? .open : .notShown
  }

  /// All that keeps the list from being covered, in the order of files and lines.
  package var problems: [InputError] {
    strangers
      + list.facts.compactMap { fact in
        switch (standing(of: fact), fact.excuse) {
        case (.open, _):
          complaint(
            about: fact,
            "is open: neither the 'evidence' of a scenario nor a test names it, and it is not excused"
          )
        case (.shown, .some):
          complaint(
            about: fact,
            "is excused, but \(places(of: fact.id)[0].path) shows it; drop one of the two")
        default: nil
        }
      } + tooManyExcuses
  }

  private func complaint(about fact: Fact, _ message: String) -> InputError {
    InputError(file: FactCoverage.listPath, line: fact.line, message: "\(fact.id) \(message)")
  }

  private var tooManyExcuses: [InputError] {
    let count = list.facts.count { $0.excuse != nil }
    guard count > FactCoverage.excuseLimit else { return [] }
    let limit = FactCoverage.excuseLimit
    return [
      InputError(
        file: FactCoverage.listPath, message: "\(count) facts are excused; at most \(limit) may be")
    ]
  }
}

/// The text files of a checkout.
private struct CheckoutFiles {
  let root: String

  func exist(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root + "/" + path)
  }

  func text(_ path: String) throws(InputError) -> String {
    do throws(InputError) {
      return try TextFile.read(path: root + "/" + path)
    } catch {
      throw InputError(file: path, line: error.line, message: error.message)
    }
  }

  /// Sorted, so that no file system decides an order; none if there is no such folder.
  func below(_ folder: String, ending: String) -> [String] {
    let names =
      FileManager.default.enumerator(atPath: root + "/" + folder)?.compactMap { $0 as? String }
      ?? []
    return names.filter { $0.hasSuffix(ending) }.sorted().map { folder + "/" + $0 }
  }
}
