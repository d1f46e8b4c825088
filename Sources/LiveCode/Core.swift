import Glibc

/// One of the host's processors. Decides how fast a run is, and nothing else.
struct Core: Equatable {
  /// Less than 0 for any.
  private var number: Int32 = -1

  // Glibc's module leaves these two out.
  private static let currentNumber = unsafe unsafeBitCast(
    dlsym(nil, "sched_getcpu"), to: (@convention(c) () -> Int32)?.self)
  private static let setAffinity = unsafe unsafeBitCast(
    dlsym(nil, "sched_setaffinity"),
    to: (@convention(c) (pid_t, Int, UnsafePointer<cpu_set_t>) -> Int32)?.self)

  /// Where the calling thread runs at the moment.
  static var current: Core { Core(number: currentNumber?() ?? -1) }

  init() {}

  private init(number: Int32) { self.number = number }

  /// Keeps the calling thread on another processor, whose number the thread notes here. A host that
  /// refuses is slower.
  mutating func move(to other: Core) {
    guard self != other, other.number >= 0 else { return }
    self = other
    var set = cpu_set_t()
    let size = MemoryLayout<cpu_set_t>.size
    guard Int(number) < size * 8 else { return }
    unsafe withUnsafeMutableBytes(of: &set) { bytes in
      // Its words are in the order of the host: least significant byte first.
      unsafe bytes[Int(number) / 8] |= 1 << UInt8(number % 8)
    }
    _ = unsafe Core.setAffinity?(0, size, &set)
  }
}
