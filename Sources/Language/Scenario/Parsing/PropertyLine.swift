import ObjectModel
import Prose

/// A property with the data of its declaration.
struct DeclaredProperty {
  let line: Int
  /// The entity that declares the property. Subentities inherit it.
  let owner: EntityID
  let inverse: String?
  /// The property. A relationship gets its inverse later, when names are resolved.
  var property: Property
}

extension LineReader {
  /// Reads the rest of a property's line after its name, such as `string? = "x" transient` or
  /// `Note* ordered inverse folder`.
  mutating func property(
    _ name: String, of owner: EntityID, entities: EntityNames, symbols: inout SymbolTable
  ) throws(TextError) -> DeclaredProperty {
    let type = try identifier("a type or a destination entity")
    if let type = AttributeType(word: type) {
      let kind = Property.Kind.attribute(try attribute(type, &symbols))
      return DeclaredProperty(
        line: line, owner: owner, inverse: nil, property: Property(name: name, kind: kind))
    }
    let destination: EntityID
    do throws(TextError) {
      destination = try entities.entity(type, "'\(name)' leads to", line: line)
    } catch {
      throw isAttributeTypeMisspelt(type) ?? error
    }
    let (relationship, inverse) = try relationship(to: destination)
    return DeclaredProperty(
      line: line, owner: owner, inverse: inverse,
      property: Property(name: name, kind: .relationship(relationship)))
  }

  /// Returns an error if the word looks like a misspelt type. Types begin with a small letter and
  /// entities with a capital, which shows the intended meaning.
  private func isAttributeTypeMisspelt(_ word: String) -> TextError? {
    if let type = AttributeType(swiftName: word) {
      return error(
        "no type '\(shortened(word))'; types are lower case: did you mean '\(type.word)'?")
    }
    guard let first = word.utf8.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first else {
      return nil
    }
    return error(unknown("no type", word, "the types are", AttributeType.allCases.map(\.word)))
  }

  private mutating func attribute(_ type: AttributeType, _ symbols: inout SymbolTable)
    throws(TextError) -> Attribute
  {
    var attribute = Attribute(type: type)
    attribute.isOptional = takesDirectly("?")
    var seen: [String] = []
    while !isAtEnd {
      let keyword = takes("=") ? "=" : word()
      // An attribute can forbid several values.
      if keyword != "not" { try checkFirst(keyword, &seen) }
      switch keyword {
      case "=":
        // Symbols are numbered in reading order, so the reading order must be the printing order.
        if !attribute.forbidden.isEmpty {
          throw error("the default must precede 'not'")
        }
        attribute.defaultValue = try literal(type, &symbols)
      case "not": attribute.forbidden.append(try forbidden(attribute, &symbols))
      case "min": attribute.minimum = try limit(type)
      case "max": attribute.maximum = try limit(type)
      case "transient": attribute.isTransient = true
      case "unique": throw uniquenessIsAnotherLine
      default:
        throw error(
          unknown(
            "no word", keyword, "an attribute can have", ["=", "min", "max", "not", "transient"]))
      }
    }
    if let minimum = attribute.minimum, let maximum = attribute.maximum,
      ValueOrder(symbols: symbols).precedes(maximum, minimum)
    {
      throw error("min is more than max; no value could be saved")
    }
    return attribute
  }

  /// Reads a forbidden value with an optional warning, such as `13 "unlucky"`.
  private mutating func forbidden(_ attribute: Attribute, _ symbols: inout SymbolTable)
    throws(TextError) -> ForbiddenValue
  {
    let value = try literal(attribute.type, &symbols)
    if value.isNull { throw error("nil cannot be forbidden; a type without '?' never takes it") }
    if attribute.forbidden.contains(where: { $0.value == value }) {
      throw error("'not' is given twice with the same value; once is enough")
    }
    let warning = takes("\"") ? try escapedText(until: "\"") : ""
    return ForbiddenValue(value, warning: warning)
  }

  private func checkFirst(_ keyword: String, _ seen: inout [String]) throws(TextError) {
    if seen.contains(keyword) { throw error("'\(keyword)' is given twice; once is enough") }
    seen.append(keyword)
  }

  private var uniquenessIsAnotherLine: TextError {
    error("uniqueness needs a separate line; write 'unique  PROPERTY' in the entity")
  }

  /// Reads a minimum or maximum: a number, a date, or the length of a text.
  private mutating func limit(_ type: AttributeType) throws(TextError) -> Value {
    // The table stays empty, because limits of these types contain no texts.
    var symbols = SymbolTable()
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .date:
      let value = try literal(type, &symbols)
      if value.isNull { throw error("a limit cannot be nil; leave it out") }
      return value
    case .string: return .integer(Int64(try count("a length")))
    case .boolean, .binaryData, .uuid, .uri, .transformable:
      throw error("\(type.word) has no min and max; only numbers, dates and strings have")
    }
  }

  private mutating func relationship(to destination: EntityID) throws(TextError)
    -> (Relationship, inverse: String?)
  {
    var relationship = Relationship(destination: destination)
    relationship.isToMany = false
    relationship.isOptional = true
    if takesDirectly("*") {
      relationship.isToMany = true
    } else if takesDirectly("+") {
      relationship.isToMany = true
      relationship.isOptional = false
    } else {
      relationship.isOptional = takesDirectly("?")
    }
    var inverse: String? = nil
    var seen: [String] = []
    while !isAtEnd {
      let keyword = word()
      let rule = DeleteRule(rawValue: keyword)
      if rule != nil && seen.contains(where: { DeleteRule(rawValue: $0) != nil }) {
        throw error("'\(keyword)' is a second delete rule; one is enough")
      }
      try checkFirst(keyword, &seen)
      switch keyword {
      case _ where rule != nil: relationship.deleteRule = rule ?? .nullify
      case "inverse": inverse = try identifier("the name of the inverse")
      case "ordered" where relationship.isToMany: relationship.isOrdered = true
      case "min" where relationship.isToMany: relationship.minimumCount = try count("a count")
      case "max" where relationship.isToMany: relationship.maximumCount = try count("a count")
      case "ordered", "min", "max":
        throw error("a to-one relationship cannot have '\(keyword)'; write * or + for to-many")
      case "unique": throw uniquenessIsAnotherLine
      default:
        throw error(
          unknown(
            "no word", keyword, "a relationship can have",
            ["ordered", "inverse"] + DeleteRule.allCases.map(\.rawValue) + ["min", "max"]))
      }
    }
    let (least, most) = (relationship.minimumCount, relationship.maximumCount)
    if most != 0 && least > most { throw error("min is more than max; nothing could be saved") }
    return (relationship, inverse)
  }
}

extension AttributeType {
  /// Creates the type with the given name in Swift or, capitalized, in Xcode: `Int16`, `String`,
  /// `Boolean`.
  fileprivate init?(swiftName name: String) {
    switch name {
    case "Int", "Int64": self = .integer64
    case "Int16": self = .integer16
    case "Int32": self = .integer32
    case "Bool": self = .boolean
    case "URL": self = .uri
    case "Data": self = .binaryData
    default:
      guard name != name.lowercased(), let type = AttributeType(word: name.lowercased()) else {
        return nil
      }
      self = type
    }
  }
}
