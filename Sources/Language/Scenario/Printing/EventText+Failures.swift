import ObjectModel
import Vocabulary

extension EventText {
  /// Returns a sentence about a failure of a step in `lane`.
  ///
  /// The sentence names Apple's error with its code, or the exception that Core Data raises. It
  /// then gives the reason, and a remedy unless the reason implies it.
  func text(_ failure: Failure, in lane: ContextID) -> String {
    switch FailureName(failure) {
    case .error(let code): "\(code.name) \(code.rawValue): \(reason(failure, in: lane))"
    case let name: "\(name.text): \(exception(failure))\(reason(failure, in: lane))"
    }
  }

  /// Returns the name of the raised exception, such as `NSInvalidArgumentException, `. Returns an
  /// empty string if the name is not known with certainty.
  private func exception(_ failure: Failure) -> String {
    switch failure {
    case .inaccessible: "NSObjectInaccessibleException, "
    case .differentContexts, .alreadySaved: "NSInvalidArgumentException, "
    case .unreachableStore, .willSaveLoop: "NSInternalInconsistencyException, "
    case .wrongQueue: "__Multithreading_Violation_AllThatIsLeftToUsIsHonor__, "
    default: ""
    }
  }

  private func reason(_ failure: Failure, in lane: ContextID) -> String {
    switch failure {
    case .validation(let issues): issues.map(text).joined(separator: "; ")
    case .mergeConflicts(let conflicts):
      stack.parent(of: lane) == nil
        ? conflicts.map(text).joined(separator: "; ") + "; " + remedy(for: conflicts)
        : conflicts.map(textInChild).joined(separator: "; ") + "; " + remedyInChild
    case .constraintConflicts(let conflicts):
      conflicts.map(text).joined(separator: "; ") + "; change one, or set a merge policy"
    case .missingObject(let object):
      "no row for \(name(object)); it was deleted, or not saved yet"
    case .crossStore(let object, let property):
      "\(path(object, property)) refers to an object in another store; save the URI of its ID instead"
    case .inaccessible(let object):
      "Core Data could not fulfill a fault for \(name(object)); its row was deleted, or its store removed"
    case .differentContexts:
      "illegal attempt to establish a relationship between objects in different contexts; use "
        + "object(with:) for one of them"
    case .noContext:
      "the object no longer belongs to a context; it was deleted, rolled back or reset"
    case .noStore(let entity):
      "the coordinator has no store for \(model[entity].name); add a store first"
    case .refusedWrite(let store):
      "store \(stack.stores[store.index].name) could not write, as if its disk were full; nothing has "
        + "changed, so try again when there is room"
    case .unreachableStore(let object):
      "the store of \(name(object)) is not reachable from this context's coordinator; "
        + "add the store again, or release its objects if the store was destroyed"
    case .alreadySaved(let object):
      "\(name(object)) cannot be reassigned to a different store once it has been saved; insert a "
        + "copy there"
    case .unsupportedRequest(.batch(let entity)):
      "only SQLite stores support batch requests, and \(model[entity].name) is in memory or in no "
        + "store; change the objects and save them instead"
    case .unsupportedRequest(.saveChanges):
      "a context does not execute save requests; call save, which sends a request to the stores"
    case .willSaveLoop(let object):
      "willSave changes \(name(object)) on each call; set a value only if it differs, or set "
        + "primitive values"
    case .wrongQueue(let context):
      "\(stack[context].name) was used outside its queue; use perform or performAndWait"
    }
  }

  // MARK: Validation

  private func text(_ issue: Failure.Issue) -> String {
    "\(path(issue.object, issue.property)) \(complaint(issue))"
  }

  private func complaint(_ issue: Failure.Issue) -> String {
    let property = model[issue.object.entity][issue.property]
    let (attribute, relationship) = (property.attribute, property.relationship)
    func limit(_ value: Value?, _ unit: String = "") -> String {
      value.map { text($0) + unit } ?? "the limit"
    }
    return switch issue.code {
    case .validationMissingMandatoryProperty: "is required"
    case .validationRelationshipLacksMinimumCount:
      "has too few objects, \(max(1, relationship?.minimumCount ?? 1)) at least"
    case .validationRelationshipExceedsMaximumCount:
      "has too many objects, \(relationship?.maximumCount ?? 0) at most"
    case .validationRelationshipDeniedDelete: "denies the deletion while it has objects"
    case .validationNumberTooLarge: "is too large, \(limit(attribute?.maximum)) at most"
    case .validationNumberTooSmall: "is too small, \(limit(attribute?.minimum)) at least"
    case .validationDateTooLate: "is too late, \(limit(attribute?.maximum)) at the latest"
    case .validationDateTooSoon: "is too soon, \(limit(attribute?.minimum)) at the earliest"
    case .validationStringTooLong:
      "is too long, \(limit(attribute?.maximum, " characters")) at most"
    case .validationStringTooShort:
      "is too short, \(limit(attribute?.minimum, " characters")) at least"
    case .validationManagedObject:
      "cannot be \(text(issue.value))" + warning(attribute, issue.value)
    case .validationMultipleErrors, .managedObjectReferentialIntegrity,
      .persistentStoreCrossStoreRelation, .managedObjectMerge, .managedObjectConstraintMerge,
      .persistentStoreSave:
      "is not valid"
    }
  }

