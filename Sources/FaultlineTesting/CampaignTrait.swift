public import Faultline
public import Testing

/// A campaign that is a part of a test: it runs before the test's body, and each failure that it
/// finds is an issue of the test.
public struct CampaignTrait: TestTrait, TestScoping {
  let fuzzer: Fuzzer

  /// Runs the campaign, records what it finds, and calls the body of the test.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await fuzzer.record(sourceLocation: test.sourceLocation)
    try await function()
  }
}

extension Trait where Self == CampaignTrait {
  /// A campaign on a stack:
  ///
  ///     @Test(.faultline(model: "Notes.model", stack: "Main.stack", runs: 300))
  ///     func `notes are safe`() {}
  ///
  /// The parameters are those of `Fuzzer`; paths are relative to the test's file.
  public static func faultline(
    model: String, stack: String? = nil, promises: [Promise] = [], runs: Int = 2_000,
    seed: UInt64 = 1, profile: Fuzzer.Profile = .current, onlySteps: [StepKind] = [],
    known: String? = nil,
    expected: [ViolationKind] = [], allowed: [ViolationKind] = [], file: String = #filePath
  ) -> CampaignTrait {
    CampaignTrait(
      fuzzer: Fuzzer(
        model: model, stack: stack, promises: promises, runs: runs, seed: seed, profile: profile,
        onlySteps: onlySteps, known: known, expected: expected, allowed: allowed, file: file))
  }
}
