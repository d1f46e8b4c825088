import Glibc

/// The semaphore on which a thread of a run waits for its turn. Only the thread that was given its
/// turn last runs.
@safe final class TurnSemaphore: @unchecked Sendable {
  private let semaphore: UnsafeMutablePointer<sem_t>

  init() {
    unsafe semaphore = .allocate(capacity: 1)
    unsafe sem_init(semaphore, 0, 0)
  }

  deinit {
    unsafe sem_destroy(semaphore)
    unsafe semaphore.deallocate()
  }

  func give() { unsafe sem_post(semaphore) }

  /// Waits until the turn is given. Calls `sem_wait` again if a signal interrupts it.
  func wait() { while unsafe sem_wait(semaphore) != 0 {} }

  /// Waits until the turn is given, but no longer than about a second of host time.
  ///
  /// - Returns: `true` if the turn was given.
  func waitForASecond() -> Bool {
    var deadline = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &deadline)
    deadline.tv_sec += 1
    while unsafe sem_timedwait(semaphore, &deadline) != 0 {
      if errno == ETIMEDOUT { return false }
    }
    return true
  }
}

/// Measures the cost of handing the turn from one thread to another.
package enum HandOvers {
  /// Hands the turn there and back `count` times.
  package static func run(_ count: Int) {
    let threads = ThreadPool()
    defer { threads.drain() }
    threads.gather()
    let (here, there, over) = (TurnSemaphore(), TurnSemaphore(), TurnSemaphore())
    let first = threads.thread {
      for _ in 0..<count {
        there.give()
        here.wait()
      }
      return there
    }
    let second = threads.thread {
      for _ in 0..<count {
        there.wait()
        here.give()
      }
      // The first thread has ended when the last turn comes.
      there.wait()
      return over
    }
    second.turn.give()
    first.turn.give()
    over.wait()
  }
}
