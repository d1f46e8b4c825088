import ObjectModel
import Vocabulary

/// What a save refuses before it looks at anybody else's data.
extension ReferenceStack {
  mutating func firstFailure(of commit: Commit, in c: ContextID) -> Failure? {
    var issues: [Failure.Issue] = []
    for x in commit.inserted + commit.updated { issues += propertyIssues(of: x, in: c) }
    for x in commit.deleted { issues += deletionIssues(of: x, in: c) }
    if !issues.isEmpty { return .validation(issues) }
    guard contexts[c.index].isRoot else { return nil }
    return storeFailure(of: commit, in: c) ?? crossStoreFailure(of: commit, in: c)
      ?? writeFailure(of: commit, in: c)
  }

  /// Why `x` cannot be saved as it is.
  mutating func propertyIssues(of x: ObjectID, in c: ContextID) -> [Failure.Issue] {
    var issues: [Failure.Issue] = []
    var instance: Instance?
    for (index, shape) in shapes[x.entity.index].properties.enumerated() where shape.isRestricted {
      if shape.isToMany {
        use(index, of: x, in: c)
        instance = nil
      }
      let known = instance ?? self[c, x]
      instance = known
      let property = model.entities[x.entity.index].properties[index]
      let value = property.isToMany ? .null : known.values[property.slot]
      if let code = issue(property, of: known) {
        issues.append(Failure.Issue(code, x, PropertyID(index), value: value))
      }
      // SV-A7
      if let attribute = property.attribute,
        attribute.forbidden.contains(where: { $0.value == value })
      {
        issues.append(
          Failure.Issue(.validationManagedObject, x, PropertyID(index), value: value))
      }
    }
    return issues
  }

  /// Why `x` cannot be deleted (RL-08: it is the save that is denied).
  mutating func deletionIssues(of x: ObjectID, in c: ContextID) -> [Failure.Issue] {
    var issues: [Failure.Issue] = []
    for (index, shape) in shapes[x.entity.index].properties.enumerated()
    where shape.isRelationship && shape.deleteRule == .deny {
      guard destinations(index, of: x, in: c).contains(where: { isAlive($0, in: c) }) else {
        continue
      }
      issues.append(
        Failure.Issue(
          .validationRelationshipDeniedDelete, x, PropertyID(index),
          value: shape.isToMany ? .null : self[c, x].values[shape.slot]))
    }
    return issues
  }

  /// Neither deleted nor discarded in `c`.
  func isAlive(_ id: ObjectID, in c: ContextID) -> Bool {
    lookup(id, in: c).map { !self[c, $0].isRemoved } ?? true
  }

  /// Only asked about what `EntityShape` has found to be restricted.
  private func issue(_ property: Property, of instance: Instance) -> ErrorCode? {
    switch property.kind {
    case .attribute(let attribute):
      let value = instance.values[property.slot]
      if value.isNull {
        return attribute.isOptional || attribute.isTransient
          ? nil : .validationMissingMandatoryProperty
      }
      return issue(attribute, value)
    case .relationship(let relationship) where !relationship.isToMany:
      return relationship.isOptional || !instance.values[property.slot].isNull
        ? nil : .validationMissingMandatoryProperty
    case .relationship(let relationship):
      let count = instance.collections[property.slot].count
      if relationship.maximumCount > 0, count > relationship.maximumCount {
        return .validationRelationshipExceedsMaximumCount
      }
      if count == 0, relationship.isOptional { return nil }
      return count < max(relationship.minimumCount, relationship.isOptional ? 0 : 1)
        ? .validationRelationshipLacksMinimumCount : nil
    }
  }

  private func issue(_ attribute: Attribute, _ value: Value) -> ErrorCode? {
    guard attribute.minimum != nil || attribute.maximum != nil else { return nil }
    switch attribute.type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      if isBeyondMaximum(attribute, value) { return .validationNumberTooLarge }
      if isBelowMinimum(attribute, value) { return .validationNumberTooSmall }
    case .date:
      if isBeyondMaximum(attribute, value) { return .validationDateTooLate }
      if isBelowMinimum(attribute, value) { return .validationDateTooSoon }
    case .string:
      guard case .string(let symbol) = value else { return nil }
      let length = Value.integer(Int64(model.symbols.text(of: symbol).count))
      if isBeyondMaximum(attribute, length) { return .validationStringTooLong }
      if isBelowMinimum(attribute, length) { return .validationStringTooShort }
    case .boolean, .binaryData, .uuid, .uri, .transformable: break
    }
    return nil
  }

  private func isBeyondMaximum(_ attribute: Attribute, _ value: Value) -> Bool {
    attribute.maximum.map { order.precedes($0, value) } ?? false
  }

  private func isBelowMinimum(_ attribute: Attribute, _ value: Value) -> Bool {
    attribute.minimum.map { order.precedes(value, $0) } ?? false
  }

  /// RL-04: a relationship may not leave its store.
  private mutating func crossStoreFailure(of commit: Commit, in c: ContextID) -> Failure? {
    guard stores.count > 1 else { return nil }
    for x in commit.inserted + commit.updated {
      let home = store(of: x, under: c)
      for (index, shape) in shapes[x.entity.index].properties.enumerated()
      where shape.isRelationship && !(shape.isToMany && self[c, x].unfired.contains(shape.slot)) {
        let leaves = destinations(index, of: x, in: c).contains {
          store(of: $0, under: c).map { $0 != home } ?? false
        }
        if leaves { return .crossStore(x, PropertyID(index)) }
      }
    }
    return nil
  }
}
