import ObjectModel
import Vocabulary

/// Limits of SQL stores on predicates, from the Core Data section of Apple's Predicate Programming
/// Guide. A predicate may have one to-many key, and one of ANY, ALL and IN. The simulated stores
/// accept more.
extension PredicateTree {
  /// Returns the reason why a SQL store may refuse the predicate, as the end of a sentence. Returns
  /// nil if the predicate exceeds no limit.
  func excess(of entity: EntityID, in model: ObjectModel) -> String? {
    if operatorCount > 1 { return "a SQL store accepts only one ANY, ALL or IN in a predicate" }
    let manyCount = paths.reduce(0) { $0 + model.toManyCount(of: $1, from: entity) }
    return manyCount > 1 ? "a SQL store accepts only one to-many key in a predicate" : nil
  }

  /// The number of ANY, ALL, IN and NONE operators. NONE counts because it means NOT ANY.
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
