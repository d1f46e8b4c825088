import Foundation
import ObjectModel

/// The members of to-many relationships.
extension NSManagedObject {
  /// Returns a to-many relationship. Traps if the property is not a to-many relationship.
  func toMany(_ key: String) -> (PropertyID, Property) {
    let (id, property) = property(key)
    guard property.isToMany else { misuse("'\(key)' is not a to-many relationship") }
    return (id, property)
  }

  /// Returns the objects of a collection, in an order that is the same in each run.
  static func members(of value: Any?) -> [NSManagedObject] {
    switch value {
    case let set as Set<NSManagedObject>: set.sorted { $0.objectID.id < $1.objectID.id }
    case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
    case let set as NSSet:
      set.allObjects.compactMap { $0 as? NSManagedObject }
        .sorted { $0.objectID.id < $1.objectID.id }
    case let list as [NSManagedObject]: list
    case let list as NSArray: list.compactMap { $0 as? NSManagedObject }
    case let object as NSManagedObject: [object]
    case nil, is NSNull: []
    default: misuse("a to-many relationship must be set to a set of managed objects")
    }
  }
}
