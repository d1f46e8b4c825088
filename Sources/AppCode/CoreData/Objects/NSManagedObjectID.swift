public import Foundation
import ObjectModel

/// An identifier of a stored row, or of an object that has no row yet.
open class NSManagedObjectID: NSObject, NSCopying, @unchecked Sendable {
  let id: ObjectID
  let state: RunState

  init(_ id: ObjectID, _ state: RunState) {
    self.id = id
    self.state = state
  }

  /// Creates an ID of no object, for test doubles. The ID equals only itself, and reading its
  /// entity traps.
  public override init() {
    id = .temporary(EntityID(0), serial: 0)  // Serials begin at 1.
    state = RunState.current
  }

  /// A Boolean value that indicates whether the object has no row yet (ID-01).
  open var isTemporaryID: Bool { id.isTemporaryID }

  /// The entity of the object.
  open var entity: NSEntityDescription { state.entity(id.entity) }

  /// The store of the row, or `nil` for a temporary ID.
  open var persistentStore: NSPersistentStore? { id.store.map { state.stores[$0.index] } }

  /// Returns the ID as a URI (ID-29).
  open func uriRepresentation() -> URL {
    if isOfNoObject, let url = URL(string: "x-coredata:///") { return url }
    let store = id.store.map { state.stores[$0.index].identifier ?? "" } ?? ""
    let key = (id.isTemporaryID ? "t" : "p") + String(id.number)
    guard let url = URL(string: "x-coredata://\(store)/\(entity.name ?? "")/\(key)") else {
      preconditionFailure("the ID \(id) has no URI")
    }
    return url
  }

  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSManagedObjectID else { return false }
    if isOfNoObject { return self === other }
    return id == other.id && state === other.state
  }

  private var isOfNoObject: Bool { id.number == 0 }

  open override var hash: Int { id.hashValue }

  /// Returns the ID itself, which is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override var description: String { uriRepresentation().absoluteString }
}
