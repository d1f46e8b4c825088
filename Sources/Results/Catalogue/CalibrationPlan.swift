package import Calibration
package import Exporting
package import Scenario
import Prose
import Vocabulary

/// The tests of a calibration package and their files.
package struct CalibrationPlan {
  /// The maximum number of scenarios that are exported as variants of one quirk.
  static let scenarioLimit = 6

  package private(set) var list: TestList
  /// The Swift files, one for each test of `list`.
  package private(set) var files: [ExportedTest] = []
  /// The number of scenarios that were exported without variants.
  package private(set) var scenarioCount = 0
  /// The scenarios that could not be exported.
  package private(set) var refusals: [(path: String, refusal: Refusal)] = []
  /// The number of exported programs.
  package private(set) var programCount = 0

  /// Plans a package with all scenarios, variants of those that depend on a quirk, and programs,
  /// whose tests check the final state.
  ///
  /// - Parameters:
  ///   - scenarios: The scenarios, with paths relative to the checkout.
  ///   - facts: The facts that scenarios can cite.
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

  /// Adds variants of the scenarios that name the quirk, then of those with the fewest steps.
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
  /// Returns the facts that the `evidence` line of a scenario cites, except those it contradicts.
  package func cited(by scenario: Scenario) -> [FactID] {
    FactMentions(in: scenario.source ?? "").ids(in: self).filter { !$0.isContrary }.map(\.id)
  }
}
