import ObjectModel
import Vocabulary

/// The words that a request consists of, besides names.
enum RequestKeyword: String, CaseIterable {
  case `where`, sort, offset, limit
  /// `includesPendingChanges` is false.
  case savedState
  /// `returnsObjectsAsFaults` is false.
  case realised
}

extension Scope {
  /// `Note where title == "x" and folder == f sort title -stamp offset 1 limit 2 savedState realised`
  mutating func fetchRequest(_ line: inout LineReader, _ lane: ContextID) throws(TextError)
    -> FetchRequest
  {
    let name = try line.identifier("the name of an entity")
    var request = FetchRequest(entity: try entity(name, "step fetches", line))
    var seen: [RequestKeyword] = []
    while !line.isAtEnd {
      let word = line.word()
      guard let keyword = RequestKeyword(rawValue: word) else {
        throw line.error(
          unknown(
            "no word", word, "a request can have", RequestKeyword.allCases.map(\.rawValue)))
      }
      if seen.contains(keyword) { throw line.error("'\(word)' stands twice; once is enough") }
      seen.append(keyword)
      switch keyword {
      case .where:
        repeat {
          request.predicate.append(try comparison(&line, request.entity, lane))
        } while line.takes(keyword: "and")
      case .sort:
        repeat {
          request.sortDescriptors.append(try sortDescriptor(&line, request.entity))
        } while !line.isAtEnd && RequestKeyword(rawValue: line.nextWord) == nil
      case .offset: request.fetchOffset = try line.count("an offset")
      case .limit: request.fetchLimit = try line.count("a limit")
      case .savedState: request.includesPendingChanges = false
      case .realised: request.returnsObjectsAsFaults = false
      }
    }
    return request
  }

  /// `title == "x"`, `folder != edit.f`
  private mutating func comparison(
    _ line: inout LineReader, _ entity: EntityID, _ lane: ContextID
  ) throws(TextError) -> Comparison {
    let property = try line.property(of: model[entity])
    let word = try line.word("a relation")
    guard let relation = Comparison.Relation(rawValue: word) else {
      throw line.error(
        unknown(
          "no relation", word, "the relations are",
          Comparison.Relation.allCases.map(\.rawValue)))
    }
    switch model[entity][property].kind {
    case .attribute(let attribute):
      let value = try line.literal(attribute.type, &model.symbols)
      return Comparison(property: property, relation: relation, operand: .value(value))
    case .relationship(let relationship):
      if relationship.isToMany {
        throw line.error("to-many '\(model[entity][property].name)' cannot be compared")
      }
      guard relation == .equal || relation == .notEqual else {
        throw line.error("objects can be compared with == and != only")
      }
      if line.takes(keyword: "nil") {
        return Comparison(property: property, relation: relation, operand: .value(.null))
      }
      let reference = try reference(&line, lane: lane).reference
      return Comparison(property: property, relation: relation, operand: .object(reference))
    }
  }

  /// `title`, `-title`. A property that is called like a keyword needs a `+`.
  private func sortDescriptor(_ line: inout LineReader, _ entity: EntityID) throws(TextError)
    -> FetchRequest.SortDescriptor
  {
    let ascending = !line.takes("-")
    if ascending { _ = line.takes("+") }
    let property = try line.property(of: model[entity])
    if model[entity][property].isToMany {
      throw line.error("to-many '\(model[entity][property].name)' cannot be sorted by")
    }
    return FetchRequest.SortDescriptor(property: property, ascending: ascending)
  }
}
