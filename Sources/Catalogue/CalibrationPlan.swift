package import Calibration
package import Exporting
package import Scenario
import Prose
import Vocabulary

/// What a calibration package tests, and the files of its tests.
package struct CalibrationPlan {
  /// How many scenarios are variants of one quirk, those with the fewest steps.
  static let scenarioLimit = 6

  package private(set) var list: TestList
  /// The Swift files, one for each test of `list`.
  package private(set) var files: [ExportedTest] = []
  /// How many scenarios were exported as they are.
  package private(set) var scenarioCount = 0
  /// What could not be exported.
  package private(set) var refusals: [(path: String, refusal: Refusal)] = []
  /// How many programs were exported.
  package private(set) var programCount = 0

  /// All `scenarios` with the facts that they cite, variants of those that depend on a quirk, and
  /// `programs`, whose final states are checked. Paths are from the checkout's folder.
  package init(
    _ scenarios: [(path: String, scenario: Scenario)], programs: [Scenario], facts: FactList
  ) {
    list = TestList(
      faultline: faultlineVersion, facts: facts.facts.map(\.id.description), tests: [])
    for (path, scenario) in scenarios {
      do throws(Refusal) {
        let cited = facts.cited(by: scenario).map(\.description)
        add(try ExportedTest(scenario), source: path, facts: cited)
        scenarioCount += 1
      } catch {
        refusals.append((path, error))
      }
    }
    for quirk in Quirk.allCases { addVariants(of: quirk, scenarios) }
    for program in programs {
      guard let test = try? ExportedTest(program) else { continue }
      add(test, source: program.source ?? program.name)
      programCount += 1
    }
  }

  private mutating func add(
    _ test: ExportedTest, source: String, facts: [String] = [], option: TestList.Option? = nil
  ) {
    let name = String(test.fileName.dropLast(".swift".count))
    precondition(
      !list.tests.contains { $0.name == name }, "\(source) has the name of another test, \(name)")
    list.tests.append(TestList.Test(name: name, source: source, facts: facts, option: option))
    files.append(test)
  }

  /// Scenarios that name the quirk come first, then those with the fewest steps.
  private mutating func addVariants(
    of quirk: Quirk, _ scenarios: [(path: String, scenario: Scenario)]
  ) {
    func rank(_ index: Int) -> [Int] {
      let scenario = scenarios[index].scenario
      return [scenario.quirks.contains(quirk) ? 0 : 1, scenario.items.count, index]
    }
    let order = scenarios.indices.sorted { rank($0).lexicographicallyPrecedes(rank($1)) }
    var count = 0
    for (path, scenario) in order.map({ scenarios[$0] }) where count < CalibrationPlan.scenarioLimit
    {
      guard let variants = ExportedVariants(scenario, of: quirk) else { continue }
      count += 1
      for (test, isOn) in variants.tests {
        add(test, source: path, option: TestList.Option(name: quirk.name, isOn: isOn))
      }
    }
  }
}

extension FactList {
  /// The facts that the `evidence` line of a scenario names, without those of which it shows the
  /// contrary.
  package func cited(by scenario: Scenario) -> [FactID] {
    FactMentions(in: scenario.source ?? "").ids(in: self).filter { !$0.isContrary }.map(\.id)
  }
}
