import Dispatch
public import Faultline
public import Testing

extension Fuzzer {
  /// Runs the campaign beside the test's task, and records an issue for each failure that is
  /// neither known nor expected nor allowed, at the caller's line: a few lines, with the scenario
  /// and a page of the counterexample attached. What is expected and not found is an issue, too.
  ///
  /// Throws `InvalidInput` if a file or a value cannot be used.
  public func record(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let outcome = try await outcome()
    for failure in outcome.failures {
      Attachment.record(
        failure.scenario, named: failure.scenarioName, sourceLocation: sourceLocation)
      let stem = failure.scenarioName.split(separator: ".").first ?? "failure"
      Attachment.record(failure.page, named: "\(stem).html", sourceLocation: sourceLocation)
      Issue.record("\(failure.summary)", sourceLocation: sourceLocation)
    }
    for kind in outcome.missing {
      Issue.record("expected and not found: \(kind.rawValue)", sourceLocation: sourceLocation)
    }
  }

  /// What `check` would throw, with nothing in it if it would not. Campaigns compute for seconds:
  /// on a thread that no other task waits for.
  private func outcome() async throws -> (failures: [FuzzFailure], missing: [ViolationKind]) {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        do {
          try check()
          continuation.resume(returning: ([], []))
        } catch let outcome as UnexpectedOutcome {
          continuation.resume(returning: (outcome.failures, outcome.missing))
        } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }
}
