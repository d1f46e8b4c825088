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
}
