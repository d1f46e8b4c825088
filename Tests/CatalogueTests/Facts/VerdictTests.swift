import Calibration
import Testing

@Suite struct `Verdicts of a calibration` {
  private func test(
    _ source: String, _ outcome: CalibrationReport.Outcome, facts: [String] = [],
    option: (String, Bool)? = nil
  ) -> CalibrationReport.Test {
    let option = option.map { TestList.Option(name: $0.0, isOn: $0.1) }
    let name = "\(source)\(option.map { "\($0.name)\($0.isOn)" } ?? "")"
    return CalibrationReport.Test(
      TestList.Test(name: name, source: source, facts: facts, option: option), outcome)
  }

  private func report(_ tests: [CalibrationReport.Test]) -> CalibrationReport {
    CalibrationReport(
      system: .current, faultline: "0.6", date: "2026-01-31",
      facts: ["AB-01", "AB-02", "AB-03", "AB-04", "AB-05"], tests: tests)
  }

  /// Each test that cites a fact has to pass. A test that did not end decides nothing.
  @Test func `a fact is confirmed if every test that cites it passes`() {
    let report = report([
      test("a", .passed, facts: ["AB-01", "AB-02", "AB-03"]), test("b", .passed, facts: ["AB-01"]),
      test("c", .failed, facts: ["AB-02"]), test("d", .crashed, facts: ["AB-02", "AB-03"]),
      test("e", .timedOut, facts: ["AB-05"]),
    ])
    #expect(
      report.facts.map(\.verdict) == [
        .confirmed, .refuted, .notDecided, .notDecided, .notDecided,
      ])
  }

  /// A scenario fails as a whole, whichever of its facts is false.
  @Test func `facts that failed scenarios share are in doubt`() {
    let report = report([
      test("a", .passed, facts: ["AB-01"]), test("b", .failed, facts: ["AB-01", "AB-02"]),
      test("c", .passed, facts: ["AB-03"]), test("d", .failed, facts: ["AB-03"]),
    ])
    #expect(
      report.facts.map(\.verdict) == [.inDoubt, .refuted, .refuted, .notDecided, .notDecided])
  }

  @Test(arguments: [
    (CalibrationReport.Outcome.passed, CalibrationReport.Outcome.failed, "on"),
    (.passed, .crashed, "on"), (.failed, .passed, "off"), (.crashed, .passed, "off"),
    (.passed, .raised, "on"), (.raised, .passed, "off"),
    (.passed, .passed, "not decided"), (.failed, .failed, "not decided"),
    (.passed, .timedOut, "not decided"), (.didNotCompile, .passed, "not decided"),
  ])
  func `the tests with and without an option decide it`(
    on: CalibrationReport.Outcome, off: CalibrationReport.Outcome, observed: String
  ) {
    let report = report([
      test("a", on, option: ("x", true)), test("a", off, option: ("x", false)),
    ])
    #expect(report.options.map { "\($0.name) \($0.observed.rawValue)" } == ["x \(observed)"])
  }

  @Test func `an option is mixed where scenarios differ`() {
    let report = report([
      test("a", .passed, option: ("x", true)), test("a", .failed, option: ("x", false)),
      test("b", .failed, option: ("x", true)), test("b", .passed, option: ("x", false)),
      test("c", .passed, option: ("y", true)), test("d", .failed, option: ("y", false)),
    ])
    #expect(report.options.map(\.observed) == [.mixed, .notDecided])
  }
}
