import Foundation
import LiveCode
import ObjectModel
import Vocabulary

/// A predicate that a store is asked by.
extension Format {
  /// What engine and reference model take: comparisons that all must hold and, for all that they
  /// cannot say, a tree.
  func parts(
    of entity: EntityID, _ context: NSManagedObjectContext
  ) -> (comparisons: [Comparison], tree: PredicateTree?) {
    let conditions: [Format] = if case .and(let parts) = self { parts } else { [self] }
    var comparisons: [Comparison] = []
    var rest: [PredicateTree] = []
    for condition in conditions {
      if let comparison = condition.comparison(of: entity, context) {
        comparisons.append(comparison)
      } else if case .constant(true) = condition {
        continue
      } else {
        rest.append(condition.tree(of: entity, context))
      }
    }
    return (comparisons, rest.count > 1 ? .and(rest) : rest.first)
  }

  /// The comparison of a property of the entity with a value, if it is just that.
  private func comparison(of entity: EntityID, _ context: NSManagedObjectContext) -> Comparison? {
    guard
      case .comparison(.path(let keys), let relation, .value(let operand), let options, nil) = self,
      keys.count == 1, !options.ignoresCase, !options.ignoresDiacritics,
      let plain = relation.plain,
      let id = context.run.model[entity].property(named: keys[0])
    else { return nil }
    let property = context.run.model[entity][id]
    guard !property.isToMany else { return nil }
    if let attribute = property.attribute {
      return Comparison(
        property: id, relation: plain,
        operand: .value(context.state.value(of: operand, attribute.type)))
    }
    guard plain == .equal || plain == .notEqual else { return nil }
    guard let operand else {
      return Comparison(property: id, relation: plain, operand: .value(.null))
    }
    guard let object = Format.object(operand, context) else { return nil }
    return Comparison(property: id, relation: plain, operand: .object(object.handle))
  }

  private static func object(
    _ any: Any, _ context: NSManagedObjectContext
  ) -> NSManagedObject? {
    if let object = any as? NSManagedObject { return object }
    return (any as? NSManagedObjectID).map { context.object(for: $0.id) }
  }

  private func tree(of entity: EntityID, _ context: NSManagedObjectContext) -> PredicateTree {
    switch self {
    case .constant(let value): return .constant(value)
    case .and(let parts): return .and(parts.map { $0.tree(of: entity, context) })
    case .or(let parts): return .or(parts.map { $0.tree(of: entity, context) })
    case .not(let part): return .not(part.tree(of: entity, context))
    case .comparison(let left, let relation, let right, let options, let modifier):
      var marks: PredicateTree.Options = []
      if options.ignoresCase { marks.insert(.caseInsensitive) }
      if options.ignoresDiacritics { marks.insert(.diacriticInsensitive) }
      // A value has the type of the attribute that it is compared with.
      let type = left.attributeType(of: entity, context) ?? right.attributeType(of: entity, context)
      return .comparison(
        left.term(of: entity, type, context), relation.relation,
        right.term(of: entity, type, context), marks, modifier?.modifier)
    }
  }
}

extension Format.Relation {
  fileprivate var plain: Comparison.Relation? {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .greater: .greater
    default: nil
    }
  }

  fileprivate var relation: PredicateTree.Relation {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .beginsWith: .beginsWith
    case .endsWith: .endsWith
    case .contains: .contains
    case .like: .like
    case .matches: misuse("a store is asked by MATCHES, which is simulated in memory only")
    case .isIn: .isIn
    case .between: .between
    }
  }
}

extension Format.Modifier {
  fileprivate var modifier: PredicateTree.Modifier {
    switch self {
    case .any: .any
    case .all: .all
    case .none: PredicateTree.Modifier.none
    }
  }
}

extension Format.Side {
  /// The properties of a path, from the entity.
  private func properties(
    _ keys: [String], of entity: EntityID, _ context: NSManagedObjectContext
  ) -> [PropertyID] {
    var entity = entity
    return keys.map { key in
      let declared = context.run.model[entity]
      guard let id = declared.property(named: key) else {
        misuse("the entity \(declared.name) has no property '\(key)' to ask for")
      }
      entity = declared[id].relationship?.destination ?? entity
      return id
    }
  }

  fileprivate func attributeType(
    of entity: EntityID, _ context: NSManagedObjectContext
  ) -> AttributeType? {
    guard case .path(let keys) = self, keys != ["objectID"] else { return nil }
    var (entity, type) = (entity, AttributeType?.none)
    for id in properties(keys, of: entity, context) {
      let property = context.run.model[entity][id]
      type = property.attribute?.type
      entity = property.relationship?.destination ?? entity
    }
    return type
  }

  fileprivate func term(
    of entity: EntityID, _ type: AttributeType?, _ context: NSManagedObjectContext
  ) -> PredicateTree.Term {
    switch self {
    case .path(let keys):
      return keys.isEmpty || keys == ["objectID"]
        ? .itself : .path(properties(keys, of: entity, context))
    case .count(let keys): return .count(properties(keys, of: entity, context))
    case .list(let sides): return .list(sides.map { $0.term(of: entity, type, context) })
    case .value(nil): return .value(.null)
    case .value(let value?):
      if let object = value as? NSManagedObject { return .object(object.handle) }
      if let id = value as? NSManagedObjectID {
        return .object(context.object(for: id.id).handle)
      }
      if let type { return .value(context.state.value(of: value, type)) }
      if let number = value as? any BinaryInteger {
        return .value(.integer(Int64(truncatingIfNeeded: number)))
      }
      misuse("\(value) is compared with something that is no attribute")
    }
  }
}
