import ObjectModel
import Vocabulary

/// Validation by a save, or by `validateForInsert` and related methods (SV-17).
extension ObjectGraph {
  /// Validates a commit. §validate-commit
  mutating func validate(_ changes: Changes, in context: ContextID) throws(StepFailure) {
    var issues: [Failure.Issue] = []
    for change in changes.all {
      issues +=
        change.isKept
        ? self.issues(of: change.slot, in: context) : deniedDeletes(of: change.slot, in: context)
    }
    if !issues.isEmpty { throw StepFailure(failure: .validation(issues)) }
  }

  /// Validates the properties of an object. §validate-properties
  mutating func issues(of slot: Int, in context: ContextID) -> [Failure.Issue] {
    assert(!contexts[context.index].isFault(slot), "a fault is validated")
    let entity = contexts[context.index].id(of: slot).entity
    var hasRules = false
    for (property, shape) in shapes[entity.index].enumerated() where shape.hasRules {
      hasRules = true
      if shape.hasCountRules { use(property, of: slot, in: context) }
    }
    if !hasRules { return [] }
    let id = contexts[context.index].id(of: slot)
    var issues: [Failure.Issue] = []
    for (index, shape) in shapes[entity.index].enumerated() where shape.hasRules {
      let property = PropertyID(index)
      var value = Value.null
      if shape.kind != .toMany {
        value = contexts[context.index].objects[slot].current.values[shape.slot]
      }
      guard shape.hasLimits else {
        if isMissing(value, shape, of: slot, in: context) {
          issues.append(.init(.validationMissingMandatoryProperty, id, property, value: value))
        }
        continue
      }
      switch model.entities[entity.index].properties[index].kind {
      case .attribute(let attribute):
        if let code = problem(with: value, in: attribute) {
          issues.append(.init(code, id, property, value: value))
        }
        if isForbidden(value, in: attribute) {
          marks.insert(.forbiddenValue)
          issues.append(.init(.validationManagedObject, id, property, value: value))
        }
      case .relationship(let relationship):
        let members = contexts[context.index].objects[slot].current.collections[shape.slot]
        if let code = problem(withCount: members.count, in: relationship) {
          issues.append(.init(code, id, property, value: value))
        }
      }
    }
    return issues
  }

  /// Decides whether a mandatory property is missing. An empty set is a value. Only a minimum count
  /// requires members (SV-A12). §validate-properties.2.3
  private func isMissing(
    _ value: Value, _ shape: PropertyShape, of slot: Int, in context: ContextID
  ) -> Bool {
    switch shape.kind {
    case .attribute: value.isNull && !bugs.contains(.skipsMandatoryCheck)
    case .toOne:
      value.objectID.map { losesDestination($0, shape, of: slot, in: context) } ?? true
    case .toMany: false
    }
  }

  /// Decides whether a root's save would write null for a reference to `id`. In that case `id` has
  /// no row, the save makes none, and no conflict comes first. Dangling references stay.
  /// §loses-destination
  private func losesDestination(
    _ id: ObjectID, _ shape: PropertyShape, of slot: Int, in context: ContextID
  ) -> Bool {
    guard contexts[context.index].isRoot, storedRow(row(of: id)) == nil else { return false }
    let object = contexts[context.index].objects[slot]
    if !object.flags.contains(.inserted) {
      guard let stored = storedRow(row(of: object.id)), stored.version == object.version,
        stored.values[shape.slot] != .object(row(of: id))
      else { return false }
    }
    guard let slot = lookup(id, in: context) else { return true }
    let flags = contexts[context.index].flags(of: slot)
    if flags.contains(.inserted) { return false }
    guard flags.contains(.updated), !row(of: id).isTemporaryID,
      contexts[context.index].isWritten(slot, by: setting)
    else {
      return true
    }
    return contexts[context.index].mergePolicy != .error
      && !recreatesRows(contexts[context.index].mergePolicy)
  }

  /// Decides whether a value is forbidden. §validate-attribute.4
  private func isForbidden(_ value: Value, in attribute: Attribute) -> Bool {
    !attribute.forbidden.isEmpty && !bugs.contains(.ignoresForbiddenValues)
      && attribute.forbidden.contains { $0.value == value }
  }

  /// Validates a count of members. `PropertyShape.hasLimits` must be true for every limit that is
  /// checked here. §validate-count
  private func problem(withCount count: Int, in relationship: Relationship) -> ErrorCode? {
    if relationship.maximumCount > 0, count > relationship.maximumCount {
      return .validationRelationshipExceedsMaximumCount
    }
    if count == 0, relationship.isOptional, !bugs.contains(.emptyOptionalNeedsMinimum) {
      return nil
    }
    return count < relationship.minimumCount ? .validationRelationshipLacksMinimumCount : nil
  }

  /// Validates a value against an attribute. `PropertyShape.hasLimits` must be true for every limit
  /// that is checked here. §validate-attribute
  private func problem(with value: Value, in attribute: Attribute) -> ErrorCode? {
    if value.isNull {
      return attribute.isOptional || attribute.isTransient || bugs.contains(.skipsMandatoryCheck)
        ? nil : .validationMissingMandatoryProperty
    }
    if attribute.minimum == nil, attribute.maximum == nil { return nil }
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

  /// Validates a deletion. Returns an issue for each relationship that denies it (RL-08).
  /// §validate-deletion
  mutating func deniedDeletes(of slot: Int, in context: ContextID) -> [Failure.Issue] {
    if bugs.contains(.ignoresDeny) { return [] }
    let id = contexts[context.index].id(of: slot)
    var issues: [Failure.Issue] = []
    assert(!contexts[context.index].isFault(slot), "a fault is validated for deletion")
    for (index, shape) in shapes[id.entity.index].enumerated() where shape.deleteRule == .deny {
      let shown = contexts[context.index].objects[slot].current.values
      use(index, of: slot, in: context)
      let isDenied = destinations(of: shape, slot, in: context).contains { destination in
        guard let other = lookup(destination, in: context) else { return true }
        return !contexts[context.index].isPendingDeletion(other)
      }
      if isDenied {
        let value = shape.kind == .toMany ? .null : shown[shape.slot]
        issues.append(
          .init(.validationRelationshipDeniedDelete, id, PropertyID(index), value: value))
      }
    }
    return issues
  }
}
