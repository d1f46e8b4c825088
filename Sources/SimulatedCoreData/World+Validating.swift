import ObjectModel
import Vocabulary

/// What a save refuses, and `validateForInsert` and its kin say beforehand (SV-17).
extension World {
  mutating func validate(_ changes: Changes, in context: ContextID) throws(Interruption) {
    var issues: [Failure.Issue] = []
    for slot in changes.kept { issues += self.issues(of: slot, in: context) }
    for slot in changes.deleted { issues += deniedDeletes(of: slot, in: context) }
    if !issues.isEmpty { throw Interruption(failure: .validation(issues)) }
  }

  /// What is wrong with the properties of one object.
  mutating func issues(of slot: Int, in context: ContextID) -> [Failure.Issue] {
    let entity = contexts[context.index].objects[slot].id.entity
    var hasRules = false
    for (property, shape) in shapes[entity.index].enumerated() where shape.hasRules {
      hasRules = true
      if shape.hasCountRules { use(property, of: slot, in: context) }
    }
    if !hasRules { return [] }
    let object = contexts[context.index].objects[slot]
    var issues: [Failure.Issue] = []
    for (index, shape) in shapes[entity.index].enumerated() where shape.hasRules {
      let property = model.entities[entity.index].properties[index]
      let value = property.isToMany ? .null : object.current.values[property.slot]
      if let code = problem(with: property, of: object) {
        issues.append(.init(code, object.id, PropertyID(index), value: value))
      }
      if let attribute = property.attribute, isForbidden(value, in: attribute) {
        marks.insert(.forbiddenValue)
        issues.append(
          .init(.validationManagedObject, object.id, PropertyID(index), value: value))
      }
    }
    return issues
  }

  private func isForbidden(_ value: Value, in attribute: Attribute) -> Bool {
    !attribute.forbidden.isEmpty && !bugs.contains(.ignoresForbiddenValues)
      && attribute.forbidden.contains { $0.value == value }
  }

  /// What can be found here has to count for `PropertyShape.hasRules`, or nobody asks.
  private func problem(with property: Property, of object: ManagedObject) -> ErrorCode? {
    switch property.kind {
    case .attribute(let attribute):
      let value = object.current.values[property.slot]
      if value.isNull {
        return attribute.isOptional || attribute.isTransient || bugs.contains(.skipsMandatoryCheck)
          ? nil : .validationMissingMandatoryProperty
      }
      return problem(with: value, in: attribute)
    case .relationship(let relationship):
      if relationship.isToMany {
        let count = object.current.collections[property.slot].count
        if relationship.maximumCount > 0, count > relationship.maximumCount {
          return .validationRelationshipExceedsMaximumCount
        }
        if count == 0, relationship.isOptional, !bugs.contains(.emptyOptionalNeedsMinimum) {
          return nil
        }
        let minimum = max(relationship.minimumCount, relationship.isOptional ? 0 : 1)
        return count < minimum ? .validationRelationshipLacksMinimumCount : nil
      }
      let isMissing = object.current.values[property.slot].isNull && !relationship.isOptional
      return isMissing ? .validationMissingMandatoryProperty : nil
    }
  }

  /// Whether a value is beyond the attribute's limits.
  private func problem(with value: Value, in attribute: Attribute) -> ErrorCode? {
    if case .string(let symbol) = value {
      let length = Int64(model.symbols.text(of: symbol).count)
      if case .integer(let limit)? = attribute.maximum, length > limit {
        return .validationStringTooLong
      }
      if case .integer(let limit)? = attribute.minimum, length < limit {
        return .validationStringTooShort
      }
      return nil
    }
    let isDate = attribute.type == .date
    if let limit = attribute.maximum, valueOrder.precedes(limit, value) {
      return isDate ? .validationDateTooLate : .validationNumberTooLarge
    }
    if let limit = attribute.minimum, valueOrder.precedes(value, limit) {
      return isDate ? .validationDateTooSoon : .validationNumberTooSmall
    }
    return nil
  }

  /// The relationships that forbid to delete an object (RL-08).
  mutating func deniedDeletes(of slot: Int, in context: ContextID) -> [Failure.Issue] {
    if bugs.contains(.ignoresDeny) { return [] }
    let object = contexts[context.index].objects[slot]
    var issues: [Failure.Issue] = []
    for (index, shape) in shapes[object.id.entity.index].enumerated()
    where shape.deleteRule == .deny {
      use(index, of: slot, in: context)
      let isDenied = destinations(of: shape, slot, in: context).contains { destination in
        guard let other = lookup(destination, in: context) else { return true }
        return !contexts[context.index].objects[other].isDoomed
      }
      if isDenied {
        let value = shape.kind == .toMany ? .null : object.current.values[shape.slot]
        issues.append(
          .init(.validationRelationshipDeniedDelete, object.id, PropertyID(index), value: value))
      }
    }
    return issues
  }
}
