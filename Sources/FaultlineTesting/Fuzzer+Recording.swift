public import Faultline
public import Testing

extension Fuzzer {
  /// Runs the campaign, and records an issue for each failure that is neither known nor expected
  /// nor allowed, at the caller's line: a few lines, with the scenario and a page of the
  /// counterexample attached. What is expected and not found is an issue, too.
  ///
  /// Throws `InvalidInput` if a file or a value cannot be used.
  public func record(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    do { try await check() } catch let outcome as UnexpectedOutcome {
      outcome.record(at: sourceLocation)
    }
  }
}

extension UnexpectedOutcome {
  fileprivate func record(at place: SourceLocation) {
    for failure in failures {
      Attachment.record(
        failure.scenario, named: failure.scenarioName, sourceLocation: place)
      let stem = failure.scenarioName.split(separator: ".").first ?? "failure"
      Attachment.record(failure.page, named: "\(stem).html", sourceLocation: place)
      Issue.record("\(failure.summary)", sourceLocation: place)
    }
    if report.exercisesLittle {
      Issue.record("too few programs saved anything to a store", sourceLocation: place)
    }
    for kind in missing {
      Issue.record("expected and not found: \(kind.rawValue)", sourceLocation: place)
    }
  }
}
