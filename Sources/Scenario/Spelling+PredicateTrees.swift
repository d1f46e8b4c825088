import ObjectModel
import Vocabulary

/// Predicates as trees, in the words of `NSPredicate`. Nothing parses them: no file has them.
extension Spelling {
  /// Behind the comparisons, if there are any.
  func words(
    _ tree: PredicateTree?, of entity: EntityID, isFirst: Bool, _ lane: ContextID
  ) -> [String] {
    tree.map { [isFirst ? "where" : "and", text($0, of: entity, lane)] } ?? []
  }

  func text(_ tree: PredicateTree, of entity: EntityID, _ lane: ContextID) -> String {
    func joined(_ parts: [PredicateTree], _ word: String) -> String {
      "(" + parts.map { text($0, of: entity, lane) }.joined(separator: " \(word) ") + ")"
    }
    switch tree {
    case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let parts): return joined(parts, "AND")
    case .or(let parts): return joined(parts, "OR")
    case .not(let part): return "NOT (\(text(part, of: entity, lane)))"
    case .comparison(let left, let relation, let right, let options, let modifier):
      let marks =
        (options.contains(.caseInsensitive) ? "c" : "")
        + (options.contains(.diacriticInsensitive) ? "d" : "")
      let words =
        [modifier?.rawValue, text(left, of: entity, lane)].compactMap { $0 }
        + [relation.rawValue + (marks.isEmpty ? "" : "[\(marks)]"), text(right, of: entity, lane)]
      return words.joined(separator: " ")
    }
  }

  private func text(_ term: PredicateTree.Term, of entity: EntityID, _ lane: ContextID) -> String {
    switch term {
    case .value(let value): text(value)
    case .list(let terms):
      "{" + terms.map { text($0, of: entity, lane) }.joined(separator: ", ") + "}"
    case .object(let held): text(held, lane: lane)
    case .itself: "SELF"
    case .path(let path): names(path, from: entity)
    case .count(let path): names(path, from: entity) + ".@count"
    }
  }

  private func names(_ path: [PropertyID], from entity: EntityID) -> String {
    var entity = entity
    var names: [String] = []
    for id in path {
      let property = model[entity][id]
      names.append(property.name)
      entity = property.relationship?.destination ?? entity
    }
    return names.joined(separator: ".")
  }
}
