import Foundation
import Synchronization

/// The modules of an app's package: a prepared module has a subclass that names them. A library
/// that inserts objects for others finds their classes in these modules.
open class SimulatedModules: NSObject {
  /// The names of the modules.
  open class var names: [String] { [] }
  /// The folder of the module's sources, which stands for its bundle.
  open class var folder: String { "" }
  /// The paths of the models and mapping models of the module.
  open class var resources: [String] { [] }
  /// The classes of the module that have a name of their own for Objective-C, `@objc(Note)`.
  open class var classes: [String: AnyClass] { [:] }
}

extension SimulatedModules {
  /// What the prepared module of this name says of itself; nil if it is not prepared.
  static func named(_ module: String) -> SimulatedModules.Type? {
    NamedClasses.named("\(module).__FaultlineModules") as? SimulatedModules.Type
  }

  /// The name of a class in a model file. A dot before it stands for the module that the model is
  /// compiled with: the prepared module that has the model among its resources. The name of that
  /// module is a folder of the path, as in `Sources/NotesApp`, or else the module's code has
  /// called. Without such a module the dot stays.
  static func fullName(ofClass name: String, inModelAt path: String) -> String {
    guard name.hasPrefix(".") else { return name }
    let folders = path.split(separator: "/").reversed().map {
      $0.replacingOccurrences(of: "-", with: "_").replacingOccurrences(of: " ", with: "_")
    }
    let module = (folders + (RunState.ifRunning?.knownModules ?? [])).first { module in
      named(module)?.resources.contains { path == $0 || path.hasPrefix($0 + "/") } == true
    }
    return module.map { $0 + name } ?? name
  }

  /// The class of this name: what a module of the package calls so for Objective-C, or a class of
  /// the run's modules, without the module. Takes the place of `NSClassFromString` in a prepared
  /// module, which hands over what it says of itself.
  public static func anyClass(
    named name: String, for declaration: SimulatedModules.Type? = nil
  ) -> AnyClass? {
    if let known = declaration?.classes[name] { return known }
    for module in declaration?.names ?? [] {
      if let known = named(module)?.classes[name] { return known }
    }
    return RunState.ifRunning?.anyClass(named: name) ?? NamedClasses.named(name)
  }

  /// The name of a class as Objective-C has it: takes the place of `NSStringFromClass` in a
  /// prepared module.
  public static func name(of type: AnyClass) -> String {
    let module = String(reflecting: type).prefix { $0 != "." }
    return named(String(module))?.classes.first { $0.value == type }?.key
      ?? NamedClasses.name(of: type)
  }
}

extension RunState {
  /// What the prepared module of this name says of its package.
  static func modules(beside module: String) -> [String] {
    SimulatedModules.named(module)?.names ?? []
  }
}

/// Classes by the names that Objective-C has for them. Foundation on Linux has none for those
/// within types and functions, and for private ones.
enum NamedClasses {
  private struct Known {
    /// Inner classes that were asked for their names.
    var inner: [String: AnyClass] = [:]
    /// What was looked for, found or not: a search for what is not there takes as long as some ten
    /// actions of a run.
    var found: [String: AnyClass?] = [:]
  }

  private static let known = Mutex(Known())

  /// `Module.Outer.Inner` for an inner class; of several of this name, the later have numbers.
  static func name(of type: AnyClass) -> String {
    // An unknown context has an address.
    let parts = String(reflecting: type).split(separator: ".").filter { !$0.hasPrefix("(") }
    let plain = parts.joined(separator: ".")
    if parts.count == 2, NSClassFromString(plain) == type { return NSStringFromClass(type) }
    return known.withLock { known in
      var (name, number) = (plain, 1)
      while let other = known.inner[name], other != type {
        number += 1
        name = "\(plain)\(number)"
      }
      known.inner[name] = type
      return name
    }
  }

  /// The class of this name.
  static func named(_ name: String) -> AnyClass? {
    known.withLock { known in
      if let type = known.inner[name] { return type }
      if let answer = known.found[name] { return answer }
      let type: AnyClass? = NSClassFromString(name)
      known.found[name] = .some(type)
      return type
    }
  }
}
