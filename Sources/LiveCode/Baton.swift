import Glibc

/// What a thread waits for before it goes on. Of all threads of a run, the one that was given its
/// baton last is the only one that runs.
@safe final class Baton: @unchecked Sendable {
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

  /// A signal may end the wait early.
  func wait() { while unsafe sem_wait(semaphore) != 0 {} }

  /// Waits for about a second of the host.
  ///
  /// - Returns: Whether the baton was given.
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

/// Two threads that hand the turn to each other, to measure what that costs.
package enum HandOvers {
  /// There and back so many times.
  package static func run(_ count: Int) {
    let threads = ThreadPool()
    defer { threads.drain() }
    threads.gather()
    let (here, there, over) = (Baton(), Baton(), Baton())
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
      // The other thread has ended when its last turn comes.
      there.wait()
      return over
    }
    second.baton.give()
    first.baton.give()
    over.wait()
  }
}
