import LiveCode

// Swift's functions that end a process. The functions in this file replace them in code that
// imports Core Data. During a run they end only the run. The test reports the line, and later tests
// continue.

/// Ends the run with a message, or the process outside a run.
public func fatalError(
  _ message: @autoclosure () -> String = String(), file: StaticString = #fileID, line: UInt = #line
) -> Never {
  stop("Fatal error", message(), file, line)
}

/// Ends the run with a message, or the process outside a run.
public func preconditionFailure(
  _ message: @autoclosure () -> String = String(), file: StaticString = #fileID, line: UInt = #line
) -> Never {
  stop("Precondition failed", message(), file, line)
}

/// Ends the run, or the process outside a run, if the condition is false.
public func precondition(
  _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String = String(),
  file: StaticString = #fileID, line: UInt = #line
) {
  if !condition() { stop("Precondition failed", message(), file, line) }
}

private func stop(
  _ kind: String, _ message: String, _ file: StaticString, _ line: UInt
) -> Never {
  if let run = LiveRun.current, run.canTrap {
    run.trap("\(file):\(line): \(kind)\(message.isEmpty ? "" : ": ")\(message)")
  }
  Swift.fatalError(message, file: file, line: line)
}

/// Ends the run, or the process outside a run. The function is called where Core Data raises an
/// exception that no Swift code catches.
func misuse(_ message: String) -> Never {
  if let run = LiveRun.current, run.canTrap { run.trap("Core Data: \(message)") }
  Swift.fatalError("Core Data: \(message)")
}

/// Ends the run if it uses a value of another run, such as an earlier test.
func checkIsOfRun(_ run: LiveRun, _ name: String) {
  guard let current = LiveRun.current, current !== run else { return }
  let owner =
    run.isOutside
    ? "was made outside of a test" : "belongs to a test, or to a schedule of a test, that has ended"
  misuse(
    "\(name) \(owner). Each test and each schedule is a separate run: make the stack in setUp, or in the "
      + "test, and not in a static or global variable")
}
