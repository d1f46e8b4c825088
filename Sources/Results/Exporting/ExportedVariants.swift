package import Scenario
import ScenarioChecking
package import Vocabulary

/// A scenario exported twice, with a quirk and without it, if the quirk changes the result. The
/// test that passes tells whether the framework has the quirk.
package struct ExportedVariants {
  /// The tests, each with a Boolean value that indicates whether the quirk is on.
  package let tests: [(test: ExportedTest, isOn: Bool)]

  /// Exports the scenario with and without `quirk`. All other quirks are as in the profile
  /// `current`.
  ///
  /// Returns nil if the quirk changes nothing that a program can observe, or if either variant
  /// cannot be exported.
  package init?(_ scenario: Scenario, of quirk: Quirk) {
    var on = Profile.current.quirks
    on.insert(quirk)
    let sets = [on, on.removing(quirk)]
    let runs = sets.map { ScenarioRunner(scenario, quirks: $0).run() }
    guard runs[0].transcripts != runs[1].transcripts || runs[0].claims != runs[1].claims,
      let plain = try? sets.map({ try ExportedTest(scenario, under: $0).source }),
      plain[0] != plain[1]
    else { return nil }
    var tests: [(ExportedTest, Bool)] = []
    for (quirks, isOn) in zip(sets, [true, false]) {
      var variant = scenario
      variant.name += "-\(isOn ? "with" : "without")-\(quirk.name)"
      variant.prose = ["\(scenario.name), \(isOn ? "with" : "without") \(quirk.name)."]
      guard let test = try? ExportedTest(variant, under: quirks) else { return nil }
      tests.append((test, isOn))
    }
    self.tests = tests
  }
}
