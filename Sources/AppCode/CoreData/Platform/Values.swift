import Foundation
import LiveCode
import ObjectModel
import Vocabulary

/// Converts between the values of Swift code and those of the engine.
extension RunState {
  func value(of any: Any?, _ type: AttributeType) -> Value {
    guard let any else { return .null }
    return Plain.value(of: any, type) { run.symbol(for: $0) }
  }

  func plain(_ value: Value, of type: AttributeType) -> Any? {
    Plain.value(value, of: type) { run.text(of: $0) }
  }

  func entity(of type: NSManagedObject.Type) -> NSEntityDescription? {
    firstEntity { $0.isOf(type) }
  }

  func entity(named name: String) -> NSEntityDescription? { firstEntity { $0.name == name } }

  private func firstEntity(where isMeant: (NSEntityDescription) -> Bool) -> NSEntityDescription? {
    run.model.entities.indices.lazy.map { self.entity(EntityID($0)) }.first(where: isMeant)
  }

  /// Returns whether the class of an entity may override hooks. Overrides are not visible at run
  /// time, so any class except `NSManagedObject` may have them.
  func mayOverrideHooks(_ entity: EntityID) -> Bool {
    self.entity(entity).managedObjectClass != NSManagedObject.self
  }
}

extension NSEntityDescription {
  func isOf(_ type: NSManagedObject.Type) -> Bool {
    if let name = managedObjectClassName, name == String(reflecting: type) { return true }
    let name = managedObjectClassName.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
    if name == String(describing: type) || name == RunState.current.name(of: type) {
      RunState.current.use(type)
      return true
    }
    return false
  }
}

extension NSManagedObjectModel {
  func entity(of type: NSManagedObject.Type) -> NSEntityDescription? {
    entities.first { $0.isOf(type) }
  }
}

extension NSManagedObjectContext {
  func plain(_ value: Value, _ property: Property) -> Any? {
    if let attribute = property.attribute { return state.plain(value, of: attribute.type) }
    return value.objectID.map { object(for: $0) }
  }

  func members(_ ids: [ObjectID], _ property: Property) -> Any {
    let objects = ids.map { object(for: $0) }
    if property.relationship?.isOrdered == true { return NSOrderedSet(array: objects) }
    return Set(objects)
  }
}
