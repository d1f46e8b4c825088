/// Runs the body of an override of `setUp` or `tearDown` in a class that the main actor isolates.
/// The thread of a test's code is the main thread of its run.
public func simulatedMainActor(_ body: @MainActor () throws -> Void) rethrows {
  try withoutActuallyEscaping(body) { body in
    try unsafe unsafeBitCast(body, to: (() throws -> Void).self)()
  }
}
