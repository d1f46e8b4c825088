import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The instances of objects that a context has.
extension NSManagedObjectContext {
  func existing(_ id: NSManagedObjectID) throws -> NSManagedObject {
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

  func objects(where isMeant: (InstanceView) -> Bool) -> Set<NSManagedObject> {
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
