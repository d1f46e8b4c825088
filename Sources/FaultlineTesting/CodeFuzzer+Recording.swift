#if os(Linux)
  public import Faultline
  public import Testing

  extension CodeFuzzer {
    /// Runs the campaign, and records an issue for each failure that is neither expected nor
    /// allowed, at the caller's line, with the scenario and a page of it attached. What is expected
    /// and not found is an issue, too.
    ///
    /// Throws `InvalidInput` if the environment has a value that cannot be used.
    ///
    /// - Parameters:
    ///   - number: The number of the only run to make, as a report gives it; nil for all.
    ///   - test: The name of the test, for the command that runs a failure again.
    ///   - sourceLocation: Where issues are recorded.
    ///   - body: Makes the app's stack and declares its functions.
    public func record(
      run number: Int? = nil, test: String = #function,
      sourceLocation: SourceLocation = #_sourceLocation,
      _ body: @escaping (SimulatedApp) throws -> Void
    ) throws {
      do { try check(run: number, test: test, body) } catch let outcome as UnexpectedCodeOutcome {
        outcome.record(at: sourceLocation)
      }
    }

    /// Likewise, for a body that is a task of the main actor.
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
        Issue.record("expected and not found: \(kind.rawValue)", sourceLocation: place)
      }
    }
  }
#endif
