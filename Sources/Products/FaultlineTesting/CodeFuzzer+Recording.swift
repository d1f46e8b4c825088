#if os(Linux)
  public import Faultline
  public import Testing

  extension CodeFuzzer {
    /// Runs the campaign, and records an issue at the caller's line for each failure that is
    /// neither expected nor allowed. The scenario and its page are attached to the issue. An
    /// expected failure that was not found is also an issue.
    ///
    /// Throws `InvalidInput` if the environment has a value that cannot be used.
    ///
    /// - Parameters:
    ///   - number: The number of the only run to make, as in a report, or nil to make all runs.
    ///   - test: The name of the test, for the command that runs a failure again.
    ///   - sourceLocation: The place where issues are recorded.
    ///   - body: A closure that creates the app's stack and declares the app's functions.
    public func record(
      run number: Int? = nil, test: String = #function,
      sourceLocation: SourceLocation = #_sourceLocation,
      _ body: @escaping (SimulatedApp) throws -> Void
    ) throws {
      do { try check(run: number, test: test, body) } catch let outcome as UnexpectedCodeOutcome {
        outcome.record(at: sourceLocation)
      }
    }

    /// Runs the campaign and records issues, for a body that is a task of the main actor.
    public func record(
      run number: Int? = nil, test: String = #function,
      sourceLocation: SourceLocation = #_sourceLocation,
      _ body: @escaping @MainActor (SimulatedApp) async throws -> Void
    ) async throws {
      do {
        try await check(run: number, test: test, body)
      } catch let outcome as UnexpectedCodeOutcome {
        outcome.record(at: sourceLocation)
      }
    }
  }

  extension UnexpectedCodeOutcome {
    fileprivate func record(at place: SourceLocation) {
      for failure in failures {
        for (name, text) in failure.files {
          Attachment.record(text, named: name, sourceLocation: place)
        }
        Issue.record("\(failure)", sourceLocation: place)
      }
      for kind in missing {
        Issue.record("expected, but not found: \(kind.rawValue)", sourceLocation: place)
      }
    }
  }
#endif
