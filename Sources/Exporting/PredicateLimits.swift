import ObjectModel
import Vocabulary

/// What a SQL store takes of a predicate, by the part on Core Data of Apple's Predicate Programming
/// Guide: one to-many operation, by one ANY, ALL or IN. The simulated stores take more.
extension PredicateTree {
  /// Why a SQL store may not carry it out, as the end of a sentence; nil if nothing is known
  /// against it.
  func excess(of entity: EntityID, in model: ObjectModel) -> String? {
    if operatorCount > 1 { return "a SQL store takes one of ANY, ALL and IN in a predicate" }
    let manyCount = paths.reduce(0) { $0 + model.toManyCount(of: $1, from: entity) }
    return manyCount > 1 ? "a SQL store takes one to-many key in a predicate" : nil
  }

  /// How many of ANY, ALL, IN and NONE, which is NOT ANY, it has.
  private var operatorCount: Int {
    switch self {
    case .constant, .isOf, .matches: 0
    case .and(let parts), .or(let parts): parts.reduce(0) { $0 + $1.operatorCount }
    case .not(let part): part.operatorCount
    case .comparison(_, let relation, _, _, let modifier):
      (modifier == nil ? 0 : 1) + (relation == .isIn ? 1 : 0)
    }
  }
}

extension ObjectModel {
  fileprivate func toManyCount(of path: [PropertyID], from start: EntityID) -> Int {
    var entity = start
    return path.reduce(0) { count, key in
      let isToMany = self[entity][key].isToMany
      if self[entity][key].relationship != nil { entity = destination(of: key, from: entity) }
      return count + (isToMany ? 1 : 0)
    }
  }
}
