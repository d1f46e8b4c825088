package import ObjectModel

/// What a program calls an object, by its index in the program's list of names.
///
/// A name stands for one logical object. Together with a context it stands for an instance that the
/// program holds there: `view.n` and `edit.n` are two instances of `n`.
package struct ObjectName: Hashable, Comparable, Sendable {
  package let index: Int
  package init(_ index: Int) { self.index = index }
  package static func < (a: ObjectName, b: ObjectName) -> Bool { a.index < b.index }
}

/// An instance held in a context, as `view.n`.
package struct Reference: Hashable, Sendable {
  package var context: ContextID
  package var name: ObjectName

  package init(_ context: ContextID, _ name: ObjectName) {
    self.context = context
    self.name = name
  }
}

/// One comparison of a predicate.
package struct Comparison: Hashable, Sendable {
  package enum Relation: String, CaseIterable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case greater = ">"
  }

  package enum Operand: Hashable, Sendable {
    case value(Value)
    /// The ID of a held instance, for to-one relationships; only with `equal` and `notEqual`.
    case object(Reference)
  }

  package var property: PropertyID
  package var relation: Relation
  package var operand: Operand

  package init(property: PropertyID, relation: Relation, operand: Operand) {
    self.property = property
    self.relation = relation
    self.operand = operand
  }
}

/// Counterpart of `NSFetchRequest` with `managedObjectResultType`.
package struct FetchRequest: Hashable, Sendable {
  package struct SortDescriptor: Hashable, Sendable {
    package var property: PropertyID
    package var ascending: Bool

    package init(property: PropertyID, ascending: Bool) {
      self.property = property
      self.ascending = ascending
    }
  }

  package var entity: EntityID
  /// All must hold; none is `TRUEPREDICATE`.
  package var predicate: [Comparison] = []
  package var sortDescriptors: [SortDescriptor] = []
  package var fetchOffset = 0
  /// 0 is no limit.
  package var fetchLimit = 0
  package var includesPendingChanges = true
  package var returnsObjectsAsFaults = true

  package init(entity: EntityID) { self.entity = entity }
}

/// A notification to merge from.
package enum MergeSource: Hashable, Sendable {
  /// The one that is being delivered; only in an observer of `didSave`.
  case delivered
  /// The `ordinal`-th DidSave that `context` posted, from 1.
  case didSave(ContextID, ordinal: Int)
}

/// What a program does, in Core Data's words. Names stand for instances in the step's context.
package indirect enum Step: Hashable, Sendable {
  case insert(EntityID, as: ObjectName)
  /// Reads a property; fires a fault.
  case get(ObjectName, PropertyID)
  case set(ObjectName, PropertyID, Value)
  /// Sets a to-one relationship.
  case relate(ObjectName, PropertyID, Reference?)
  /// Adds to a to-many relationship; at the end of an ordered one.
  case add(ObjectName, PropertyID, Reference)
  case remove(ObjectName, PropertyID, Reference)
  /// Assigns a to-many relationship.
  case replace(ObjectName, PropertyID, [Reference])
  case delete(ObjectName)

  /// Runs a request and holds what it finds: each result that the program has named is afterwards
  /// held under its name.
  case fetch(FetchRequest)
  case count(FetchRequest)
  /// `object(with:)` for the present ID of `reference`, held as `name`.
  case object(with: Reference, as: ObjectName)
  case existingObject(with: Reference, as: ObjectName)
  case registeredObject(for: Reference, as: ObjectName)

  case processPendingChanges
  /// A turn of the main run loop ends: every main-queue context processes what is pending (NT-07).
  case tick
  case save
  case refresh(ObjectName, mergeChanges: Bool)
  case refreshAllObjects
  case reset
  case rollback
  case obtainPermanentIDs([ObjectName])
  case mergeChanges(MergeSource)
  /// Lets go of an instance. What nobody holds and has no changes is no longer registered (FL-15).
  case release(ObjectName)

  /// Enqueues the steps on the context's queue and goes on; its end is the end of an event (CC-01).
  case perform([AddressedStep])
  /// Runs the steps on the context's queue and waits for them; no end of an event (CC-02).
  case performAndWait([AddressedStep])
  /// Lets virtual time pass, in milliseconds, with all queues held.
  case sleep(Int)
}

/// A step and the context that it is for.
package struct AddressedStep: Hashable, Sendable {
  package var context: ContextID
  package var step: Step

  package init(_ context: ContextID, _ step: Step) {
    self.context = context
    self.step = step
  }
}
