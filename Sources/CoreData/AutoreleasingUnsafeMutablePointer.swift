/// Where a validation method finds the value, and leaves another: stands for Apple's pointer of
/// this name. It points to nothing unsafe.
public final class AutoreleasingUnsafeMutablePointer<Pointee> {
  /// The value.
  public var pointee: Pointee

  /// A place with this value.
  public init(_ value: Pointee) { pointee = value }
}
