import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Overrides of managed object methods, which run in the middle of an action.
extension LiveRun {
  func runHook(
    _ world: inout World, _ hook: Hook, _ context: ContextID, _ id: ObjectID
  ) -> Bool {
    // A step inside a hook may call another hook, which has the same world.
    let outer = unsafe worldInHook
    defer { unsafe worldInHook = outer }
    return unsafe withUnsafeMutablePointer(to: &world) { pointer in
      unsafe worldInHook = pointer
      return callHook(hook, context, id)
    }
  }
}

/// A reference from the engine to the run that owns the engine.
final class HookRelay {
  weak var run: LiveRun?
}

extension LiveRun {
  /// A Boolean value that indicates whether the calling code is a hook. The steps of a hook are
  /// part of the running action.
  package var isInHook: Bool { unsafe worldInHook != nil }
}
