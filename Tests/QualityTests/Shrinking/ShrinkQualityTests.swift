import Foundation
import PropertyTesting
import Testing

@Suite struct `Shrinking` {
  private static func failureClass(_ name: String) throws -> FailureClass {
    try #require(FailureClass.all.first { $0.name == name })
  }

  @Test func `a failure of a long program on a wide stack is certified`() throws {
    let cases = try LongPrograms.cases(4, root: `The page of measurements`.root)
    let measured = cases.map(LongPrograms.measure)
    #expect(Set(measured.map(\.kind)).count >= 3, "\(measured)")
    for one in measured {
      #expect(one.stepsBefore >= LongPrograms.stepCount)
      #expect(one.isCertified && one.stepsAfter <= 7, "\(one)")
    }
  }

  /// The numbers of cases that no search certifies. One ignored save is caused by a quirk that
  /// bypasses a policy.
  private static let openCounts = ["ignored save": 1]

  /// A few cases of a class end with the given number of steps, with few answers for each cause,
  /// and within a budget.
  @Test(arguments: [
    ("temporary ID", 3, 1), ("second awakening", 2, 1), ("fetchMissesInsertions", 2, 1),
    ("lost update", 5, 1), ("ignored save", 5, 1), ("rollbackKeepsInsertions", 2, 1),
    ("ignoresVersions", 5, 1), ("mergeSkipsDeletions", 4, 1), ("killLosesRows", 2, 1),
    ("stale list", 3, 1), ("row cache", 4, 1), ("two instances", 4, 1), ("cached ancestor", 4, 1),
    ("lost update, store", 5, 1), ("ignored save, store", 5, 1), ("deadlock", 3, 2),
    ("deadlock, legacy", 3, 2), ("willSaveRunsOnce *", 2, 1), ("tearsSaves *", 3, 1),
    ("fetchOffsetTwice", 2, 1),
  ])
  func `shrinking ends at the fewest steps`(name: String, stepCount: Int, answerCount: Int) throws {
    let failureClass = try Self.failureClass(name)
    let isFull = ProcessInfo.processInfo.environment["FAULTLINE_THOROUGH"] != nil
    let cases = try failureClass.cases(isFull ? 5 : 3, root: `The page of measurements`.root)
    let measurement = ShrinkMeasurement(failureClass, cases)
    #expect(measurement.leastStepCount == stepCount)
    #expect(
      measurement.certifiedCount >= cases.count - Self.openCounts[name, default: 0],
      "\(measurement)")
    for ofOneCause in measurement.byCause {
      #expect(ofOneCause.leastCount == ofOneCause.cases.count, "\(ofOneCause)")
      #expect(ofOneCause.answers.count <= answerCount, "\(ofOneCause)")
    }
    // With so few cases, the mean would be that of the most expensive one.
    #expect(Statistics(measurement.cases.map(\.executions)).median < 400, "\(measurement)")
  }
}
