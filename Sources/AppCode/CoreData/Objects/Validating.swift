import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Validates objects by overridden methods, and by rules of a model that the engine cannot
/// evaluate.
extension NSManagedObject {
  func validate(_ validation: Validation) throws {
    guard let context = owner else {
      misuse("an object that belongs to no context is validated")
    }
    // A save validates by the engine after it has called all overrides.
    if !context.isAskingOverrides { try context.attempt(.validate(handle.name, validation)) }
    if validation != .forDelete { try validateProperties() }
  }

  /// Calls the class's validation of each property, and sets the values that it changes (SV-17).
  /// Several errors are combined into one.
  private func validateProperties() throws {
    let properties = entity.allProperties.filter { property in
      type(of: self).validatesAllKeys || type(of: self).validatedKeys.contains(property.name)
        || property.hasCodePredicates
    }
    if properties.isEmpty { return }
    let wasAsking = owner?.isAskingOverrides ?? false
    // The engine validates the model's rules, so the validation of a property skips them.
    owner?.isAskingOverrides = true
    defer { owner?.isAskingOverrides = wasAsking }
    var errors: [any Error] = []
    for property in properties {
      guard let changed = validated(property, &errors) else { continue }
      setValue(changed.value, forKey: property.name)
    }
    try state.throwAll(errors)
  }

  /// Returns the changed value of a property, or nil if validation does not change the value.
  private func validated(
    _ property: NSPropertyDescription, _ errors: inout [any Error]
  ) -> (value: Any?, Void)? {
    let value = primitiveValue(forKey: property.name) as AnyObject?
    let pointer = AutoreleasingUnsafeMutablePointer<AnyObject?>(value)
    do {
      try validateByPredicates(value, property)
      try validateValue(pointer, forKey: property.name)
    } catch { errors.append(error) }
    return pointer.pointee === value ? nil : (pointer.pointee, ())
  }

  /// Throws an error if the model or a method of the class rejects a value of a property.
  public func validateValue(_ value: inout AnyObject?, forKey key: String) throws {
    let pointer = AutoreleasingUnsafeMutablePointer<AnyObject?>(value)
    defer { value = pointer.pointee }
    try validateValue(pointer, forKey: key)
  }

  // MARK: The model

  /// Throws the error that a save would throw for a property with this value.
  func validateByModel(_ value: AnyObject?, _ key: String) throws {
    guard let description = entity.propertiesByName[key] else {
      misuse("the entity \(entity.name ?? "") has no property '\(key)' to validate")
    }
    let (_, property) = property(key)
    guard let attribute = property.attribute else {
      let count = NSManagedObject.members(of: value).count
      guard let relationship = property.relationship else { return }
      if count == 0, !relationship.isOptional {
        throw invalid(
          value, key,
          relationship.isToMany
            ? NSValidationRelationshipLacksMinimumCountError
            : NSValidationMissingMandatoryPropertyError)
      }
      return
    }
    guard let value, !(value is NSNull) else {
      if attribute.isOptional { return }
      throw invalid(nil, key, NSValidationMissingMandatoryPropertyError)
    }
    let plain = state.value(of: value, attribute.type)
    let length: Value? = (value as? String).map { .integer(Int64($0.count)) }
    let order = ValueOrder(symbols: state.run.model.symbols)
    if let least = attribute.minimum, order.precedes(length ?? plain, least) {
      throw invalid(value, key, attribute.codes.least)
    }
    if let greatest = attribute.maximum, order.precedes(greatest, length ?? plain) {
      throw invalid(value, key, attribute.codes.greatest)
    }
    if attribute.forbidden.contains(where: { $0.value == plain }) {
      throw invalid(value, key, NSManagedObjectValidationError)
    }
    try validateByPredicates(value, description)
  }

  /// Throws an error if a predicate that the engine cannot evaluate rejects the value (SV-17).
  private func validateByPredicates(
    _ value: AnyObject?, _ property: NSPropertyDescription
  ) throws {
    guard let value, !(value is NSNull) else { return }
    for (predicate, warning) in property.codePredicates
    where !PredicateFormat.of(predicate).evaluate(with: value, [:]) {
      let code = (warning as? any BinaryInteger).map { Int($0) } ?? NSManagedObjectValidationError
      throw invalid(value, property.name, code, predicate, warning as? String)
    }
  }

  private func invalid(
    _ value: Any?, _ key: String, _ code: Int, _ predicate: NSPredicate? = nil,
    _ text: String? = nil
  ) -> NSError {
    var userInfo: [String: Any] = [
      NSValidationObjectErrorKey: self, NSValidationKeyErrorKey: key,
    ]
    userInfo[NSValidationValueErrorKey] = value
    userInfo[NSValidationPredicateErrorKey] = predicate
    return state.cocoa(code, text ?? "\(key) is not valid", userInfo)
  }
}

extension NSManagedObjectContext {
  /// Calls the validation overrides of all objects in a save. If any of them throws, throws these
  /// errors together with the model's errors, which the save would otherwise report (SV-17).
  func validateByOverrides() throws {
    isAskingOverrides = true
    defer { isAskingOverrides = false }
    var errors: [any Error] = []
    func ask(
      _ isMeant: (InstanceView) -> Bool, _ validate: (NSManagedObject) throws -> Void
    ) {
      for id in run.read({ graph in graph.view(of: id).filter(isMeant).map(\.id) }) {
        do { try validate(object(for: id)) } catch { errors.append(error) }
      }
    }
    func isAsked(_ object: InstanceView) -> Bool {
      let entity = object.id.entity
      return state.mayOverrideHooks(entity) || state.entity(entity).hasCodePredicates
    }
    ask({ $0.isInserted && isAsked($0) }) { try $0.validateForInsert() }
    ask({ $0.isUpdated && isAsked($0) }) { try $0.validateForUpdate() }
    ask({ $0.isDeleted && isAsked($0) }) { try $0.validateForDelete() }
    guard !errors.isEmpty else { return }
    ask(\.isInserted) { _ = try attempt(.validate($0.handle.name, .forInsert)) }
    ask(\.isUpdated) { _ = try attempt(.validate($0.handle.name, .forUpdate)) }
    ask(\.isDeleted) { _ = try attempt(.validate($0.handle.name, .forDelete)) }
    try state.throwAll(errors)
  }
}

extension RunState {
  /// Throws the error, or combines several errors into one. Errors that already combine several are
  /// split first.
  fileprivate func throwAll(_ errors: [any Error]) throws {
    let errors = errors.flatMap { error -> [any Error] in
      let known = error as NSError
      guard known.domain == NSCocoaErrorDomain, known.code == NSValidationMultipleErrorsError,
        let parts = known.userInfo[NSDetailedErrorsKey] as? [any Error], !parts.isEmpty
      else { return [error] }
      return parts
    }
    guard let first = errors.first else { return }
    guard errors.count > 1 else { throw first }
    throw cocoa(
      NSValidationMultipleErrorsError, "several properties are invalid",
      [NSDetailedErrorsKey: errors])
  }
}
