import ObjectModel
import Prose
import Vocabulary

/// The contents of dictionaries: `dictionaries title count sum(stars) group title distinct`.
extension Scope {
  /// Reads properties and aggregates. A property called `count` needs a `+`.
  func columns(
    _ line: inout LineReader, _ entity: EntityID
  ) throws(TextError) -> ([PropertyID], [Aggregate]) {
    var properties: [PropertyID] = []
    var aggregates: [Aggregate] = []
    while !line.isAtEnd, RequestKeyword(rawValue: line.nextWord) == nil {
      if let aggregate = try aggregate(&line, entity) {
        if aggregates.contains(aggregate) {
          throw line.error("'\(aggregate.text(of: model[entity]))' is given twice; once is enough")
        }
        aggregates.append(aggregate)
      } else {
        try addProperty(to: &properties, &line, entity)
      }
    }
    return (properties, aggregates)
  }

  func properties(
    _ line: inout LineReader, _ entity: EntityID
  ) throws(TextError) -> [PropertyID] {
    var properties: [PropertyID] = []
    while !line.isAtEnd, RequestKeyword(rawValue: line.nextWord) == nil {
      try addProperty(to: &properties, &line, entity)
    }
    return properties
  }

  private func addProperty(
    to properties: inout [PropertyID], _ line: inout LineReader, _ entity: EntityID
  ) throws(TextError) {
    _ = line.takes("+")
    let property = try line.property(of: model[entity])
    if model[entity][property].isToMany {
      throw line.error("to-many '\(model[entity][property].name)' cannot be in a dictionary")
    }
    if properties.contains(property) {
      throw line.error("'\(model[entity][property].name)' is given twice; once is enough")
    }
    properties.append(property)
  }

  /// Reads an aggregate, such as `count` or `sum(stars)`. Returns `nil` if something else is next.
  private func aggregate(
    _ line: inout LineReader, _ entity: EntityID
  ) throws(TextError) -> Aggregate? {
    var copy = line
    guard let word = copy.identifier() else { return nil }
    guard copy.takesDirectly("(") else {
      guard word == Aggregate.Function.count.rawValue else { return nil }
      line = copy
      return Aggregate(.count, of: nil)
    }
    guard let function = Aggregate.Function(rawValue: word) else {
      throw line.error(
        unknown(
          "no function", word, "a dictionary can have",
          Aggregate.Function.allCases.map(\.rawValue)))
    }
    line = copy
    let property = try line.property(of: model[entity])
    try line.expect(")")
    let name = model[entity][property].name
    guard let attribute = model[entity][property].attribute, !attribute.isTransient else {
      throw line.error("'\(name)' is not a stored attribute; functions need a stored attribute")
    }
    if function.addsUp, !attribute.type.isNumber {
      throw line.error("'\(name)' is not a number; \(word) needs numbers")
    }
    return Aggregate(function, of: property)
  }

  func checkSummary(_ request: FetchRequest, _ line: LineReader) throws(TextError) {
    if request.resultType != .dictionary, request.summarizes {
      throw line.error("'group' and 'distinct' are for dictionaries; write 'dictionaries' too")
    }
    guard !request.groupsWhatItFetches else { return }
    let other = request.propertiesToFetch.first { !request.propertiesToGroupBy.contains($0) }
    guard let other else {
      throw line.error("a grouped request must name the properties of its dictionaries")
    }
    let name = model[request.entity][other].name
    throw line.error("'\(name)' is not the same for all rows of a group; write 'group \(name)'")
  }
}

extension Aggregate {
  /// Returns the spelling of the aggregate, such as `count` or `sum(stars)`.
  func text(of entity: Entity) -> String {
    function.rawValue + (property.map { "(\(entity[$0].name))" } ?? "")
  }
}
