import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Finding, inserting and deleting objects.
extension NSManagedObjectContext {
  /// Makes a new object part of the context (LC-01).
  public func insert(_ object: NSManagedObject) {
    guard object.owner == nil else {
      // Of an object that it has, it says once more that it is inserted (ID-34).
      if object.owner === self {
        return report(act(.insertAgain(object.handle.name)), about: object)
      }
      misuse("an object is inserted into a second context")
    }
    object.begin(in: self)
  }

  /// Marks an object as deleted (LC-13).
  public func delete(_ object: NSManagedObject) {
    guard object.owner === self else {
      misuse("an object is deleted in a context that is not its own")
    }
    report(act(.delete(object.handle.name)), about: object)
  }

  /// Makes a fault of the object, or, with `mergeChanges`, reloads what was not changed (FL-02).
  public func refresh(_ object: NSManagedObject, mergeChanges: Bool) {
    report(act(.refresh(object.handle.name, mergeChanges: mergeChanges)), about: object)
  }

  /// Refreshes all objects, keeping changes.
  public func refreshAllObjects() { if hasStack { act(.refreshAllObjects) } }

  /// The object with this ID: as it is registered, or as a fault, whether there is a row or not.
  /// Raises if the ID is of a store that the coordinator no longer has (PS-11).
  public func object(with id: NSManagedObjectID) -> NSManagedObject {
    onQueue {
      if !run.read({ $0.hasStore(for: id.id, in: self.id) }) {
        misuse("object(with:) is given an ID whose store the coordinator has no more (\(id))")
      }
      return object(for: id.id)
    }
  }

  /// The object with this ID. Throws if there is no such row (ID-26).
  public func existingObject(with id: NSManagedObjectID) throws -> NSManagedObject {
    try onQueue {
      Swift.Result<NSManagedObject, any Error> {
        let isKnown = run.read { $0.registeredID(id.id, in: self.id) } != nil
        let object = object(for: id.id)
        let events = run.perform(
          .existingObject(with: object.handle, as: object.handle.name), in: self.id)
        if let failure = events.failure {
          // A look-up that fails leaves nothing behind (ID-21).
          if !isKnown { object.letGo() }
          throw state.error(for: failure, in: self)
        }
        return object
      }
    }.get()
  }

  /// The object with this ID, if the context has it.
  public func registeredObject(for id: NSManagedObjectID) -> NSManagedObject? {
    onQueue {
      guard let known = run.read({ $0.registeredID(id.id, in: self.id) }) else { return nil }
      return object(for: known)
    }
  }

  /// Gives inserted objects the IDs that their rows will have.
  public func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
    // Mostly made from a set, whose order must not decide.
    try attempt(.obtainPermanentIDs(objects.map(\.handle.name).sorted()))
  }

  /// Chooses the store that a new object will be saved to (PS-02).
  public func assign(_ object: Any, to store: NSPersistentStore) {
    guard let object = object as? NSManagedObject else {
      misuse("something other than an object is assigned to a store")
    }
    report(act(.assign(object.handle.name, store.id)), about: object)
  }

  /// Has the next save check an object that is not changed itself (MP-06).
  public func detectConflicts(for object: NSManagedObject) {
    report(act(.detectConflicts(object.handle.name)), about: object)
  }

  /// All objects that the context has.
  public var registeredObjects: Set<NSManagedObject> { objects { _ in true } }

  /// The objects that a save will insert.
  public var insertedObjects: Set<NSManagedObject> { objects(where: \.isInserted) }

  /// The objects that a save will update.
  public var updatedObjects: Set<NSManagedObject> { objects(where: \.isUpdated) }

  /// The objects that a save will delete.
  public var deletedObjects: Set<NSManagedObject> { objects(where: \.isDeleted) }

  private func objects(where isMeant: (InstanceView) -> Bool) -> Set<NSManagedObject> {
    guard hasStack else { return [] }
    return onQueue {
      let ids = run.read { graph in graph.view(of: id).filter(isMeant).map(\.id) }
      return Set(ids.map { object(for: $0) })
    }
  }

  // MARK: Instances

  /// The one Swift instance of an object in this context, made if there is none.
  func object(for id: ObjectID) -> NSManagedObject {
    let known = run.read { $0.registeredID(id, in: self.id) } ?? id
    // After a reset, or a save of its deletion, another instance takes its place.
    if let object = instances[known], object.isRegistered {
      run.keepAlive(object)
      return object
    }
    if let object = beingInserted {
      beingInserted = nil
      instances[id] = object
      return object
    }
    let entity = state.entity(id.entity)
    let object = objectClass(of: entity).init(entity: entity, insertInto: nil)
    object.begin(in: self, holding: id)
    return object
  }

  /// The class of the objects of an entity here.
  func objectClass(of entity: NSEntityDescription) -> NSManagedObject.Type {
    makesPlainObjects ? NSManagedObject.self : entity.managedObjectClass
  }

  func rename(_ old: ObjectID, to new: ObjectID) { instances.rename(old, to: new) }

  /// A failure that Core Data raises as an exception.
  func report(_ events: [Event], about object: NSManagedObject) {
    guard let failure = events.failure else { return }
    misuse("\(state.error(for: failure, in: self).localizedDescription) (\(object.objectID))")
  }

  // MARK: Hooks

  /// Runs what the class of an object does in a hook; whether it changed the object.
  func runHook(_ hook: Hook, _ id: ObjectID) -> Bool {
    if makesPlainObjects, beingInserted == nil { return false }
    if let object = instances[id] {
      run.keepAlive(object)
      return object.runHook(hook)
    }
    // A class without overrides need not be asked, and what has left its context has no instance.
    guard state.mayOverrideHooks(id.entity),
      run.read({ $0.registeredID(id, in: self.id) }) != nil
    else { return false }
    return object(for: id).runHook(hook)
  }
}
