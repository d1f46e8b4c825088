public import Faultline
public import Testing

/// A trait that runs a campaign before the body of a test. Each failure that the campaign finds is
/// an issue of the test.
public struct CampaignTrait: TestTrait, TestScoping {
  let fuzzer: Fuzzer

  /// Runs the campaign, records its failures, and calls the body of the test.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await fuzzer.record(sourceLocation: test.sourceLocation)
    try await function()
  }
}

extension Trait where Self == CampaignTrait {
  /// Returns a trait that runs a campaign on a stack:
  ///
  ///     @Test(.faultline(model: "Notes.model", stack: "Main.stack", runs: 300))
  ///     func `notes are safe`() {}
  ///
  /// The parameters are those of `Fuzzer`. Paths are relative to the test's file.
  public static func faultline(
    model: String, stack: String? = nil, promises: [Promise] = [], runs: Int = 2_000,
    seed: UInt64 = 1, profile: Fuzzer.Profile = .current, onlySteps: [StepKind] = [],
    known: String? = nil,
    expected: [ViolationKind] = [], allowed: [ViolationKind] = [], isStrict: Bool = false,
    file: String = #filePath
  ) -> CampaignTrait {
    CampaignTrait(
      fuzzer: Fuzzer(
        model: model, stack: stack, promises: promises, runs: runs, seed: seed, profile: profile,
        onlySteps: onlySteps, known: known, expected: expected, allowed: allowed,
        isStrict: isStrict, file: file))
  }
}
