import Foundation
import LiveCode
import SimulatedCoreData

extension NSManagedObjectContext {
  /// The time at which a block that a task awaits begins.
  public enum ScheduledTaskType: Sendable {
    /// Immediately if the caller is on the context's queue, otherwise as `enqueued`.
    case immediate
    /// After the blocks that are already enqueued.
    case enqueued
  }

  /// Runs `block` on the context's queue and suspends the task until it has run.
  public nonisolated(nonsending) func perform<Result, Failure: Error>(
    schedule: ScheduledTaskType = .immediate, file: String = #fileID, line: Int = #line,
    _ block: @escaping () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    if schedule == .immediate, run.hasQueue(of: id) { return try wait(for: block) }
    return try await suspended(while: block) { perform(file: file, line: line, $0) }
  }
}

extension NSPersistentContainer {
  /// Runs `block` on the queue of a new context and suspends the task until it has run.
  public nonisolated(nonsending) func performBackgroundTask<Result, Failure: Error>(
    file: String = #fileID, line: Int = #line,
    _ block: @escaping (NSManagedObjectContext) throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let context = newBackgroundContext()
    context.kind = "backgroundTask"
    return try await context.perform(
      schedule: .enqueued, file: file, line: line
    ) { () throws(Failure) in try block(context) }
  }
}

extension NSPersistentStoreCoordinator {
  /// Runs `block` on the coordinator's queue and suspends the task until it has run.
  public nonisolated(nonsending) func perform<Result, Failure: Error>(
    file: String = #fileID, line: Int = #line,
    _ block: @escaping () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    try await suspended(while: block) { perform(file: file, line: line, $0) }
  }
}

/// Suspends the calling task until `block`, which `enqueue` submits, has run.
private nonisolated(nonsending) func suspended<Result, Failure: Error>(
  while block: @escaping () throws(Failure) -> Result,
  _ enqueue: (@escaping () -> Void) -> Void
) async throws(Failure) -> Result {
  let outcome = Handed<Swift.Result<Result, Failure>?>(nil)
  await withCheckedContinuation { continuation in
    enqueue {
      outcome.value = Swift.Result { () throws(Failure) in try block() }
      continuation.resume()
    }
  }
  guard let outcome = outcome.value else {
    preconditionFailure("a task goes on before its block has run")
  }
  return try outcome.get()
}
