import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Access to an object's properties in the engine, and the lifecycle methods that the engine calls.
extension NSManagedObject {
  /// Returns the property with this name, or `nil` if the entity has none.
  func declaredProperty(_ key: String) -> (PropertyID, Property)? {
    let entity = state.run.model[state.id(of: entity)]
    return entity.property(named: key).map { ($0, entity[$0]) }
  }

  func property(_ key: String) -> (PropertyID, Property) {
    guard let property = declaredProperty(key) else { misuse(undefined(key)) }
    return property
  }

  func undefined(_ key: String) -> String {
    "the entity \(entity.name ?? "") is not key-value coding-compliant for '\(key)'"
  }

  /// Records that a lifecycle method changes the object through a tracked accessor.
  func noteChangeByHook() { isChangedByHook = true }

  func runHook(_ hook: Hook) -> Bool {
    let outer = isChangedByHook
    defer { isChangedByHook = outer }
    isChangedByHook = false
    switch hook {
    case .awakeFromInsert: awakeFromInsert()
    case .awakeFromFetch: awakeFromFetch()
    case .prepareForDeletion: prepareForDeletion()
    case .willSave: willSave()
    case .didSave: didSave()
    case .willTurnIntoFault: willTurnIntoFault()
    case .didTurnIntoFault: didTurnIntoFault()
    case .resolveConflicts: break
    }
    return isChangedByHook
  }
}
