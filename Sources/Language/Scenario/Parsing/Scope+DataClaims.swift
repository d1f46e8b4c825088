import ObjectModel
import Prose
import Vocabulary

/// Claims about data, such as `every Note where stars > 3 has folder != nil`, in promises of a
/// stack and in claims of a scenario.
extension Scope {
  enum DataKeyword: String, CaseIterable {
    case unique, every, count, sum
  }

  /// Reads a claim about data after its first word.
  mutating func dataClaim(
    _ keyword: DataKeyword, _ speaker: String, _ line: inout LineReader
  ) throws(TextError) -> DataClaim {
    let name = try line.identifier("the name of an entity")
    let entity = try entity(name, "\(speaker) names", line)
    var condition: PredicateTree?
    let statement: DataClaim.Statement
    switch keyword {
    case .unique:
      statement = .unique(try uniqueProperties(of: entity, speaker, &line))
      condition = try self.condition(speaker, &line, entity)
    case .every:
      condition = try self.condition(speaker, &line, entity)
      try line.expect(keyword: "has")
      statement = .every(try claimedPredicate(speaker, &line, entity))
    case .count:
      condition = try self.condition(speaker, &line, entity)
      statement = .count(try relation(&line), try line.count("a count"))
    case .sum:
      let (property, type) = try summand(of: entity, &line)
      condition = try self.condition(speaker, &line, entity)
      let relation = try relation(&line)
      statement = .sum(property, relation, try line.literal(type, &model.symbols))
    }
    return DataClaim(entity: entity, condition: condition, statement)
  }

  /// Reads the places of a claim about data, such as `in store view`. Without places, the stores
  /// are meant. The first of `ends` ends the places.
  func dataPlaces(
    _ speaker: String, _ line: inout LineReader, before ends: [String]
  ) throws(TextError) -> [DataClaim.Place] {
    guard line.takes(keyword: "in") else { return [.stores] }
    var places: [DataClaim.Place] = []
    repeat {
      let name = try line.identifier("'store' or the name of a context")
      let place: DataClaim.Place =
        name == implicitCoordinator
        ? .stores : .context(try context(name, "\(speaker) names context", line))
      if places.contains(place) { throw line.error("'\(name)' is given twice") }
      places.append(place)
    } while !line.isAtEnd && !ends.contains(line.nextWord)
    return places
  }

  /// Reads the properties after the name of an entity, such as `.remoteID` or `.first and last`.
  ///
  /// - Parameters:
  ///   - what: The meaning of the properties, such as `the property that is unique`.
  func properties(
    of entity: EntityID, _ what: String, _ line: inout LineReader
  ) throws(TextError) -> [PropertyID] {
    guard line.takesDirectly(".") else { throw line.missing("'.' and \(what)") }
    var properties: [PropertyID] = []
    repeat {
      let property = try line.property(of: model[entity])
      if properties.contains(property) {
        throw line.error("'\(model[entity][property].name)' is given twice")
      }
      properties.append(property)
    } while line.takes(keyword: "and")
    return properties
  }

  private func uniqueProperties(
    of entity: EntityID, _ speaker: String, _ line: inout LineReader
  ) throws(TextError) -> [PropertyID] {
    let properties = try properties(of: entity, "the property that is unique", &line)
    if let property = properties.first(where: { model[entity][$0].isToMany }) {
      throw line.error(
        "'\(model[entity][property].name)' has many values; a \(speaker) compares attributes and "
          + "to-one relationships")
    }
    return properties
  }

  private mutating func condition(
    _ speaker: String, _ line: inout LineReader, _ entity: EntityID
  ) throws(TextError) -> PredicateTree? {
    guard line.takes(keyword: "where") else { return nil }
    return try claimedPredicate(speaker, &line, entity)
  }

  private mutating func claimedPredicate(
    _ speaker: String, _ line: inout LineReader, _ entity: EntityID
  ) throws(TextError) -> PredicateTree {
    // The predicate names no objects of programs, so any lane will do.
    let tree = try predicate(&line, entity, ContextID(0))
    if tree.namesObjects {
      throw line.error(
        isDesign || isInStack
          ? "a promise applies to every program, so it cannot name an object"
          : "a claim about all objects cannot name an object; name it in an 'equal' claim")
    }
    return tree
  }

  private func summand(
    of entity: EntityID, _ line: inout LineReader
  ) throws(TextError) -> (PropertyID, AttributeType) {
    guard line.takesDirectly(".") else { throw line.missing("'.' and the attribute to add up") }
    let property = try line.property(of: model[entity])
    switch model[entity][property].attribute?.type {
    case .integer16, .integer32, .integer64: return (property, .integer64)
    case .decimal: return (property, .decimal)
    case .double, .float: return (property, .double)
    default:
      throw line.error("'\(model[entity][property].name)' is not a number; sum needs numbers")
    }
  }

  private func relation(_ line: inout LineReader) throws(TextError) -> DataClaim.Relation {
    if let relation = DataClaim.Relation.allCases.first(where: { line.takes($0.rawValue) }) {
      return relation
    }
    throw line.missing("a relation, such as '==' or '<='")
  }
}

/// Returns the text with each run of spaces replaced by one space, except in literals.
func spacedOnce(_ text: Substring) -> String {
  var result = ""
  var (isInLiteral, isEscaped) = (false, false)
  for character in text {
    if character == " ", !isInLiteral, result.isEmpty || result.last == " " { continue }
    result.append(character)
    if character == "\"", !isEscaped { isInLiteral.toggle() }
    isEscaped = character == "\\" && !isEscaped
  }
  while result.last == " " { result.removeLast() }
  return result
}

extension Spelling {
  /// Returns the places of a claim about data, such as ` in store view`. The stores alone have no
  /// text.
  func text(_ places: [DataClaim.Place]) -> String {
    if places == [.stores] { return "" }
    let names = places.map { $0.context.map(text) ?? implicitCoordinator }
    return " in " + names.joined(separator: " ")
  }
}

extension PredicateTree {
  fileprivate var namesObjects: Bool {
    switch self {
    case .constant, .isOf: false
    case .and(let parts), .or(let parts): parts.contains(where: \.namesObjects)
    case .not(let part): part.namesObjects
    case .matches(let term, _, _): term.namesObjects
    case .comparison(let left, _, let right, _, _): left.namesObjects || right.namesObjects
    }
  }
}

extension PredicateTree.Term {
  fileprivate var namesObjects: Bool {
    switch self {
    case .object: true
    case .value, .itself, .path, .count, .aggregate: false
    case .list(let terms), .computed(_, let terms): terms.contains(where: \.namesObjects)
    case .countWhere(_, let tree): tree.namesObjects
    }
  }
}
