import Foundation
import Synchronization

/// The modules of an app's package. Each prepared module has a subclass that names them. When a
/// library inserts objects for other modules, class look-ups search these modules.
open class SimulatedModules: NSObject {
  /// The names of the modules.
  open class var names: [String] { [] }
  /// The folder of the module's sources, which replaces its bundle.
  open class var folder: String { "" }
  /// The paths of the models and mapping models of the module.
  open class var resources: [String] { [] }
  /// The promises in comments of the module's sources, such as `unique Note.title`.
  open class var promises: [String] { [] }
  /// The module's classes with a custom Objective-C name, as in `@objc(Note)`, indexed by that
  /// name.
  open class var classes: [String: AnyClass] { [:] }
}

extension SimulatedModules {
  /// Returns the declaration of the prepared module with this name, or nil if the module is not
  /// prepared.
  static func named(_ module: String) -> SimulatedModules.Type? {
    NamedClasses.named("\(module).__FaultlineModules") as? SimulatedModules.Type
  }

  /// Returns the full name of a class in a model file.
  ///
  /// A leading dot stands for the prepared module whose resources include the model. The module's
  /// name is a folder of the path, as in `Sources/NotesApp`, or the module's code has called. If no
  /// module matches, the dot remains.
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

  /// Returns the class with this Objective-C name, or a class of the run's modules by its name
  /// without the module. Replaces `NSClassFromString` in a prepared module, which passes its
  /// declaration.
  public static func anyClass(
    named name: String, for declaration: SimulatedModules.Type? = nil
  ) -> AnyClass? {
    if let known = declaration?.classes[name] { return known }
    for module in declaration?.names ?? [] {
      if let known = named(module)?.classes[name] { return known }
    }
    return RunState.ifRunning?.anyClass(named: name) ?? NamedClasses.named(name)
  }

  /// Returns the Objective-C name of a class. Replaces `NSStringFromClass` in a prepared module.
  public static func name(of type: AnyClass) -> String {
    let module = String(reflecting: type).prefix { $0 != "." }
    return named(String(module))?.classes.first { $0.value == type }?.key
      ?? NamedClasses.name(of: type)
  }
}

extension RunState {
  /// Returns the names of the modules in the package of a prepared module.
  static func modules(beside module: String) -> [String] {
    SimulatedModules.named(module)?.names ?? []
  }
}

/// Finds classes by their Objective-C names. Foundation on Linux lacks names for private classes,
/// and for classes inside types and functions.
enum NamedClasses {
  private struct Known {
    /// Inner classes whose names were requested, indexed by name.
    var inner: [String: AnyClass] = [:]
    /// Results of earlier look-ups, including failed ones. A failed look-up takes as long as about
    /// ten actions of a run.
    var found: [String: AnyClass?] = [:]
  }

  private static let known = Mutex(Known())

  /// Returns the name of a class, such as `Module.Outer.Inner` for an inner class. Further classes
  /// of the same name get a number.
  static func name(of type: AnyClass) -> String {
    // Drop the part for an unknown context, which contains an address.
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

  /// Returns the class with this name.
  static func named(_ name: String) -> AnyClass? {
    known.withLock { known in
      if let type = known.inner[name] { return type }
      if let answer = known.found[name] { return answer }
      // For a nested name, Foundation prints a note and finds nothing.
      let isNested = name.count { $0 == "." } > 1
      let type: AnyClass? = isNested ? nil : NSClassFromString(name)
      known.found[name] = .some(type)
      return type
    }
  }
}
