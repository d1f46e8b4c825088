import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The Swift instances of a context's objects.
extension NSManagedObjectContext {
  func existing(_ id: NSManagedObjectID) throws -> NSManagedObject {
    try onQueue {
      Swift.Result<NSManagedObject, any Error> {
        let isKnown = run.read { $0.registeredID(id.id, in: self.id) } != nil
        let object = object(for: id.id)
        let events = run.perform(
          .existingObject(with: object.handle, as: object.handle.name), in: self.id)
        if let failure = events.failure {
          // A failed look-up leaves no instance behind (ID-21).
          if !isKnown { object.releaseInstance() }
          throw state.error(for: failure, in: self)
        }
        return object
      }
    }.get()
  }

  func objects(where isMeant: (InstanceView) -> Bool) -> Set<NSManagedObject> {
    guard hasStack else { return [] }
    return onQueue {
      let ids = run.read { graph in graph.view(of: id).filter(isMeant).map(\.id) }
      return Set(ids.map { object(for: $0) })
    }
  }

  // MARK: Instances

  /// Returns the Swift instance of an object in this context, which is created if necessary. A
  /// context has at most one instance of each object.
  func object(for id: ObjectID) -> NSManagedObject {
    let known = run.read { $0.registeredID(id, in: self.id) } ?? id
    // After a reset or the save of a deletion, a new instance replaces the old one.
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

  /// Returns the class that this context uses for the objects of an entity.
  func objectClass(of entity: NSEntityDescription) -> NSManagedObject.Type {
    makesPlainObjects ? NSManagedObject.self : entity.managedObjectClass
  }

  func rename(_ old: ObjectID, to new: ObjectID) { instances.rename(old, to: new) }

  /// Traps if the events contain a failure, which Core Data raises as an exception.
  func report(_ events: [Event], about object: NSManagedObject) {
    guard let failure = events.failure else { return }
    misuse("\(state.error(for: failure, in: self).localizedDescription) (\(object.objectID))")
  }

  // MARK: Hooks

  /// Runs the object's implementation of a lifecycle method. Returns true if the method changed the
  /// object.
  func runHook(_ hook: Hook, _ id: ObjectID) -> Bool {
    if makesPlainObjects, beingInserted == nil { return false }
    if let object = instances[id] {
      run.keepAlive(object)
      return object.runHook(hook)
    }
    // A class without overrides needs no call, and an object that left its context has no instance.
    guard state.mayOverrideHooks(id.entity),
      run.read({ $0.registeredID(id, in: self.id) }) != nil
    else { return false }
    return object(for: id).runHook(hook)
  }
}
