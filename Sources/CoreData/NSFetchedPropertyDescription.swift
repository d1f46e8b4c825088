import Foundation
import InputFiles
import Synchronization

/// A property that a fetch answers: each time it is read, in the context of the object.
open class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
  /// What is fetched. `$FETCH_SOURCE` in its predicate is the object, `$FETCHED_PROPERTY` this
  /// description. In a child context a key path of `$FETCH_SOURCE` traps (FE-14).
  open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    get {
      lock.withLock { _ in
        if ownRequest == nil { ownRequest = declared.map { NSFetchRequest($0) } }
      }
      return ownRequest
    }
    set { lock.withLock { _ in (ownRequest, declared) = (newValue, nil) } }
  }
  /// Runs that go on side by side may share a model: the request of a file is made once, and kept.
  private let lock = Mutex(())
  private var ownRequest: NSFetchRequest<any NSFetchRequestResult>?
  /// The request as a model file has it.
  var declared: ModelClasses.Request?

  func takeRequest(of other: NSFetchedPropertyDescription) {
    other.lock.withLock { _ in
      declared = other.declared
      ownRequest = other.ownRequest?.copied(to: NSFetchRequest<any NSFetchRequestResult>.self)
    }
  }
}

extension NSManagedObject {
  /// What a fetched property answers; nil if there is none of this name.
  func fetchedValue(forKey key: String) -> Any?? {
    guard let property = entity.propertiesByName[key] as? NSFetchedPropertyDescription else {
      return nil
    }
    guard let context = owner, let request = property.fetchRequest else {
      misuse("the fetched property '\(key)' has no request, or its object no context")
    }
    let own = request.copied(to: NSFetchRequest<NSManagedObject>.self)
    if let predicate = request.predicate {
      if context.parent != nil, Format.of(predicate).text.contains("$FETCH_SOURCE.") {
        misuse("in a child context $FETCH_SOURCE is an ID, and '\(key)' asks it for a key path")
      }
      own.predicate = predicate.withSubstitutionVariables([
        "FETCH_SOURCE": self, "FETCHED_PROPERTY": property,
      ])
    }
    guard let objects = try? context.fetch(own) else { return .some([NSManagedObject]()) }
    return .some(objects)
  }
}
