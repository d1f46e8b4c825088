import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Objects that a save deletes. These objects leave the context with the save (LC-17), but
/// observers of its DidSave can still read their attributes (LC-A10).
extension NSManagedObjectContext {
  /// Returns the attributes of the objects that the save deletes. The attributes of a fault are
  /// those of its row. Must be called before the changes are written.
  func valuesOfDeletedObjects() -> [ObjectID: [String: Any]] {
    let deleted = run.read { $0.view(of: id) }.filter(\.isDeleted)
    guard !deleted.isEmpty else { return [:] }
    let values = deleted.map { view -> [String: Any] in
      let stored = view.isFault ? run.read { $0.storedValues(of: view.id) } ?? [] : view.values
      let attributes = run.model[view.id.entity].properties.filter { property in
        property.attribute != nil && property.slot < stored.count
      }
      return Dictionary(
        attributes.compactMap { property in
          plain(stored[property.slot], property).map { (property.name, $0) }
        }
      ) { first, _ in first }
    }
    return Dictionary(zip(deleted.map(\.id), values)) { first, _ in first }
  }
}

extension NSManagedObject {
  /// The last values of the attributes while observers of the save that deleted the object are
  /// called. The relationships are already empty. The value is `nil` at any other time.
  var valuesOfDeletion: [String: Any]? {
    guard let owner, !owner.lastValues.isEmpty, !isRegistered else { return nil }
    return state.run.read({ $0.heldID(owner.id, handle.name) }).flatMap { owner.lastValues[$0] }
  }
}
