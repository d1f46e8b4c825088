public import Foundation
import ObjectModel

/// Names a row, or an object that has none yet.
open class NSManagedObjectID: NSObject, NSCopying, @unchecked Sendable {
  let id: ObjectID
  let state: RunState

  init(_ id: ObjectID, _ state: RunState) {
    self.id = id
    self.state = state
  }

  /// An ID of no object, as a double of a test has it: equal to itself alone. Its entity traps.
  public override init() {
    id = .temporary(EntityID(0), serial: 0)  // Serials begin at 1.
    state = RunState.current
  }

  /// Whether the object has no row yet (ID-01).
  open var isTemporaryID: Bool { id.isTemporaryID }

  /// The entity of the object.
  open var entity: NSEntityDescription { state.entity(id.entity) }

  /// The store of the row; nil for a temporary ID.
  open var persistentStore: NSPersistentStore? { id.store.map { state.stores[$0.index] } }

  /// The ID as a URI (ID-29).
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

  /// Itself: an ID never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  open override var description: String { uriRepresentation().absoluteString }
}
