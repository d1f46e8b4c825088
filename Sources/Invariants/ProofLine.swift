package import ObjectModel
package import SimulatedCoreData
package import Vocabulary

/// One read, write, save or merge: a line of a violation's proof.
package struct ProofLine: Hashable, Sendable {
  package enum Operation: Hashable, Sendable {
    case reads(Value)
    case readsMembers([ObjectID])
    /// A fault was fired and showed this.
    case loads(Value)
    case sets(Value)
    /// A save put it one level up; nil is a store.
    case saves(Value, to: ContextID?)
    /// A save went through, and this is what stays there.
    case savesInVain(Value, in: ContextID?)
    /// A save went through, and what it is about was deleted there.
    case savesTooLate(in: ContextID?)
    /// A save left it out, a duplicate.
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
    /// It went with the context.
    case loses(Evidence.Loss)
    /// After a kill: what is on disk; nil for no row.
    case isStored(Value?)
    /// Requests to stores took so many milliseconds of it.
    case performs(Action, milliseconds: Int)
    case asksStore(Action, StoreAccess)
    /// A lane has taken a queue for this, or waits for one: `reason` says why it must, as a clause.
    case takes(lane: String, queue: String, World.Activity.Subject)
    case waits(lane: String, queue: String, reason: String, World.Activity.Subject)
    case shows([ResultsSection])
    case hasStored([ResultsSection])
  }

  /// A store that is removed or destroyed.
  package struct StoreTaking: Hashable, Sendable {
    package let store: StoreID
    package let isDestroyed: Bool
    /// Whether the stack's own steps took it, and not the program.
    package let isDesigns: Bool
  }

  /// After how many steps; 0 where that says nothing.
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
