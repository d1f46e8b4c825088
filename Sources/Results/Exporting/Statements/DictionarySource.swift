import ObjectModel
import Vocabulary

/// Requests with dictionary results, and assertions about those results.
extension TestWriter {
  /// Returns the statements that describe aggregates, and the request settings that fetch and group
  /// columns.
  mutating func columnSettings(
    _ request: FetchRequest, of entity: Entity, after settings: [String]
  ) -> ([Statement], [String]) {
    var settings = settings
    var statements: [Statement] = []
    var columns = request.propertiesToFetch.map { "\"\(entity[$0].name)\"" }
    for aggregate in request.aggregates {
      let name = names.local("value")
      let operand =
        aggregate.property.map { "NSExpression(forKeyPath: \"\(entity[$0].name)\")" }
        ?? "NSExpression.expressionForEvaluatedObject()"
      statements += [
        .line("let \(name) = NSExpressionDescription()"),
        .line("\(name).name = \"\(aggregate.key(of: entity))\""),
        .line("let \(name)Operand = \(operand)"),
        .line(
          "\(name).expression = NSExpression(forFunction: \"\(aggregate.function.rawValue):\", "
            + "arguments: [\(name)Operand])"),
        .line("\(name).expressionResultType = .\(aggregate.type(in: entity))"),
      ]
      columns.append(name)
    }
    if !columns.isEmpty {
      settings.append("propertiesToFetch = [\(columns.joined(separator: ", "))]")
    }
    if !request.propertiesToGroupBy.isEmpty {
      let list = request.propertiesToGroupBy.map { "\"\(entity[$0].name)\"" }
      settings.append("propertiesToGroupBy = [\(list.joined(separator: ", "))]")
    }
    if request.returnsDistinctResults { settings.append("returnsDistinctResults = true") }
    return (statements, settings)
  }

  /// Returns assertions about the number of dictionaries. If their order is known, the assertions
  /// also compare the strings and numbers in them.
  mutating func dictionaryChecks(
    _ call: String, _ request: FetchRequest, _ keys: [String], _ rows: [[Value]]
  ) -> [Statement] {
    let isOrdered = rows.count == 1 || !request.sortDescriptors.isEmpty
    guard isOrdered, !rows.isEmpty else {
      return [.line("XCTAssertEqual(\(call).count, \(rows.count))")]
    }
    let found = names.local("found")
    var statements: [Statement] = [
      .line("let \(found) = \(call)"),
      .line("XCTAssertEqual(\(found).count, \(rows.count))"),
    ]
    for (index, row) in rows.enumerated() {
      let element = index == 0 ? "\(found).first" : "\(found).dropFirst(\(index)).first"
      for (key, value) in zip(keys, row) {
        let shown = "\(element)?[\"\(key)\"]"
        switch value {
        case .null: statements.append(.line("XCTAssertNil(\(shown))"))
        case .integer(let number):
          statements.append(
            .line("XCTAssertEqual(\(shown).flatMap { Double(\"\\($0)\") }, \(number))"))
        case .number(let number):
          statements.append(
            .line("XCTAssertEqual(\(shown).flatMap { Double(\"\\($0)\") }, \(number))"))
        case .string(let symbol):
          let text = SwiftLiteral.text(model.symbols.text(of: symbol))
          statements.append(.line("XCTAssertEqual(\(shown) as? String, \(text))"))
        default: break
        }
      }
    }
    return statements
  }
}

extension Aggregate {
  /// Returns the key of the aggregate in a result dictionary, such as `count` or `sumOfStars`.
  func key(of entity: Entity) -> String {
    guard let property else { return function.rawValue }
    let name = entity[property].name
    return function.rawValue + "Of" + name.prefix(1).uppercased() + name.dropFirst()
  }

  /// Returns the case of `NSAttributeType` for the aggregate's value.
  fileprivate func type(in entity: Entity) -> String {
    let type = property.flatMap { entity[$0].attribute?.type }
    switch function {
    case .count: return "integer64AttributeType"
    case .average: return "doubleAttributeType"
    case .sum where type == .integer16 || type == .integer32: return "integer64AttributeType"
    case .sum, .min, .max: return type?.attributeTypeCase ?? "integer64AttributeType"
    }
  }
}

extension AttributeType {
  fileprivate var attributeTypeCase: String {
    switch self {
    case .integer16: "integer16AttributeType"
    case .integer32: "integer32AttributeType"
    case .integer64: "integer64AttributeType"
    case .decimal: "decimalAttributeType"
    case .double: "doubleAttributeType"
    case .float: "floatAttributeType"
    case .string: "stringAttributeType"
    case .boolean: "booleanAttributeType"
    case .date: "dateAttributeType"
    case .uuid: "UUIDAttributeType"
    case .uri: "URIAttributeType"
    case .binaryData: "binaryDataAttributeType"
    case .transformable: "transformableAttributeType"
    }
  }
}
