import Glibc

/// A processor of the host. Affects only the speed of a run.
struct Core: Equatable {
  /// The number of the processor, or a negative number for any processor.
  private var number: Int32 = -1

  // Glibc's module does not declare these two functions.
  private static let currentNumber = unsafe unsafeBitCast(
    dlsym(nil, "sched_getcpu"), to: (@convention(c) () -> Int32)?.self)
  private static let setAffinity = unsafe unsafeBitCast(
    dlsym(nil, "sched_setaffinity"),
    to: (@convention(c) (pid_t, Int, UnsafePointer<cpu_set_t>) -> Int32)?.self)

  /// The processor on which the calling thread runs.
  static var current: Core { Core(number: currentNumber?() ?? -1) }

  init() {}

  private init(number: Int32) { self.number = number }

  /// Moves the calling thread from the processor that this value records to another one. If the
  /// host refuses, the run is only slower.
  mutating func move(to other: Core) {
    guard self != other, other.number >= 0 else { return }
    self = other
    var set = cpu_set_t()
    let size = MemoryLayout<cpu_set_t>.size
    guard Int(number) < size * 8 else { return }
    unsafe withUnsafeMutableBytes(of: &set) { bytes in
      // The host stores words with the least significant byte first, so bytes can be indexed.
      unsafe bytes[Int(number) / 8] |= 1 << UInt8(number % 8)
    }
    _ = unsafe Core.setAffinity?(0, size, &set)
  }
}
