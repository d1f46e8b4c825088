public import Faultline
public import Testing

extension Fuzzer {
  /// Runs the campaign, and records an issue at the caller's line for each failure that is not
  /// known, expected or allowed. The issue is a summary, with the scenario and a page of the
  /// counterexample attached. An expected failure that was not found is also an issue.
  ///
  /// Throws `InvalidInput` if a file or a value cannot be used.
  public func record(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let report = try await run()
    #if compiler(>=6.3)
      for warning in unexpected(in: report) where warning.isWarning {
        Issue.record("\(warning.summary)", severity: .warning, sourceLocation: sourceLocation)
      }
    #endif
    unexpectedOutcome(of: report)?.record(at: sourceLocation)
  }
}

extension UnexpectedOutcome {
  fileprivate func record(at place: SourceLocation) {
    for failure in failures {
      Attachment.record(
        failure.scenario, named: failure.scenarioName, sourceLocation: place)
      let stem = failure.scenarioName.split(separator: ".").first ?? "failure"
      Attachment.record(failure.page, named: "\(stem).html", sourceLocation: place)
      let attached = "attached: \(failure.scenarioName) ('--attachments-path FOLDER' keeps it)"
      Issue.record("\(failure.summary)\n\(attached)", sourceLocation: place)
    }
    if report.exercisesLittle {
      Issue.record("too few programs saved anything to a store", sourceLocation: place)
    }
    for kind in missing {
      Issue.record("expected, but not found: \(kind.rawValue)", sourceLocation: place)
    }
  }
}
