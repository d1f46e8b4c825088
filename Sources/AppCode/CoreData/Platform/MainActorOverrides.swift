/// Runs the body of an override of `setUp` or `tearDown` in a test class that is isolated to the
/// main actor. Test code runs on the main thread of its run.
public func simulatedMainActor(_ body: @MainActor () throws -> Void) rethrows {
  try withoutActuallyEscaping(body) { body in
    try unsafe unsafeBitCast(body, to: (() throws -> Void).self)()
  }
}
