import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Validation by the methods that classes override.
extension NSManagedObject {
  func validate(_ validation: Validation) throws {
    guard let context = owner else {
      misuse("an object is validated that is in no context")
    }
    // The save validates by itself when all overrides have been asked.
    if context.isAskingOverrides { return }
    try context.attempt(.validate(handle.name, validation))
  }
}

extension NSManagedObjectContext {
  /// Asks the overrides of all objects that a save is about; throws what they have against it.
  func validateByOverrides() throws {
    isAskingOverrides = true
    defer { isAskingOverrides = false }
    var errors: [any Error] = []
    func ask(
      _ isMeant: (InstanceView) -> Bool, _ validate: (NSManagedObject) throws -> Void
    ) {
      let ids = run.look { world in world.view(of: id).filter(isMeant).map(\.id) }
      for id in ids where state.mayOverrideHooks(id.entity) {
        do { try validate(object(for: id)) } catch { errors.append(error) }
      }
    }
    ask(\.isInserted) { try $0.validateForInsert() }
    ask(\.isUpdated) { try $0.validateForUpdate() }
    ask(\.isDeleted) { try $0.validateForDelete() }
    guard let first = errors.first else { return }
    guard errors.count > 1 else { throw first }
    throw state.cocoa(
      NSValidationMultipleErrorsError, "several objects are invalid", [NSDetailedErrorsKey: errors])
  }
}
