import Dispatch

/// Has `body`, which may compute for seconds, run on a thread of its own: tasks share a few, and
/// none of these is to wait.
package func besideTasks<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
  }
}
