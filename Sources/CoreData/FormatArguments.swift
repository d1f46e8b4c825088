public import Foundation

/// What Apple's Foundation bridges, so that it can be cast to `CVarArg`: an argument of a
/// predicate's format, which takes any value.
public protocol SimulatedFormatArgument: CVarArg, _CVarArgObject {}

extension SimulatedFormatArgument {
  /// What `String(format:)` gets for `%@`: the description.
  public var _cVarArgObject: any CVarArg { NSString(string: "\(self)") }

  /// Traps: objects are asked for `_cVarArgObject`.
  public var _cVarArgEncoding: [Int] { misuse("'\(self)' is no number in a format") }
}

// Numbers, dates, arrays and sets of Foundation, and objects of a context.
extension NSObject: SimulatedFormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Date: SimulatedFormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension UUID: SimulatedFormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension URL: SimulatedFormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Data: SimulatedFormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Array: SimulatedFormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Set: SimulatedFormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}
extension Dictionary: SimulatedFormatArgument, @retroactive CVarArg, @retroactive _CVarArgObject {}

/// The arguments of a format, as `withVaList` hands them on: takes the place of Swift's
/// `CVaListPointer` in a prepared module.
public struct SimulatedCVaListPointer {
  let arguments: [Any]

  /// A list of these arguments.
  public init(_ arguments: [any CVarArg]) { self.arguments = arguments }
}
