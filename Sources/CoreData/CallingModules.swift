/// The modules of the code that a run has met, in which it finds the classes that models name.
package enum CallingModules {
  /// Adds the module of a type: a test may make its stack in another module, whose models name
  /// classes of the test's.
  package static func note(moduleOf type: Any.Type) {
    let module = String(reflecting: type).prefix { $0 != "." }
    RunState.current.noteCaller(String(module))
  }
}
