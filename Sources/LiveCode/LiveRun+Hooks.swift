import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The overrides of classes run in the middle of an action.
extension LiveRun {
  func runHook(
    _ world: inout World, _ hook: Hook, _ context: ContextID, _ id: ObjectID
  ) -> Bool {
    // A hook that a step of another hook calls has the same world.
    let outer = unsafe worldInHook
    defer { unsafe worldInHook = outer }
    return unsafe withUnsafeMutablePointer(to: &world) { pointer in
      unsafe worldInHook = pointer
      return callHook(hook, context, id)
    }
  }
}

/// Leads from the engine to the run that it is a part of.
final class HookRelay {
  weak var run: LiveRun?
}

extension LiveRun {
  /// Whether the calling code is a hook: what it does is part of the action that runs.
  package var isInHook: Bool { unsafe worldInHook != nil }
}
