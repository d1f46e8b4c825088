package import ObjectModel

/// A call of a hook that an app's class overrides, with the actions of the override.
///
/// Hook calls are input, like the steps of a program. The engine runs the code and records the
/// call, and the reference model then replays the record.
package struct HookCall: Hashable, Sendable {
  package enum Operation: Hashable, Sendable {
    case step(AddressedStep)
    /// The code obtained the instance with this ID and holds it under the given name.
    case hold(ObjectID, ContextID, ObjectName)
  }

  package let hook: Hook
  package let context: ContextID
  package let object: ObjectID
  /// The actions of the override, in order of execution. Hooks called within it have `HookCall`
  /// values of their own, which follow.
  package var operations: [Operation] = []
  /// A Boolean value that indicates whether the code set a property of the object through a tracked
  /// accessor, in which case `willSave` is called again (LC-09).
  package var changesObject = false

  package init(hook: Hook, context: ContextID, object: ObjectID) {
    self.hook = hook
    self.context = context
    self.object = object
  }
}
