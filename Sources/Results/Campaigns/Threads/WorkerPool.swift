import Foundation

/// Threads that run the same function in parallel, and the thread that waits for them.
///
/// The distribution of work among the threads varies, so no result may depend on it.
package final class WorkerPool<Result: Sendable>: Sendable {
  private let results: Locked<[Result?]>
  private let ended = DispatchSemaphore(value: 0)
  private let count: Int

  /// The stack size of each thread, equal to that of the main thread.
  private static var stackSize: Int { 8 << 20 }

  /// Starts `count` threads, and passes each its number, from 0.
  package init(_ count: Int, _ work: @escaping @Sendable (Int) -> Result) {
    self.count = count
    results = Locked(Array(repeating: nil, count: count))
    for number in 0..<count {
      let thread = Thread { [self] in
        let result = work(number)
        results.withLock { $0[number] = result }
        ended.signal()
      }
      thread.stackSize = WorkerPool.stackSize
      thread.start()
    }
  }

  /// Waits for all threads, and returns their results in the order of the threads' numbers.
  package func join() -> [Result] {
    for _ in 0..<count { ended.wait() }
    return results.withLock { $0.compactMap(\.self) }
  }
}

/// Calls `work` for each of `count` pieces on up to `jobs` threads. Returns the results in the
/// order of the pieces.
package func concurrently<Result: Sendable>(
  _ count: Int, jobs: Int, _ work: @escaping @Sendable (Int) -> Result
) -> [Result] {
  if jobs == 1 || count < 2 { return (0..<count).map(work) }
  let next = Locked(0)
  let pool = WorkerPool(min(jobs, count)) { _ in
    var done: [(piece: Int, result: Result)] = []
    while true {
      let piece = next.withLock { next in
        defer { next += 1 }
        return next
      }
      guard piece < count else { return done }
      done.append((piece, work(piece)))
    }
  }
  return pool.join().flatMap(\.self).sorted { $0.piece < $1.piece }.map(\.result)
}
