import ObjectModel
import Vocabulary

/// Checks of a save that are independent of other contexts.
extension ReferenceStack {
  /// Validates a commit. For a root, checks the stores, too. §validate-commit, §commit-to-stores.1
  mutating func firstFailure(of commit: Commit, in c: ContextID) -> Failure? {
    var issues: [Failure.Issue] = []
    for x in commit.inserted { notePropertyIssues(of: x, in: c, &issues) }
    for x in commit.updated { notePropertyIssues(of: x, in: c, &issues) }
    for x in commit.deleted { noteDeletionIssues(of: x, in: c, &issues) }
    if !issues.isEmpty { return .validation(issues) }
    guard contexts[c.index].isRoot else { return nil }
    return storeFailure(of: commit, in: c) ?? crossStoreFailure(of: commit, in: c)
      ?? writeFailure(of: commit, in: c)
  }

  /// Validates the properties of an object. §validate-properties
  mutating func notePropertyIssues(
    of x: ObjectID, in c: ContextID, _ issues: inout [Failure.Issue]
  ) {
    for (index, shape) in shapes[x.entity.index].restricted {
      if shape.isToMany { use(index, of: x, in: c) }
      let value = shape.isToMany ? .null : self[c, x].values[shape.slot]
      var codes: [ErrorCode] = []
      if !shape.isOnlyMandatory || value.isNull {
        let count = shape.isToMany ? self[c, x].collections[shape.slot].count : 0
        codes = issueCodes(PropertyID(index), of: x.entity, value, count: count)
      }
      // §validate-properties.2.3: a restricted to-one relationship is always mandatory.
      if shape.isRelationship, !shape.isToMany, let d = value.objectID,
        isWritten(d, as: shape, of: x, in: c), losesItsRow(d, in: c)
      {
        codes.append(.validationMissingMandatoryProperty)
      }
      for code in codes {
        issues.append(Failure.Issue(code, x, PropertyID(index), value: value))
      }
    }
  }

  /// Decides whether a save of `x` writes a relationship to `d`. A stored destination is not
  /// written again, and a conflict is settled first. §loses-destination.3
  private func isWritten(
    _ d: ObjectID, as shape: PropertyShape, of x: ObjectID, in c: ContextID
  ) -> Bool {
    if self[c, x].isInserted { return true }
    guard hasRow(row(x)), self[row: row(x)].version == self[c, x].base.version else { return false }
    return self[row: row(x)].values[shape.slot].objectID != row(d)
  }

  /// Decides whether a save of a root would leave `d` without a row. If the update of `d` itself
  /// makes the save fail, the save reports that conflict instead (MP-18). §loses-destination
  private func losesItsRow(_ d: ObjectID, in c: ContextID) -> Bool {
    if !contexts[c.index].isRoot || hasRow(row(d)) { return false }
    guard let known = lookup(d, in: c) else { return true }
    if self[c, known].isInserted { return false }
    let isInConflict =
      self[c, known].isUpdated && isWritten(known, in: c) && !row(d).isTemporaryID
    return !isInConflict
      || contexts[c.index].mergePolicy != .error && !bringsBackRow(of: known, c)
  }

  /// Validates the deletion of an object, which a relationship may deny (RL-08). §validate-deletion
  mutating func noteDeletionIssues(
    of x: ObjectID, in c: ContextID, _ issues: inout [Failure.Issue]
  ) {
    for (index, shape) in shapes[x.entity.index].relationships where shape.deleteRule == .deny {
      guard destinations(index, of: x, in: c).contains(where: { isAlive($0, in: c) }) else {
        continue
      }
      issues.append(
        Failure.Issue(
          .validationRelationshipDeniedDelete, x, PropertyID(index),
          value: shape.isToMany ? .null : self[c, x].values[shape.slot]))
    }
  }

  /// Returns true if no instance of the object is doomed in `c`.
  func isAlive(_ id: ObjectID, in c: ContextID) -> Bool {
    lookup(id, in: c).map { !self[c, $0].isRemoved } ?? true
  }

  /// Returns the error codes for a value or for a number of destinations of a restricted property.
  /// §validate-attribute
  private func issueCodes(
    _ property: PropertyID, of entity: EntityID, _ value: Value, count: Int
  ) -> [ErrorCode] {
    switch model.entities[entity.index].properties[property.index].kind {
    case .attribute(let attribute):
      var codes: [ErrorCode] = []
      if let code = issue(attribute, value) { codes.append(code) }
      // §validate-attribute.4 (SV-A7)
      if attribute.forbidden.contains(where: { $0.value == value }) {
        codes.append(.validationManagedObject)
      }
      return codes
    case .relationship(let relationship):
      return issue(relationship, value, count: count).map { [$0] } ?? []
    }
  }

  /// Validates a to-one relationship, or the count of a to-many relationship. §validate-count
  private func issue(
    _ relationship: Relationship, _ value: Value, count: Int
  ) -> ErrorCode? {
    if !relationship.isToMany {
      return relationship.isOptional || !value.isNull ? nil : .validationMissingMandatoryProperty
    }
    if relationship.maximumCount > 0, count > relationship.maximumCount {
      return .validationRelationshipExceedsMaximumCount
    }
    if count == 0, relationship.isOptional { return nil }
    // §validate-count.3 (SV-A12)
    return count < relationship.minimumCount ? .validationRelationshipLacksMinimumCount : nil
  }

  /// Validates a value against the limits of an attribute. §validate-attribute.2,
  /// §validate-attribute.3
  private func issue(_ attribute: Attribute, _ value: Value) -> ErrorCode? {
    if value.isNull {
      return attribute.isOptional || attribute.isTransient
        ? nil : .validationMissingMandatoryProperty
    }
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

  /// Checks that no relationship leads to another store (RL-04). §check-store-boundaries
  private func crossStoreFailure(of commit: Commit, in c: ContextID) -> Failure? {
    guard stores.count > 1 || stores.contains(where: { $0.firstKey > 1 }) else { return nil }
    for x in commit.inserted + commit.updated {
      let home = store(of: x, under: c)
      for (index, shape) in shapes[x.entity.index].relationships
      where leaves(home, shape, of: x, in: c) {
        return .crossStore(x, PropertyID(index))
      }
    }
    return nil
  }

  /// Decides whether a relationship of `x` leads to a store other than `home`. An unfired
  /// relationship was checked earlier.
  private func leaves(
    _ home: StoreID?, _ shape: PropertyShape, of x: ObjectID, in c: ContextID
  ) -> Bool {
    func isElsewhere(_ d: ObjectID) -> Bool { isOutside(home, d, under: c) }
    if shape.isToMany { return self[c, x].collections[shape.slot].contains(where: isElsewhere) }
    return self[c, x].values[shape.slot].objectID.map(isElsewhere) ?? false
  }
}
