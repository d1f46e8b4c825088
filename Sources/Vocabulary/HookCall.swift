package import ObjectModel

/// A call of a hook that an app's class overrides, and what the class did in it.
///
/// It is input, as the steps of a program are: the engine runs the code and notes it, and the
/// reference model does the same in its turn.
package struct HookCall: Hashable, Sendable {
  package enum Deed: Hashable, Sendable {
    case step(AddressedStep)
    /// The code got hold of the instance with this ID, under a name of its own.
    case hold(ObjectID, ContextID, ObjectName)
  }

  package let hook: Hook
  package let context: ContextID
  package let object: ObjectID
  /// In the order in which the code did them; those of hooks that they led to have calls of their
  /// own, which follow.
  package var deeds: [Deed] = []
  /// Whether the code set a property of the object through a tracked accessor: `willSave` is called
  /// again then (LC-09).
  package var changesObject = false

  package init(hook: Hook, context: ContextID, object: ObjectID) {
    self.hook = hook
    self.context = context
    self.object = object
  }
}
