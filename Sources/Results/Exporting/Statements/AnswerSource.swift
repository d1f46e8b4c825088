import ObjectModel
import Scenario
import Vocabulary

/// Assertions about the results of reads and queries.
extension TestWriter {
  /// Returns statements that read a property and check its value.
  mutating func reading(
    _ step: AddressedStep, _ object: String, _ property: PropertyID, of name: ObjectName,
    _ events: [Event]?
  ) throws(Refusal) -> [Statement] {
    guard let entity = entity(of: name) else {
      throw refusal(step, "no step binds its object")
    }
    let read = "\(object).value(forKey: \"\(model[entity][property].name)\")"
    switch events?.answer {
    case .value(let value):
      return [.line(assertion(read, value, model[entity][property], in: step.context))]
    case .collection(let ids):
      return [.line(assertion(read, ids, model[entity][property], in: step.context))]
    default: return [.line("_ = \(read)")]
    }
  }

  /// Returns an assertion that `read` equals `value`.
  func assertion(
    _ read: String, _ value: Value, _ property: Property, in context: ContextID
  ) -> String {
    if value.isNull { return "XCTAssertNil(\(read))" }
    if let id = value.objectID {
      if let other = instance(id, in: context) {
        return "XCTAssertEqual(\(read) as? NSManagedObject, \(other))"
      }
      if let other = expression(ofID: id) {
        return "XCTAssertEqual((\(read) as? NSManagedObject)?.objectID, \(other))"
      }
      return "XCTAssertNotNil(\(read))"
    }
    guard let type = property.attribute?.type else {
      preconditionFailure("\(property.name) has a value and is no attribute")
    }
    return "XCTAssertEqual(\(read) as? \(type.swiftType), \(literals.text(value, type)))"
  }

  /// Returns an assertion that `read` has the members `ids`. Compares only the number of members if
  /// a member has no variable.
  func assertion(
    _ read: String, _ ids: [ObjectID], _ property: Property, in context: ContextID
  ) -> String {
    let isOrdered = property.relationship?.isOrdered == true
    let members = ids.compactMap { instance($0, in: context) }
    let list = "[\(members.joined(separator: ", "))]"
    if members.count < ids.count {
      let type = isOrdered ? "NSOrderedSet" : "Set<NSManagedObject>"
      return "XCTAssertEqual((\(read) as? \(type))?.count, \(ids.count))"
    }
    return isOrdered
      ? "XCTAssertEqual((\(read) as? NSOrderedSet)?.array as? [NSManagedObject], \(list))"
      : "XCTAssertEqual(\(read) as? Set<NSManagedObject>, \(list))"
  }

  /// Returns the variable that holds the instance of `id` in `context`, or nil if no variable holds
  /// it.
  func instance(_ id: ObjectID, in context: ContextID) -> String? {
    guard let name = rehearsal.name(of: id) else { return nil }
    let held = HeldInstance(context, name)
    guard let binding = rehearsal.binding(of: held, at: item), binding.isRegistered else {
      return nil
    }
    return names[held]
  }

  /// Returns an expression for `id` based on an object in any context, or nil if no variable holds
  /// such an object.
  func expression(ofID id: ObjectID) -> String? {
    guard let name = rehearsal.name(of: id) else { return nil }
    for context in stack.contextIDs {
      let held = HeldInstance(context, name)
      if let binding = rehearsal.binding(of: held, at: item), binding.id == id,
        let variable = names[held]
      {
        return "\(variable).objectID"
      }
    }
    return nil
  }

  mutating func questionStatements(
    _ step: AddressedStep, _ events: [Event]?
  ) throws(Refusal) -> [Statement] {
    if events == [.nothing] { return [] }
    let context = step.context
    func object(_ name: ObjectName) throws(Refusal) -> String {
      try variable(HeldInstance(context, name), step)
    }
    func flag(_ text: String) -> [Statement] {
      switch events?.answer {
      case .flag(true): [.line("XCTAssertTrue(\(text))")]
      case .flag(false): [.line("XCTAssertFalse(\(text))")]
      default: [.line("_ = \(text)")]
      }
    }
    switch step.step {
    case .hasChanges: return flag("\(names[context]).hasChanges")
    case .hasPersistentChangedValues(let name):
      return flag("\(try object(name)).hasPersistentChangedValues")
    case .changedValues(let name):
      return values("\(try object(name)).changedValues()", events, in: context)
    case .committedValues(let name):
      return values(
        "\(try object(name)).committedValues(forKeys: nil)", events, in: context,
        mayLackNulls: true)
    case .changedValuesForCurrentEvent(let name):
      return values("\(try object(name)).changedValuesForCurrentEvent()", events, in: context)
    case .uriRepresentation(let name):
      let uri = names.local("uri")
      let variable = try object(name)
      let id = rehearsal.binding(of: HeldInstance(context, name), at: item)?.id
      let isTemporary = id?.isTemporaryID ?? false
      return [
        .line("let \(uri) = \(variable).objectID.uriRepresentation()"),
        .line("XCTAssertEqual(\(uri).scheme, \"x-coredata\")"),
        .line(
          isTemporary
            ? "XCTAssertTrue(\(uri).lastPathComponent.hasPrefix(\"t\"))"
            : "XCTAssertTrue(\(uri).lastPathComponent.hasPrefix(\"p\"))"),
      ]
    default: preconditionFailure("\(step.step.verb) asks nothing")
    }
  }

  /// Returns statements that check the keys and values of a dictionary.
  ///
  /// - Parameter mayLackNulls: A Boolean value that indicates whether entries may be missing
  ///   instead of null, as for an object that was never saved (CT-04).
  private mutating func values(
    _ call: String, _ events: [Event]?, in context: ContextID, mayLackNulls: Bool = false
  ) -> [Statement] {
    guard case .values(let id, let contents)? = events?.answer else {
      return [.line("_ = \(call)")]
    }
    let entity = model[id.entity]
    let keys = contents.map { "\"\(entity[$0.property].name)\"" }.sorted()
    if contents.isEmpty { return [.line("XCTAssertTrue(\(call).isEmpty)")] }
    let values = names.local("values")
    var statements: [Statement] = [.line("let \(values) = \(call)")]
    if !mayLackNulls || !contents.contains(where: \.value.isNull) {
      statements.append(
        .line("XCTAssertEqual(\(values).keys.sorted(), [\(keys.joined(separator: ", "))])"))
    }
    for content in contents {
      let property = entity[content.property]
      let read = "\(values)[\"\(property.name)\"]"
      if let ids = content.collection {
        statements.append(.line(assertion(read, ids, property, in: context)))
      } else if content.value.isNull {
        let missing = mayLackNulls ? "\(read) == nil || " : ""
        statements.append(.line("XCTAssertTrue(\(missing)\(read) is NSNull)"))
      } else {
        statements.append(.line(assertion(read, content.value, property, in: context)))
      }
    }
    return statements
  }
}
