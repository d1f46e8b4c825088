import Determinism
import Foundation
package import InputFiles
import Scenario
import ScenarioChecking
package import Vocabulary

/// The places in a checkout that show each fact, and the problems of this coverage.
///
/// A scenario shows a fact if its `evidence` line names the ID without `against` before it. A test
/// shows a fact if its file names the ID in a comment, a string or the name of a test. The file
/// must be below `Tests` and contain at least one `@Test`. Code cannot contain an ID, because
/// `swift format` puts spaces around a minus.
///
/// Tests of texts show no facts, because their IDs belong to sample texts. These are the tests in
/// `ScenarioTests`, in `ToolTests`, and in a folder `Facts`, whose facts are fictitious.
///
/// All scenarios, Swift files and pages are searched for IDs that are not in the list. A page, or a
/// comment in `Sources`, does not show the facts that it names.
package struct FactCoverage: Sendable {
  /// A scenario, or a line in a test file.
  package struct Place: Hashable, Sendable {
    /// The path relative to the checkout.
    package var path: String
    /// The line in a test file, or `nil` for a scenario.
    package var line: Int? = nil
    /// The profiles under which the whole scenario passes.
    package var profiles: [Profile] = []
    /// A Boolean value that indicates whether the place shows the contrary of the fact.
    package var isContrary = false
    /// The position of the ID in the scenario's `evidence`. A scenario is usually about the fact
    /// that it names first.
    var rank = 0
  }

  package enum Standing {
    case shown, excused
    /// Neither a scenario nor a test shows the fact, which is permitted.
    case notShown
    /// Neither a scenario nor a test shows the fact, although one must.
    case open
  }

  package static let listPath = "Fixtures/Facts.txt"
  package static let pagePath = "Scenarios/FACTS.md"
  /// The maximum number of excused facts, which prevents excuses from becoming a habit.
  static let excuseLimit = 45

  package let list: FactList
  /// Reports of tests that ran on Apple's framework.
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

  /// Returns the scenarios that show a fact, most specific first, followed by the tests.
  package func places(of id: FactID) -> [Place] {
    sorted((shownAt[id] ?? []).filter { !$0.isContrary })
  }

  /// Returns the places that show the contrary of a fact, in the same order.
  package func contraryPlaces(of id: FactID) -> [Place] {
    sorted((shownAt[id] ?? []).filter(\.isContrary))
  }

  private func sorted(_ places: [Place]) -> [Place] {
    let scenarios = places.filter { $0.line == nil }
    let ranks = Set(scenarios.map(\.rank)).sorted()
    return ranks.flatMap { rank in scenarios.filter { $0.rank == rank } }
      + places.filter { $0.line != nil }
  }

  /// Returns the standing of a fact. A contested point is shown if a fact that records one of its
  /// outcomes is shown.
  package func standing(of fact: Fact) -> Standing {
    if !places(of: fact.id).isEmpty { return .shown }
    if fact.excuse != nil { return .excused }
    let outcomes = fact.about.compactMap { list[$0] }
    if outcomes.contains(where: { standing(of: $0) == .shown }) { return .shown }
    return fact.mustBeShown ? .open : .notShown
  }

  /// All problems of the list's coverage, in the order of files and lines.
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

  /// Returns the paths below a folder, sorted so that the order does not depend on the file system.
  /// Returns no paths for a missing folder.
  func below(_ folder: String, ending: String) -> [String] {
    let names =
      FileManager.default.enumerator(atPath: root + "/" + folder)?.compactMap { $0 as? String }
      ?? []
    return names.filter { $0.hasSuffix(ending) }.sorted().map { folder + "/" + $0 }
  }
}
