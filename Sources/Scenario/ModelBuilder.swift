import ObjectModel
import Prose

/// Looks up the names in a model's declarations and numbers everything.
///
/// `ObjectModel` traps on models that do not fit together, so whatever it expects is checked here:
/// first which inherits from which, then each entity's own properties, then the inverses, for which
/// all properties must be known, and last what refers to properties by name.
struct ModelBuilder {
  private let declarations: [ModelDeclarations.Entity]
  private let names: EntityNames
  private var entities: [Entity]
  private var symbols = SymbolTable()
  /// Entities after their parents.
  private let order: [Int]
  /// For each entity, for each property: what its line says, inherited ones first.
  private var properties: [[DeclaredProperty]]

  init(_ declared: ModelDeclarations) throws(TextError) {
    declarations = declared.entities
    names = try EntityNames(declarations)
    entities = declarations.map { Entity(name: $0.name) }
    var errors = TextErrors()
    for index in declarations.indices {
      entities[index].isAbstract = declarations[index].isAbstract
      guard let parent = declarations[index].parent else { continue }
      do throws(TextError) {
        entities[index].parent = try names.entity(
          parent, "'\(declarations[index].name)' inherits from", line: declarations[index].line)
      } catch {
        errors.add(error)
      }
    }
    try errors.throwIfAny()
    order = try inheritanceOrder(entities, declarations)
    properties = declarations.map { _ in [] }
  }

  mutating func model() throws(TextError) -> ObjectModel {
    try readProperties()
    try inheritProperties()
    try resolveInverses()
    for index in entities.indices {
      entities[index].properties = properties[index].map(\.property)
    }
    try readMembersThatNameProperties()
    try checkInsertionsEnd()
    return ObjectModel(entities: entities, symbols: symbols)
  }

  private mutating func readProperties() throws(TextError) {
    var errors = TextErrors()
    for index in declarations.indices {
      for member in declarations[index].properties {
        var line = member.rest
        do throws(TextError) {
          let property = try line.property(
            member.name, of: EntityID(index), entities: names, symbols: &symbols)
          properties[index].append(property)
        } catch {
          errors.add(error)
        }
      }
    }
    try errors.throwIfAny()
  }

  private mutating func inheritProperties() throws(TextError) {
    var errors = TextErrors()
    for index in order {
      if let parent = entities[index].parent {
        properties[index] = properties[parent.index] + properties[index]
      }
      var seen: Set<String> = []
      for declared in properties[index] {
        // What an ancestor has twice is said of the ancestor.
        if !seen.insert(declared.property.name).inserted, declared.owner.index == index {
          errors.add(
            TextError(
              line: declared.line,
              message: "'\(entities[index].name)' has two properties named "
                + "'\(declared.property.name)', inherited ones included"))
        }
      }
    }
    try errors.throwIfAny()
  }

  /// An inverse must be a relationship that leads back to the very entity that declares this one,
  /// and must name this one as its inverse.
  private mutating func resolveInverses() throws(TextError) {
    let numbers = properties.map { declared in
      Dictionary(uniqueKeysWithValues: declared.indices.map { (declared[$0].property.name, $0) })
    }
    var errors = TextErrors()
    for index in properties.indices {
      for number in properties[index].indices {
        let declared = properties[index][number]
        do throws(TextError) {
          guard let inverse = try inverse(of: declared, numbers),
            var relationship = declared.property.relationship
          else { continue }
          relationship.inverse = inverse
          properties[index][number].property.kind = .relationship(relationship)
        } catch  where declared.owner.index == index {
          errors.add(error)
        } catch {
          // Said of the entity that declares it.
        }
      }
    }
    try errors.throwIfAny()
  }

  /// `numbers` are those of each entity's properties, by their names.
  private func inverse(
    of declared: DeclaredProperty, _ numbers: [[String: Int]]
  ) throws(TextError) -> PropertyID? {
    guard let name = declared.inverse, let relationship = declared.property.relationship else {
      return nil
    }
    let destination = relationship.destination.index
    guard let inverse = numbers[destination][name] else {
      let known = properties[destination].filter { $0.property.relationship != nil }
      let message = unknown(
        "no inverse", name, "the relationships of '\(entities[destination].name)' are",
        known.map(\.property.name))
      throw TextError(line: declared.line, message: message)
    }
    try check(declared, hasInverse: properties[destination][inverse])
    return PropertyID(inverse)
  }

