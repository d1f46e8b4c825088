import Campaigns
import Foundation
import InputFiles
import Testing

/// Writes `Tests/QUALITY.md`: `make quality`. Measuring takes minutes, so it is done only on
/// request. The other suites check the claims about the figures, on fewer cases.
@Suite struct `The page of measurements` {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// FAULTLINE_QUALITY is the number of cases that are shrunk in each class of failures. The other
  /// measurements have sizes of their own.
  private static let caseCount =
    Int(ProcessInfo.processInfo.environment["FAULTLINE_QUALITY"] ?? "") ?? 0

  @Test(.enabled(if: caseCount > 0))
  func `the page is written`() async throws {
    let (count, root) = (Self.caseCount, Self.root)
    let folder = root + "/Fixtures/Models"
    let models: [ModelSource] =
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
        .file(path: "\(folder)/\($0)", try ModelFile.read(path: "\(folder)/\($0)"))
      } + [.generated]
    let page = try await """
    # How well bugs are found, and how small their examples get

    Written by `make quality`. Shares are in parts of 1000, with the interval in which the true one lies with 95 % confidence
    (Wilson's). All but the times is the same on every machine.

    ## Schedules that show a bug

    Small concurrent programs, 2,000 schedules each; `Tests/QualityTests/Strategies/Toys.swift` has them.

    \(HitRate.table(schedules: 2_000))

    ## Runs that show a planted bug

    \(BugMeasurement.page(runs: 100, models))

    ## Shrinking

    \(ShrinkTable.page(cases: count, root: root))

    ## Long programs

    \(LongPrograms.page(cases: 60, root: root))

    ## What each pass is worth

    \(ShrinkTable.ablation(cases: 3, root: root))

    ## The shrinking challenge

    \(ChallengeMeasurement.page(seeds: 100))

    ## What each pass over choices is worth

    \(ChallengeMeasurement.ablation(seeds: 100))

    """
    try page.write(toFile: root + "/Tests/QUALITY.md", atomically: true, encoding: .utf8)
  }
}
