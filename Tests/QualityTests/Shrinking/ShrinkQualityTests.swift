import Faultline
import Foundation
import Testing

@Suite struct `Shrinking` {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  private static func failureClass(_ name: String) throws -> FailureClass {
    try #require(FailureClass.all.first { $0.name == name })
  }

  /// A few cases of a class end with so many steps, at few answers, within a budget.
  @Test(arguments: [
    ("temporary ID", 3, 2), ("second awakening", 2, 1), ("fetchMissesInsertions", 2, 1),
    ("lost update", 5, 3),
  ])
  func `ends at the least`(name: String, stepCount: Int, answerCount: Int) throws {
    let failureClass = try Self.failureClass(name)
    let cases = try failureClass.cases(5, root: Self.root)
    let measurement = ShrinkMeasurement(failureClass, cases)
    #expect(measurement.leastStepCount == stepCount)
    #expect(measurement.leastCount >= 4, "\(measurement.line)")
    #expect(measurement.answers.count <= answerCount, "\(measurement.line)")
    #expect(measurement.meanExecutions <= 600, "\(measurement.line)")
  }

  /// The whole table, and what each pass is worth; FAULTLINE_MEASURE is how many cases of each class.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["FAULTLINE_MEASURE"] != nil))
  func `is measured`() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = Int(environment["FAULTLINE_MEASURE"] ?? "") ?? 40
    print(ShrinkMeasurement.header)
    var totals = ProgramPass.allCases.map { ProgramShrinkStatistics.PassCount(pass: $0) }
    for failureClass in FailureClass.all {
      let cases = try failureClass.cases(count, root: Self.root)
      let measurement = ShrinkMeasurement(failureClass, cases)
      print(measurement.line)
      for index in totals.indices {
        totals[index].tries += measurement.passes[index].tries
        totals[index].successes += measurement.passes[index].successes
      }
    }
    print("pass, tries, successes")
    for total in totals { print("\(total.pass), \(total.tries), \(total.successes)") }
  }

  /// Each pass left out in turn: how many cases then still end at the least steps, and at how many
  /// answers. FAULTLINE_ABLATION is how many cases of each class.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["FAULTLINE_ABLATION"] != nil))
  func `needs every pass`() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = Int(environment["FAULTLINE_ABLATION"] ?? "") ?? 10
    let classes = try FailureClass.all.map { ($0, try $0.cases(count, root: Self.root)) }
    print("without, cases at the least steps, answers, executions")
    for pass in [nil] + ProgramPass.allCases.map(Optional.some) {
      let passes = ProgramPass.allCases.filter { $0 != pass }
      let measurements = classes.map { ShrinkMeasurement($0, $1, passes: passes) }
      let least = measurements.reduce(0) { $0 + $1.leastCount }
      let answers = measurements.reduce(0) { $0 + $1.answers.count }
      let executions = measurements.reduce(0) { $0 + $1.executions.reduce(0, +) }
      print("\(pass.map { "\($0)" } ?? "nothing"), \(least), \(answers), \(executions)")
    }
  }
}