  private func check(_ declared: DeclaredProperty, hasInverse inverse: DeclaredProperty)
    throws(TextError)
  {
    let here = path(declared)
    let there = path(inverse)
    func error(_ message: String) -> TextError { TextError(line: declared.line, message: message) }
    guard let back = inverse.property.relationship else {
      throw error("the inverse of \(here) cannot be \(there), which is an attribute")
    }
    if back.destination != declared.owner {
      throw error(
        "the inverse of \(here) cannot be \(there), which leads to "
          + "'\(entities[back.destination.index].name)' and not to "
          + "'\(entities[declared.owner.index].name)'")
    }
    if declared.property.relationship?.destination != inverse.owner {
      throw error(
        "the inverse of \(here) cannot be \(there), which is inherited; let \(here) lead to "
          + "'\(entities[inverse.owner.index].name)'")
    }
    guard let name = inverse.inverse else {
      throw error(
        "\(here) names \(there) as its inverse, which names none; write 'inverse "
          + "\(declared.property.name)' there")
    }
    if name != declared.property.name {
      throw error("\(here) names \(there) as its inverse, whose own inverse is '\(name)'")
    }
  }

  private func path(_ declared: DeclaredProperty) -> String {
    "\(entities[declared.owner.index].name).\(declared.property.name)"
  }

  private mutating func readMembersThatNameProperties() throws(TextError) {
    var errors = TextErrors()
    for index in declarations.indices {
      let entity = entities[index]
      for line in declarations[index].constraints {
        var line = line
        do throws(TextError) {
          entities[index].uniquenessConstraints.append(try line.uniquenessConstraint(of: entity))
        } catch {
          errors.add(error)
        }
      }
      for (hook, line) in declarations[index].hookActions {
        var line = line
        do throws(TextError) {
          let action = try line.hookAction(in: hook, of: entity, entities, symbols: &symbols)
          entities[index].hookActions.append(action)
        } catch {
          errors.add(error)
        }
      }
    }
    try errors.throwIfAny()
    for index in order {
      guard let parent = entities[index].parent.map({ entities[$0.index] }) else { continue }
      entities[index].uniquenessConstraints.insert(contentsOf: parent.uniquenessConstraints, at: 0)
      entities[index].hookActions.insert(contentsOf: parent.hookActions, at: 0)
    }
  }

  /// An object whose awakening inserts another one, whose awakening inserts the first kind again,
  /// would never stop.
  private func checkInsertionsEnd() throws(TextError) {
    let inserted = entities.map { entity in
      entity.hookActions.filter { $0.effect == .insertRelated }
        .compactMap { entity[$0.property].relationship?.destination.index }
    }
    if let index = firstOnCycle(inserted) {
      throw TextError(
        line: declarations[index].line,
        message: "awakeFromInsert of '\(declarations[index].name)' inserts objects without end; "
          + "no chain of inserts may come back to its entity")
    }
  }
}

/// The numbers of entities by name.
struct EntityNames {
  private var numbers: [String: EntityID] = [:]
  private var names: [String] = []

  init(_ declarations: [ModelDeclarations.Entity]) throws(TextError) {
    var errors = TextErrors()
    for (index, declared) in declarations.enumerated() {
      if let other = numbers[declared.name] {
        let line = declarations[other.index].line
        errors.add(
          TextError(
            line: declared.line,
            message: "entity '\(declared.name)' is declared in line \(line) already"))
        continue
      }
      numbers[declared.name] = EntityID(index)
      names.append(declared.name)
    }
    try errors.throwIfAny()
  }

  func entity(_ name: String, _ statement: String, line: Int) throws(TextError) -> EntityID {
    if let entity = numbers[name] { return entity }
    throw TextError(
      line: line, message: unknown("\(statement) entity", name, "the model has", names))
  }
}
