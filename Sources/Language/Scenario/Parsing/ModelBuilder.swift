import ObjectModel
import Prose

/// Builds a model from its declarations: resolves names and assigns indices.
///
/// `ObjectModel` traps on inconsistent models, so the builder checks all of its preconditions. It
/// checks inheritance, then each entity's own properties, then inverses, which require all
/// properties. References to properties by name come last.
struct ModelBuilder {
  private let declarations: [ModelDeclarations.Entity]
  private let names: EntityNames
  private var entities: [Entity]
  private var symbols = SymbolTable()
  /// The indices of entities, each after its parent.
  private let order: [Int]
  /// The declared properties, indexed by entity. Inherited properties come first.
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
        // A duplicate in an ancestor is reported for the ancestor only.
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

  /// Resolves the inverse of every relationship.
  ///
  /// An inverse must lead to exactly the entity that declares the relationship, and must name the
  /// relationship as its own inverse.
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
          // The error is reported for the entity that declares the property.
        }
      }
    }
    try errors.throwIfAny()
  }

  /// Returns the inverse of a declared relationship.
  ///
  /// - Parameter numbers: The indices of each entity's properties, by name.
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
        "\(here) names \(there) as its inverse, which has no inverse; write 'inverse "
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

  /// Throws an error if insertions by `awakeFromInsert` form a cycle, which would never end.
  private func checkInsertionsEnd() throws(TextError) {
    let inserted = entities.map { entity in
      entity.hookActions.filter { $0.effect == .insertRelated }
        .compactMap { entity[$0.property].relationship?.destination.index }
    }
    if let index = firstOnCycle(inserted) {
      throw TextError(
        line: declarations[index].line,
        message: "awakeFromInsert of '\(declarations[index].name)' inserts objects endlessly; "
          + "a chain of inserts must not return to its entity")
    }
  }
}

/// The IDs of entities, by name.
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
