/// A reference to a value that a validation method reads and may replace. It has the name of
/// Apple's pointer type, but no unsafe memory.
public final class AutoreleasingUnsafeMutablePointer<Pointee> {
  /// The referenced value.
  public var pointee: Pointee

  /// Creates a reference to a value.
  public init(_ value: Pointee) { pointee = value }
}
