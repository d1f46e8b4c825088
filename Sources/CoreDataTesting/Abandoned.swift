/// What code that never goes on has kept.
enum Abandoned {
  typealias Function = @Sendable () async throws -> Void

  /// Calls `body` with the function as one that may escape.
  ///
  /// A run that ends in the middle of its code, as in a deadlock, ends the threads of that code
  /// without unwinding them, and the references that they hold are lost. A lost reference to the
  /// function would count as an escape, though nothing calls it any more: it is given back.
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

  /// A function is a pair of pointers, to its code and to what it has captured.
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
