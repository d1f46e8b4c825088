import ObjectModel
import Vocabulary

/// Key paths of predicates, and aggregates of the members to which they lead.
extension Scope {
  /// The end of a key path.
  struct PathEnd {
    enum Member: Equatable {
      case attribute(AttributeType)
      case object
      /// The number of members.
      case count
    }

    var term: PredicateTree.Term
    /// The name of the path in error messages: its last property, `SELF`, or an aggregate such as
    /// `@count`.
    var name: String
    var member: Member
    /// A Boolean value that indicates whether the path includes a to-many relationship.
    var isMany: Bool
  }

  /// Reads a key path, such as `title`, `SELF`, `SELF.folder.name` or `notes.@count`. A property
  /// whose name equals a word of predicates is written with `#`, as in `#in`.
  func keyPath(
    _ line: inout LineReader, _ start: EntityID
  ) throws(TextError) -> PathEnd {
    if line.takes(word: "self"), !line.takesDirectly(".") {
      return PathEnd(term: .itself, name: "SELF", member: .object, isMany: false)
    }
    var path: [PropertyID] = []
    var (entity, isMany) = (start, false)
    while true {
      _ = path.isEmpty ? line.takes("#") : line.takesDirectly("#")
      let key = try line.property(of: model[entity])
      path.append(key)
      let property = model[entity][key]
      isMany = isMany || property.isToMany
      guard line.takesDirectly(".") else {
        return PathEnd(
          term: .path(path), name: property.name,
          member: property.attribute.map { .attribute($0.type) } ?? .object, isMany: isMany)
      }
      if line.takesDirectly("@") {
        let function = try line.identifier("'count'")
        if let function = Aggregate.Function(ofKeyPath: function), function != .count {
          return try aggregate(function, of: path, isMany: isMany, from: start, &line)
        }
        guard function == "count" else {
          throw line.error(
            "no function '@\(function)' in a predicate; there are @count, @sum, @min, @max and @avg"
          )
        }
        guard property.isToMany else {
          throw line.error("'\(property.name)' is not to-many; @count counts members")
        }
        return PathEnd(term: .count(path), name: "@count", member: .count, isMany: false)
      }
      guard property.relationship != nil else {
        throw line.error(
          "'\(property.name)' is an attribute; a key path continues only through relationships")
      }
      entity = model.destination(of: key, from: entity)
    }
  }

  /// Reads the attribute after an aggregate, as in `notes.@sum.stars`.
  private func aggregate(
    _ function: Aggregate.Function, of path: [PropertyID], isMany: Bool, from start: EntityID,
    _ line: inout LineReader
  ) throws(TextError) -> PathEnd {
    let name = "@" + function.ofKeyPath
    guard isMany else { throw line.error("\(name) is for the members of a to-many relationship") }
    let members = path.reduce(start) { model.destination(of: $1, from: $0) }
    try line.expect(".")
    let key = try line.property(of: model[members])
    guard let type = model[members][key].attribute?.type, type.isNumber || !function.addsUp else {
      throw line.error(
        "\(name) takes an attribute of the members; functions that add up take numbers")
    }
    return PathEnd(
      term: .aggregate(function, path + [key]), name: name,
      member: .attribute(function == .average ? .double : type), isMany: false)
  }
}
