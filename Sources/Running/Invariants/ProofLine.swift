package import ObjectModel
package import SimulatedCoreData
package import Vocabulary

/// A line of a violation's proof, such as a read, write, save or merge.
package struct ProofLine: Hashable, Sendable {
  package enum Operation: Hashable, Sendable {
    case reads(Value)
    case readsMembers([ObjectID])
    /// A fired fault showed the value.
    case loads(Value)
    case sets(Value)
    /// A save put the value one level up, or into a store if `to` is `nil`.
    case saves(Value, to: ContextID?)
    /// A save succeeded, but the level kept this value.
    case savesInVain(Value, in: ContextID?)
    /// A save succeeded, but its object was already deleted at that level.
    case savesTooLate(in: ContextID?)
    /// A save omitted the object, which is a duplicate.
    case leavesOut
    case deletes
    case batchSets(Value)
    case batchDeletes
    case merges(from: ContextID, by: World.Origin)
    case mergesHistory
    case refreshes
    case rollsBack, resets, discards
    case kill
    case takesStore(StoreTaking)
    /// The change was lost with its context.
    case loses(Evidence.Loss)
    /// After a kill, the value on disk, or `nil` for no row.
    case isStored(Value?)
    /// The action, with the time that its requests to stores took.
    case performs(Action, milliseconds: Int)
    case asksStore(Action, StoreAccess)
    /// A lane owns a queue, or waits for a queue. `reason` is a clause that says why it must wait.
    case takes(lane: String, queue: String, World.Activity.Subject)
    case waits(lane: String, queue: String, reason: String, World.Activity.Subject)
    case shows([ResultsSection])
    case hasStored([ResultsSection])
  }

  /// The removal or destruction of a store.
  package struct StoreTaking: Hashable, Sendable {
    package let store: StoreID
    package let isDestroyed: Bool
    /// A Boolean value that indicates whether a step of the stack took the store, and not the
    /// program.
    package let isDesigns: Bool
  }

  /// The number of steps performed by then, or 0 if that means nothing.
  package var step: Int
  package var context: ContextID?
  package var operation: Operation
  package var object: ObjectID?
  package var property: PropertyID?

  init(
    _ operation: Operation, by context: ContextID? = nil, of object: ObjectID? = nil,
    _ property: PropertyID? = nil, step: Int = 0
  ) {
    self.step = step
    self.context = context
    self.operation = operation
    self.object = object
    self.property = property
  }

  /// Adds the objects that a report has to name.
  package func appendObjects(to objects: inout [ObjectID]) {
    if let object { objects.append(object) }
    switch operation {
    case .reads(let value), .loads(let value), .sets(let value), .saves(let value, to: _),
      .savesInVain(let value, in: _), .batchSets(let value), .isStored(.some(let value)),
      .loses(.value(_, let value)):
      if let id = value.objectID { objects.append(id) }
    case .readsMembers(let ids): objects += ids
    case .shows(let sections), .hasStored(let sections):
      for section in sections {
        objects += section.objects
        if let id = section.name.objectID { objects.append(id) }
      }
    default: break
    }
  }
}
