import ObjectModel
import Prose
import Vocabulary

/// Steps that give a name to an object: `insert Note as n`, lookups, and reads that name their
/// result.
extension Scope {
  /// Reads the operands of `insert`, such as `Note as n`.
  mutating func insert(_ line: inout LineReader, _ lane: ContextID) throws(TextError)
    -> Step
  {
    let kind = try line.identifier("the name of an entity")
    if isDesign {
      throw line.error(
        "a stack cannot name objects, so it cannot insert them; write "
          + "'batchInsert \(shortened(kind)) {}', or leave inserts to generated programs")
    }
    let entity = try entity(kind, "step inserts", line)
    try line.expect(keyword: "as")
    let entityName = model[entity].name
    if model[entity].isAbstract {
      throw line.error("'\(entityName)' is abstract; only concrete entities can be inserted")
    }
    let coordinator = stack.coordinator(of: lane)
    if stack.store(for: entity, under: coordinator) == nil {
      var error = line.error(
        "no store of coordinator '\(stack.coordinators[coordinator.index].name)' takes "
          + "'\(entityName)'; name it after a store's 'entities'")
      // A store whose line could not be read may accept the entity.
      error.isConsequence = !undeclared.isEmpty
      throw error
    }
    let (name, bound) = try newName(&line)
    try check(name, is: bound, notA: entity, line)
    return .insert(entity, as: name)
  }

  /// Reads the operands of a lookup, such as `edit.n` or `edit.n as b`.
  mutating func lookUp(_ line: inout LineReader, _ lane: ContextID) throws(TextError)
    -> (HeldInstance, as: ObjectName)
  {
    let (reference, entity) = try reference(&line, lane: lane)
    guard line.takes(keyword: "as") else { return (reference, reference.name) }
    let (name, bound) = try newName(&line)
    try check(name, is: bound, notA: entity, line)
    return (reference, name)
  }

  private mutating func newName(_ line: inout LineReader) throws(TextError)
    -> (name: ObjectName, entity: EntityID)
  {
    let name = try line.identifier("a name for the object")
    if name == "nil" { throw line.error("'nil' cannot be an object's name; it means no object") }
    return try object(name, line)
  }

  private func check(
    _ name: ObjectName, is bound: EntityID, notA entity: EntityID, _ line: LineReader
  ) throws(TextError) {
    if bound != entity {
      throw line.error(
        "'\(names[name.index])' names a '\(model[bound].name)' elsewhere and cannot also "
          + "name a '\(model[entity].name)'; choose another name")
    }
  }

  /// Reads the operands of `get`, such as `n.title` or `n.folder as f`.
  mutating func get(_ line: inout LineReader, _ lane: ContextID) throws(TextError) -> Step {
    let (object, owner, property) = try path(&line)
    guard line.takes(keyword: "as") else { return .get(object, property) }
    guard let relationship = model[owner][property].relationship, !relationship.isToMany else {
      let read = model[owner][property]
      let kind = read.isToMany ? "a to-many relationship" : "an attribute"
      throw line.error(
        "'as' names one object, and '\(read.name)' is \(kind); write 'as' after a to-one "
          + "relationship, or 'fetch … as NAME'")
    }
    return .get(object, property, as: try nameOfResult(&line, relationship.destination, lane))
  }

  /// Reads a fetch request and an optional name of its result, such as `as n`.
  mutating func fetch(_ line: inout LineReader, _ lane: ContextID) throws(TextError) -> Step {
    let request = try fetchRequest(&line, lane)
    guard line.takes(keyword: RequestKeyword.as.rawValue) else { return .fetch(request) }
    guard request.resultType == .managedObject else {
      throw line.error(
        "'as' names an object, but this request returns none; leave out its result type")
    }
    return .fetch(request, as: try nameOfResult(&line, request.entity, lane))
  }

  /// Reads the name of a read's result. No insertion or lookup may use the name.
  private mutating func nameOfResult(
    _ line: inout LineReader, _ entity: EntityID, _ lane: ContextID
  ) throws(TextError) -> ObjectName {
    var behind = line
    if behind.identifier() != nil { try behind.expectEnd() }
    let (name, bound) = try newName(&line)
    let text = names[name.index]
    if let other = bindings?.line(of: text) {
      throw line.error("'\(text)' is the name of an object in line \(other); choose another name")
    }
    try check(name, is: bound, notA: entity, line)
    let other = namesOfReads.updateValue(line.line, forKey: HeldInstance(lane, name))
    if let other, other != line.line {
      throw line.error(
        "'\(text)' names the object that line \(other) finds in '\(stack[lane].name)'; choose another name"
      )
    }
    return name
  }
}
