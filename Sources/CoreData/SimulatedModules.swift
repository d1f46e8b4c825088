import Foundation

/// The modules of an app's package: a prepared module has a subclass that names them. A library
/// that inserts objects for others finds their classes in these modules.
open class SimulatedModules: NSObject {
  /// The names of the modules.
  open class var names: [String] { [] }
  /// The folder of the module's sources, which stands for its bundle.
  open class var folder: String { "" }
  /// The paths of the models and mapping models of the module.
  open class var resources: [String] { [] }
}

extension SimulatedModules {
  /// What the prepared module of this name says of itself; nil if it is not prepared.
  static func named(_ module: String) -> SimulatedModules.Type? {
    NSClassFromString("\(module).__FaultlineModules") as? SimulatedModules.Type
  }

  /// The class of this name, also without its module where that is one of the run's: takes the
  /// place of `NSClassFromString` in a prepared module.
  public static func anyClass(named name: String) -> AnyClass? {
    RunState.ifRunning?.anyClass(named: name) ?? NSClassFromString(name)
  }
}

extension RunState {
  /// What the prepared module of this name says of its package.
  static func modules(beside module: String) -> [String] {
    SimulatedModules.named(module)?.names ?? []
  }
}
