import Dispatch

/// Runs `body` on a separate thread. `body` may compute for seconds, and must not block one of the
/// few threads that tasks share.
package func besideTasks<Value: Sendable>(
  _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(with: Result(catching: body)) }
  }
}
