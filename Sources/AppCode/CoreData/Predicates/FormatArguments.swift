public import Foundation

/// A value that can be an argument of a predicate format. Foundation bridges such values to
/// `CVarArg` on Apple platforms.
public protocol SimulatedFormatArgument: CVarArg, _CVarArgObject {}

extension SimulatedFormatArgument {
  /// The description, which `String(format:)` inserts for `%@`.
  public var _cVarArgObject: any CVarArg { NSString(string: "\(self)") }

  /// Traps. Formatting uses `_cVarArgObject` instead.
  public var _cVarArgEncoding: [Int] { misuse("'\(self)' is not a number in a format") }
}

// Numbers, dates, arrays and sets of Foundation, and managed objects.
extension NSObject: SimulatedFormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Date: SimulatedFormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension UUID: SimulatedFormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension URL: SimulatedFormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Data: SimulatedFormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Array: SimulatedFormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Set: SimulatedFormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Dictionary: SimulatedFormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}

/// The arguments of a format, as `withVaList` passes them. Replaces Swift's `CVaListPointer` in a
/// prepared module.
public struct SimulatedCVaListPointer {
  let arguments: [Any]

  /// Creates a list of arguments.
  public init(_ arguments: [any CVarArg]) { self.arguments = arguments }
}
