import Foundation
import LiveCode
import ObjectModel
import Vocabulary

/// A predicate that a store is asked by.
extension Format {
  /// What engine and reference model take: comparisons and a tree.
  func parts(
    of entity: EntityID, _ context: NSManagedObjectContext
  ) -> (comparisons: [Comparison], tree: PredicateTree?) {
    tree(of: entity, context).split
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
      let isMany = left.isMany(of: entity, context)
      if right.isMany(of: entity, context), relation != .isIn {
        // `%@ == notes.title` holds as `ANY notes.title == %@` does.
        guard !isMany, relation == .equal || relation == .notEqual, modifier == nil else {
          misuse(
            "a predicate with a to-many relationship on its right: only IN and == are simulated")
        }
        return Format.comparison(right, relation, left, options, .any).tree(of: entity, context)
      }
      if case .list(let bounds) = right, relation == .between, bounds.count != 2 {
        misuse("BETWEEN takes a list of two values")
      }
      // A value has the type of the attribute that it is compared with.
      let type = left.attributeType(of: entity, context) ?? right.attributeType(of: entity, context)
      return .comparison(
        left.term(of: entity, type, context), relation.relation,
        right.term(of: entity, type, context), marks,
        // Without a word, one member that fits is enough.
        isMany ? modifier?.modifier ?? (relation == .contains ? nil : .any) : nil)
    }
  }
}

extension Format.Relation {
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

  fileprivate func isMany(of entity: EntityID, _ context: NSManagedObjectContext) -> Bool {
    guard case .path(let keys) = self, !keys.isEmpty, keys != ["objectID"] else { return false }
    let path = properties(keys, of: entity, context)
    return context.run.model.end(of: path, from: entity)?.isMany ?? false
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
    case .count(let keys):
      let path = properties(keys, of: entity, context)
      guard context.run.model.end(of: path, from: entity)?.property.isToMany == true else {
        misuse("@count of '\(keys.joined(separator: "."))', which is not to-many")
      }
      return .count(path)
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
