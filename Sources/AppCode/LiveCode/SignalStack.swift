import Glibc

/// The memory in which a thread of a run handles signals, because its regular stack may be
/// exhausted.
@safe final class SignalStack {
  private static let size = 1 << 16
  private static let frameCapacity = 256
  private let memory = UnsafeMutableRawPointer.allocate(
    byteCount: size, alignment: 16)
  /// The return addresses on the thread's stack when a signal came.
  private let frames = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(
    capacity: frameCapacity)
  private var frameCount = 0

  /// The result of `dladdr`, field for field.
  @unsafe private struct Symbol {
    var file: UnsafePointer<CChar>?
    var base: UnsafeMutableRawPointer?
    var name: UnsafePointer<CChar>?
    var address: UnsafeMutableRawPointer?
  }

  // Glibc's module does not declare these two functions.
  private static let findSymbol = unsafe unsafeBitCast(
    dlsym(nil, "dladdr"),
    to: (@convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Int32)?.self)
  private static let backtrace = unsafe unsafeBitCast(
    dlsym(nil, "backtrace"),
    to: (@convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32) -> Int32)?.self)

  /// Creates the signal stack of the calling thread. The same thread must release it.
  init() {
    var stack = unsafe stack_t()
    unsafe (stack.ss_sp, stack.ss_size) = (memory, SignalStack.size)
    unsafe sigaltstack(&stack, nil)
  }

  deinit {
    var none = unsafe stack_t()
    unsafe none.ss_flags = Int32(SS_DISABLE)
    unsafe sigaltstack(&none, nil)
    unsafe memory.deallocate()
    unsafe frames.deallocate()
  }

  /// Loads everything that `noteFrames` needs, because a signal handler must not allocate.
  static func prepare() {
    _ = callOfInitializers
  }

  /// Records the functions that the calling thread is in. Allocates nothing.
  func noteFrames() {
    frameCount = unsafe Int(SignalStack.backtrace?(frames, Int32(SignalStack.frameCapacity)) ?? 0)
  }

  /// A Boolean value that indicates whether the thread was initializing a static or global
  /// variable.
  var wasInitializing: Bool {
    guard let call = SignalStack.callOfInitializers else { return false }
    return unsafe UnsafeBufferPointer(start: frames, count: frameCount).contains {
      UInt(bitPattern: $0) == call
    }
  }

  /// The place from which Swift's runtime calls all initializers of static and global variables.
  /// The initializer of this variable finds it on its own stack. The value is nil if the runtime is
  /// linked statically.
  private static let callOfInitializers: UInt? = {
    guard let function = unsafe dlsym(nil, "swift_once"), let runtime = unsafe library(of: function)
    else { return nil }
    var frames = unsafe [UnsafeMutableRawPointer?](repeating: nil, count: 16)
    let count = unsafe Int(backtrace?(&frames, 16) ?? 0)
    let libraries = unsafe frames.prefix(count).map { unsafe $0.flatMap { unsafe library(of: $0) } }
    // The first frame is this initializer.
    guard unsafe libraries.first != runtime,
      let index = unsafe libraries.firstIndex(of: runtime)
    else { return nil }
    return unsafe UInt(bitPattern: frames[index])
  }()

  /// Returns the load address of the library that contains an address.
  private static func library(of address: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    var symbol = unsafe Symbol()
    guard unsafe findSymbol?(address, &symbol) ?? 0 != 0 else { return nil }
    return unsafe symbol.base
  }
}
