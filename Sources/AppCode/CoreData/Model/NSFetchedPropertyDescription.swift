import Foundation
import InputFiles
import Synchronization

/// A description of a property whose value is the result of a fetch request. The request is carried
/// out in the object's context each time the property is read.
open class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
  /// The fetch request. In its predicate, `$FETCH_SOURCE` is the object and `$FETCHED_PROPERTY` is
  /// this description. A key path of `$FETCH_SOURCE` traps in a child context (FE-14).
  open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    get {
      lock.withLock { _ in
        if ownRequest == nil { ownRequest = declared.map { NSFetchRequest($0) } }
      }
      return ownRequest
    }
    set { lock.withLock { _ in (ownRequest, declared) = (newValue, nil) } }
  }
  /// Concurrent runs may share a model, so the request of a file is created under a lock, once.
  private let lock = Mutex(())
  private var ownRequest: NSFetchRequest<any NSFetchRequestResult>?
  /// The request that a model file declares.
  var declared: ModelClasses.Request?

  func takeRequest(of other: NSFetchedPropertyDescription) {
    other.lock.withLock { _ in
      declared = other.declared
      ownRequest = other.ownRequest?.copied(to: NSFetchRequest<any NSFetchRequestResult>.self)
    }
  }
}

extension NSManagedObject {
  /// Returns the value of a fetched property, or `nil` if the entity has no fetched property of
  /// this name.
  func fetchedValue(forKey key: String) -> Any?? {
    guard let property = entity.propertiesByName[key] as? NSFetchedPropertyDescription else {
      return nil
    }
    guard let context = owner, let request = property.fetchRequest else {
      misuse("the fetched property '\(key)' has no request, or its object belongs to no context")
    }
    let own = request.copied(to: NSFetchRequest<NSManagedObject>.self)
    if let predicate = request.predicate {
      if context.parent != nil, PredicateFormat.of(predicate).text.contains("$FETCH_SOURCE.") {
        misuse("'\(key)' uses a key path of $FETCH_SOURCE, which is only an ID in a child context")
      }
      own.predicate = predicate.withSubstitutionVariables([
        "FETCH_SOURCE": self, "FETCHED_PROPERTY": property,
      ])
    }
    guard let objects = try? context.fetch(own) else { return .some([NSManagedObject]()) }
    return .some(objects)
  }
}
