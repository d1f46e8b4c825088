import ObjectModel
import Prose

extension LineReader {
  /// Reads the name of a property of `entity`.
  mutating func property(of entity: Entity) throws(TextError) -> PropertyID {
    let name = try identifier("a property of '\(entity.name)'")
    return try property(name, of: entity)
  }

  func property(_ name: String, of entity: Entity) throws(TextError) -> PropertyID {
    if let property = entity.property(named: name) { return property }
    throw error(
      unknown("no property", name, "'\(entity.name)' has", entity.properties.map(\.name)))
  }

  /// Reads the properties after `unique`, such as `title stamp`.
  mutating func uniquenessConstraint(of entity: Entity) throws(TextError) -> [PropertyID] {
    var constraint: [PropertyID] = []
    repeat {
      let property = try property(of: entity)
      if entity[property].isToMany {
        throw error("to-many '\(entity[property].name)' cannot be unique; attributes can")
      }
      if constraint.contains(property) {
        throw error("'\(entity[property].name)' is given twice; once is enough")
      }
      constraint.append(property)
    } while !isAtEnd
    return constraint
  }

  /// Reads the assignment after a hook's name, such as `stamp = next`, `title ?= "untitled"`,
  /// `primitive stamp = next` or `diary = insert`.
  mutating func hookAction(
    in hook: Hook, of entity: Entity, _ entities: [Entity], symbols: inout SymbolTable
  ) throws(TextError) -> HookAction {
    let isPrimitive = takesPrimitive()
    let property = try property(of: entity)
    let onlyIfNil = takes("?=")
    if !onlyIfNil { try expect("=") }
    let effect: HookAction.Effect
    switch entity[property].kind {
    case .attribute(let attribute):
      effect =
        takes(keyword: "next") ? .setNext : .set(try literal(attribute.type, &symbols))
    case .relationship(let relationship):
      if isPrimitive {
        throw error("'\(entity[property].name)' is a relationship; only attributes are primitive")
      }
      try check(relationship, in: hook, entities)
      effect = .insertRelated
    }
    try expectEnd()
    return HookAction(
      hook: hook, property: property, effect: effect, onlyIfNil: onlyIfNil,
      isPrimitive: isPrimitive)
  }

  /// Takes `primitive` unless it is the name of a property, which `=` would follow.
  private mutating func takesPrimitive() -> Bool {
    var copy = self
    guard copy.takes(keyword: "primitive"), copy.identifier() != nil else { return false }
    return takes(keyword: "primitive")
  }

  private mutating func check(_ relationship: Relationship, in hook: Hook, _ entities: [Entity])
    throws(TextError)
  {
    if hook != .awakeFromInsert {
      throw error("\(hook.rawValue) can set attributes only; awakeFromInsert can insert objects")
    }
    guard takes(keyword: "insert") else {
      throw error("'\(shortened(nextWord))' is not an object; write insert, which creates one")
    }
    let destination = entities[relationship.destination.index]
    if destination.isAbstract {
      throw error("'\(destination.name)' is abstract; only concrete entities can be inserted")
    }
  }
}
