package import ObjectModel
package import Vocabulary

/// Instances that an app's code holds.
extension ObjectGraph {
  /// Makes the code hold the instance with this ID under a name that no other instance has.
  mutating func hold(_ id: ObjectID, in context: ContextID, as name: ObjectName) {
    let slot = instance(id, in: context)
    contexts[context.index].bind(name, to: slot)
  }

  /// Decides whether the instance that a name holds is still registered.
  package func isRegistered(_ name: ObjectName, in context: ContextID) -> Bool {
    if case .slot = contexts[context.index].binding(of: name) { true } else { false }
  }

  /// Returns the ID of the registered instance with `id`, or with the other ID of its row.
  package func registeredID(_ id: ObjectID, in context: ContextID) -> ObjectID? {
    lookup(id, in: context).map { contexts[context.index].id(of: $0) }
  }
}
