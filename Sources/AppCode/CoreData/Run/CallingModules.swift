/// The modules whose code has called into the run. The run looks up the classes that models name in
/// these modules.
package enum CallingModules {
  /// Adds the module of a type. A test may create its stack in another module, whose models name
  /// classes of the test module.
  package static func note(moduleOf type: Any.Type) {
    let module = String(reflecting: type).prefix { $0 != "." }
    RunState.current.noteCaller(String(module))
  }
}
