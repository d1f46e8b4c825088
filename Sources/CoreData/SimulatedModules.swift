import Foundation

/// The modules of an app's package: a prepared module has a subclass that names them. A library
/// that inserts objects for others finds their classes in these modules.
open class SimulatedModules: NSObject {
  /// The names of the modules.
  open class var names: [String] { [] }
}

extension SimulatedModules {
  /// The class of this name, also without its module where that is one of the run's: takes the
  /// place of `NSClassFromString` in a prepared module.
  public static func anyClass(named name: String) -> AnyClass? {
    RunState.ifRunning?.managedObjectClass(named: name) ?? NSClassFromString(name)
  }
}

extension RunState {
  /// What the prepared module of this name says of its package.
  static func modules(beside module: String) -> [String] {
    (NSClassFromString("\(module).__FaultlineModules") as? SimulatedModules.Type)?.names ?? []
  }
}
