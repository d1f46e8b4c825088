/// Releases references that abandoned code has kept.
enum Abandoned {
  typealias Function = @Sendable () async throws -> Void

  /// Calls `body` with the function as an escaping function.
  ///
  /// A run may end in the middle of its code, for example in a deadlock. It then ends the threads
  /// of that code without unwinding them, and the references that they hold are leaked. A leaked
  /// reference to the function would count as an escape, so it is released here.
  static func withoutEscaping<Result>(
    _ function: Function, _ body: (@escaping Function) -> Result
  ) -> Result {
    withoutActuallyEscaping(function) { function in
      guard let context = unsafe context(of: function) else { return body(function) }
      let count = unsafe retainCount(context)
      let result = body(function)
      while unsafe retainCount(context) > count {
        unsafe Unmanaged<AnyObject>.fromOpaque(context).release()
      }
      return result
    }
  }

  private struct Box { let function: Function }

  /// A function is a pair of pointers: to its code and to its captured values.
  @inline(never) private static func context(
    of function: @escaping Function
  ) -> UnsafeMutableRawPointer? {
    unsafe unsafeBitCast(
      Box(function: function), to: (UInt, UnsafeMutableRawPointer?).self
    ).1
  }

  @_silgen_name("swift_retainCount") private static func retainCount(
    _ object: UnsafeMutableRawPointer
  ) -> Int
}
