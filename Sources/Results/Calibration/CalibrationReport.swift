/// The results of one run of a calibration package, stored as `report.json`.
package struct CalibrationReport: Hashable, Codable, Sendable {
  /// The outcome of a test.
  package enum Outcome: String, CaseIterable, Codable, Sendable {
    case passed, failed
    /// The framework raised an Objective-C exception, which ended the test.
    case raised = "raised an exception"
    /// The process ended before the test did.
    case crashed
    /// The test was killed after the time limit.
    case timedOut = "timed out"
    case didNotCompile = "did not compile"
    case didNotRun = "did not run"
  }

  /// The verdict on a fact. A test that raised an exception, crashed, hung or did not run decides
  /// nothing.
  package enum Verdict: String, CaseIterable, Codable, Sendable {
    /// At least one test cites the fact, and all tests that cite it passed.
    case confirmed
    /// All tests that cite the fact failed, or one failed that cites no other fact.
    case refuted
    /// A test failed that also cites other facts, while another test of the fact did not fail.
    case inDoubt = "in doubt"
    case notDecided = "not decided"
  }

  /// The observed value of an option.
  package enum Observation: String, CaseIterable, Codable, Sendable {
    case on, off
    /// Some scenarios show that the option is on, others that it is off.
    case mixed
    /// No scenario passed with one value and failed or crashed with the other.
    case notDecided = "not decided"
  }

  package struct Test: Hashable, Codable, Sendable {
    package var name: String
    package var source: String
    package var facts: [String]
    package var option: TestList.Option?
    package var outcome: Outcome
    /// The texts of the failures, with file and line.
    package var failures: [String]

    package init(_ test: TestList.Test, _ outcome: Outcome, failures: [String] = []) {
      name = test.name
      source = test.source
      facts = test.facts
      option = test.option
      self.outcome = outcome
      self.failures = failures
    }

    /// Returns a Boolean value that indicates whether this is a result of the current version of
    /// `test`.
    func isResult(of test: TestList.Test) -> Bool {
      self == Test(test, outcome, failures: failures)
    }
  }

  package struct Fact: Hashable, Codable, Sendable {
    package var id: String
    package var verdict: Verdict
  }

  package struct Option: Hashable, Codable, Sendable {
    package var name: String
    package var observed: Observation
  }

  /// The only supported format.
  package static let currentFormat = 1

  package var format = currentFormat
  package var system: TestedSystem
  /// The version of Faultline that wrote the package, which determines the list of facts.
  package var faultline: String
  /// The day of the run, such as `2026-01-31`.
  package var date: String
  package var tests: [Test]
  package private(set) var facts: [Fact]
  package private(set) var options: [Option]

  /// Creates a report on `tests`, with a verdict on each of `facts`.
  ///
  /// - Parameter facts: The IDs of all facts in the list.
  package init(
    system: TestedSystem, faultline: String, date: String, facts: [String], tests: [Test]
  ) {
    (self.system, self.faultline, self.date, self.tests) = (system, faultline, date, tests)
    self.facts = facts.map { Fact(id: $0, verdict: CalibrationReport.verdict(on: $0, tests)) }
    options = CalibrationReport.options(tests)
  }

  /// The text of `report.json`.
  package var text: String { json(self) }

  /// Returns the number of tests with the given outcome.
  package func count(_ outcome: Outcome) -> Int { tests.count { $0.outcome == outcome } }

  /// Returns the number of facts with the given verdict.
  package func count(_ verdict: Verdict) -> Int { facts.count { $0.verdict == verdict } }
}

// MARK: What the tests decide

extension CalibrationReport {
  static func verdict(on fact: String, _ tests: [Test]) -> Verdict {
    let citing = tests.filter { $0.facts.contains(fact) }
    let failed = citing.filter { $0.outcome == .failed }
    if !failed.isEmpty {
      let isSure = failed.count == citing.count || failed.contains { $0.facts.count == 1 }
      return isSure ? .refuted : .inDoubt
    }
    let isConfirmed = !citing.isEmpty && citing.allSatisfy { $0.outcome == .passed }
    return isConfirmed ? .confirmed : .notDecided
  }

  /// Returns the observed options, in the order in which the tests name them.
  static func options(_ tests: [Test]) -> [Option] {
    var names: [String] = []
    for case let name? in tests.map(\.option?.name) where !names.contains(name) {
      names.append(name)
    }
    return names.map { Option(name: $0, observed: observation(of: $0, tests)) }
  }

  private static func observation(of name: String, _ tests: [Test]) -> Observation {
    let variants = tests.filter { $0.option?.name == name }
    var sources: [String] = []
    for variant in variants where !sources.contains(variant.source) {
      sources.append(variant.source)
    }
    let shown = sources.compactMap { source in
      value(shownBy: variants.filter { $0.source == source })
    }
    return switch (shown.contains(true), shown.contains(false)) {
    case (true, false): .on
    case (false, true): .off
    case (true, true): .mixed
    case (false, false): .notDecided
    }
  }

  /// Returns the option's value with which a scenario passes, if the scenario fails with the other
  /// value.
  ///
  /// An exception or a crash counts as a failure, because an exception under one value ends the
  /// test of the other value.
  ///
  /// - Parameter variants: The variants of one scenario.
  private static func value(shownBy variants: [Test]) -> Bool? {
    func outcome(_ isOn: Bool) -> Outcome? {
      variants.first { $0.option?.isOn == isOn }?.outcome
    }
    return switch (outcome(true), outcome(false)) {
    case (.passed?, .failed?), (.passed?, .raised?), (.passed?, .crashed?): true
    case (.failed?, .passed?), (.raised?, .passed?), (.crashed?, .passed?): false
    default: nil
    }
  }
}