  private func warning(_ attribute: Attribute?, _ value: Value) -> String {
    let warning = attribute?.forbidden.first { $0.value == value }?.warning ?? ""
    return warning.isEmpty ? "" : ", \(quoted(warning))"
  }

  // MARK: Conflicts

  /// Returns advice for objects that conflict with the store.
  ///
  /// Refreshing resolves conflicts with changed rows, but not with deleted ones. It reads the row
  /// cache, so a save fails again if the cache is behind the store.
  private func remedy(for conflicts: [Failure.Conflict]) -> String {
    let changed = conflicts.filter { $0.newVersion != 0 }
    let remedy =
      if changed.isEmpty {
        "delete it here too"
      } else if changed.contains(where: { $0.objectSnapshot == nil }) {
        "fetch to renew the row cache, refresh and save again"
      } else if changed.count < conflicts.count {
        "refresh changed objects, delete those without a row, and save again"
      } else {
        "refresh and save again"
      }
    return remedy + ", or set a merge policy"
  }

  private func text(_ conflict: Failure.Conflict) -> String {
    let object = name(conflict.object)
    let (loaded, cached, stored) = differences(conflict)
    var parts: [String] = []
    // An object that was never read from a row has no version, such as a fault marked deleted
    // (FL-12).
    if conflict.oldVersion != 0 {
      parts.append("\(object) was loaded as version \(conflict.oldVersion)\(loaded)")
    } else {
      parts.append("\(object) was loaded when it had no row")
    }
    if !cached.isEmpty { parts.append("the row cache has\(cached)") }
    parts.append(
      conflict.newVersion == 0
        ? "the store has no such row" : "the store has version \(conflict.newVersion)\(stored)")
    return parts.joined(separator: ", ")
  }

  /// Advice for conflicts of a child context. A child's conflict does not say whether the parent
  /// has another value or no such object.
  private var remedyInChild: String {
    "refresh the object, or delete it if the parent no longer has it, and save again, or set a "
      + "merge policy"
  }

  /// Describes a conflict with a parent context, whose objects have versions only if child saves
  /// compare versions.
  private func textInChild(_ conflict: Failure.Conflict) -> String {
    let object = name(conflict.object)
    if conflict.oldVersion == 0 && conflict.newVersion == 0 {
      return "\(object) was changed or deleted in the parent after it was loaded"
    }
    return "\(object) was loaded as version \(conflict.oldVersion), the parent has version "
      + "\(conflict.newVersion)"
  }

  /// Returns the values in which two of the snapshots differ, such as ` {title: "a"}` and
  /// ` {title: "b"}`.
  ///
  /// If the context is behind, these are the values of the context and of the cache, which is then
  /// as new as the store. Otherwise, they are the values of the cache and of the store (MP-04).
  private func differences(_ conflict: Failure.Conflict)
    -> (loaded: String, cached: String, stored: String)
  {
    func text(_ values: [Value], without other: [Value]) -> String {
      let properties = model[conflict.object.entity].properties.filter { !$0.isToMany }
      let parts = zip(properties, zip(values, other)).filter { $1.0 != $1.1 }
        .map { "\($0.name): \(self.text($1.0, of: $0))" }
      return parts.isEmpty ? "" : " {\(parts.joined(separator: ", "))}"
    }
    if let loaded = conflict.objectSnapshot, let cached = conflict.cachedSnapshot {
      return (text(loaded, without: cached), "", text(cached, without: loaded))
    }
    if let cached = conflict.cachedSnapshot, let stored = conflict.persistedSnapshot {
      return ("", text(cached, without: stored), text(stored, without: cached))
    }
    return ("", "", "")
  }

  private func text(_ conflict: Failure.ConstraintConflict) -> String {
    let entity = model[conflict.entity]
    let properties = conflict.constraint.map { entity[$0].name }.joined(separator: " and ")
    let objects = conflict.objects.map(name).joined(separator: " and ")
    let unique = "\(properties) must be unique in \(entity.name)"
    guard let row = conflict.databaseObject else {
      return "\(unique), \(objects) have the same value"
    }
    return
      "\(unique), \(objects) \(conflict.objects.count == 1 ? "has" : "have") the same value as "
      + "the row of \(name(row))"
  }
}
