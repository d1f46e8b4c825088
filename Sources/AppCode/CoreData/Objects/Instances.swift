import ObjectModel
import Vocabulary

/// The Swift instances of a context's objects. The context holds weak references, so only app code
/// keeps the instances alive.
struct Instances {
  private struct Weak {
    weak var object: NSManagedObject?
  }

  private var byID: [ObjectID: Weak] = [:]

  subscript(id: ObjectID) -> NSManagedObject? {
    get { byID[id]?.object }
    set { byID[id] = newValue.map { Weak(object: $0) } }
  }

  mutating func rename(_ old: ObjectID, to new: ObjectID) {
    if let object = byID.removeValue(forKey: old) { byID[new] = object }
  }

  /// Removes the entry of a deallocated instance, unless another instance has replaced it.
  mutating func forget(_ id: ObjectID) {
    if let known = byID[id], known.object == nil { byID[id] = nil }
  }
}
