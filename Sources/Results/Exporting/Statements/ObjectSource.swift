import ObjectModel
import Scenario
import Vocabulary

/// Steps about one object, including key-value coding, deletion and refreshing.
extension TestWriter {
  mutating func objectStatements(
    _ step: AddressedStep, _ events: [Event]?
  ) throws(Refusal) -> [Statement] {
    let context = step.context
    // The name is unbound, so the step does nothing.
    if events == [.nothing] { return [] }
    func object(_ name: ObjectName) throws(Refusal) -> String {
      try variable(HeldInstance(context, name), step)
    }
    switch step.step {
    case .insert(let entity, let name):
      let call =
        "NSEntityDescription.insertNewObject(forEntityName: \"\(model[entity].name)\", "
        + "into: \(names[context]))"
      return [.line("\(try object(name)) = \(call)")]
    case .get(let name, let property, as: let new):
      let read = try object(name)
      let statements = try reading(step, read, property, of: name, events)
      guard let new else { return statements }
      let value = "\(read).value(forKey: \(key(name, property))) as? NSManagedObject"
      return statements + [.line("\(try object(new)) = \(value)")]
    case .set(let name, let property, let value):
      let literal = try self.literal(value, property, of: name, step)
      return [
        .line("\(try object(name)).setValue(\(literal), forKey: \(key(name, property)))")
      ]
    case .setPrimitive(let name, let property, let value):
      let literal = try self.literal(value, property, of: name, step)
      return [
        .line("\(try object(name)).setPrimitiveValue(\(literal), forKey: \(key(name, property)))")
      ]
    case .increment(let name, let property, by: let amount):
      let (object, key) = (try object(name), key(name, property))
      let sum = amount < 0 ? "- \(amount.magnitude)" : "+ \(amount)"
      let value = "(\(object).value(forKey: \(key)) as? Int ?? 0) \(sum)"
      return [.line("\(object).setValue(\(value), forKey: \(key))")]
    case .relate, .add, .remove, .replace: return try relationshipStatements(step)
    case .delete(let name): return [.line("\(names[context]).delete(\(try object(name)))")]
    case .insertAgain(let name): return [.line("\(names[context]).insert(\(try object(name)))")]
    case .assign(let name, let store):
      let variable = variable(of: store, in: stack.coordinator(of: context))
      return [.line("\(names[context]).assign(\(try object(name))!, to: \(variable))")]
    case .detectConflicts(let name):
      return [.line("\(names[context]).detectConflicts(for: \(try object(name)))")]
    case .validate(let name, let validation):
      let method = "validate" + capitalized(validation.rawValue)
      return throwing("try \(try object(name)).\(method)()", events)
    case .refresh(let name, let merges):
      return [.line("\(names[context]).refresh(\(try object(name)), mergeChanges: \(merges))")]
    default: preconditionFailure("\(step.step.verb) is no step about an object")
    }
  }

  private func relationshipStatements(_ step: AddressedStep) throws(Refusal) -> [Statement] {
    func object(_ name: ObjectName) throws(Refusal) -> String {
      try variable(HeldInstance(step.context, name), step)
    }
    switch step.step {
    case .relate(let name, let property, let destination):
      let value = try destination.map { held throws(Refusal) in try variable(held, step) } ?? "nil"
      return [.line("\(try object(name)).setValue(\(value), forKey: \(key(name, property)))")]
    case .add(let name, let property, let member), .remove(let name, let property, let member):
      let isAdded = if case .add = step.step { true } else { false }
      let set =
        isOrdered(name, property) ? "mutableOrderedSetValue" : "mutableSetValue"
      return [
        .line(
          "\(try object(name)).\(set)(forKey: \(key(name, property)))"
            + ".\(isAdded ? "add" : "remove")(\(try variable(member, step))!)")
      ]
    case .replace(let name, let property, let members):
      var objects: [String] = []
      for member in members { objects.append(try variable(member, step)) }
      let list = objects.map { $0 + "!" }.joined(separator: ", ")
      let value =
        isOrdered(name, property) ? "NSOrderedSet(array: [\(list)])" : "NSSet(array: [\(list)])"
      return [.line("\(try object(name)).setValue(\(value), forKey: \(key(name, property)))")]
    default: preconditionFailure("\(step.step.verb) is no step about a relationship")
    }
  }

  /// Returns the name of a property as a string literal.
  private func key(_ name: ObjectName, _ property: PropertyID) -> String {
    entity(of: name).map { "\"\(model[$0][property].name)\"" } ?? "\"\""
  }

  private func isOrdered(_ name: ObjectName, _ property: PropertyID) -> Bool {
    entity(of: name).flatMap { model[$0][property].relationship?.isOrdered } ?? false
  }

  private func literal(
    _ value: Value, _ property: PropertyID, of name: ObjectName, _ step: AddressedStep
  ) throws(Refusal) -> String {
    guard let entity = entity(of: name), let attribute = model[entity][property].attribute else {
      throw refusal(step, "no step binds its object")
    }
    return literals.text(value, attribute.type)
  }
}
