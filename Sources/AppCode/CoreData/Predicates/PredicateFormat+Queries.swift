import Foundation
import LiveCode
import ObjectModel
import Vocabulary

/// Predicates translated for a store.
extension PredicateFormat {
  /// Returns the predicate in the form that the engine and the reference model take: comparisons
  /// and a tree.
  func parts(
    of entity: EntityID, _ context: NSManagedObjectContext
  ) -> (comparisons: [Comparison], tree: PredicateTree?) {
    tree(of: entity, context).split
  }

  func tree(of entity: EntityID, _ context: NSManagedObjectContext) -> PredicateTree {
    switch self {
    case .constant(let value): return .constant(value)
    case .and(let parts): return .and(parts.map { $0.tree(of: entity, context) })
    case .or(let parts): return .or(parts.map { $0.tree(of: entity, context) })
    case .not(let part): return .not(part.tree(of: entity, context))
    case .comparison(let left, let relation, let right, let options, let modifier):
      if let question = entities(of: entity, context) { return question }
      if let same = withoutTextFunctions { return same.tree(of: entity, context) }
      if relation == .matches { return matches(of: entity, context) }
      if let same = withoutFraction(of: entity, context) {
        return same.tree(of: entity, context)
      }
      let isMany = left.isMany(of: entity, context)
      if right.isMany(of: entity, context), relation != .isIn {
        // `%@ == notes.title` has the same meaning as `ANY notes.title == %@`.
        guard !isMany, relation == .equal || relation == .notEqual, modifier == nil else {
          misuse(
            "a to-many relationship on the right side of a predicate is simulated only with IN and =="
          )
        }
        return PredicateFormat.comparison(right, relation, left, options, .any).tree(
          of: entity, context)
      }
      if case .list(let bounds) = right, relation == .between, bounds.count != 2 {
        misuse("BETWEEN requires a list of two values")
      }
      // A value is converted to the type of the attribute that it is compared with.
      let type = left.attributeType(of: entity, context) ?? right.attributeType(of: entity, context)
      return .comparison(
        left.term(of: entity, type, context), relation.relation,
        right.term(of: entity, type, context), options.marks,
        // Without a modifier, one matching member is enough.
        isMany ? modifier?.modifier ?? (relation == .contains ? nil : .any) : nil)
    }
  }

  /// Returns an equivalent comparison of an integer attribute without a fraction, such as
  /// `views <= 2` for `views < 2.5`. Returns `nil` if the predicate compares with no fraction.
  private func withoutFraction(
    of entity: EntityID, _ context: NSManagedObjectContext
  ) -> PredicateFormat? {
    guard
      case .comparison(let left, let relation, .value(let value?), let marks, let modifier) = self,
      left.attributeType(of: entity, context)?.isInteger == true,
      !(value is any BinaryInteger), let number = PredicateFormat.number(value),
      number != number.rounded()
    else { return nil }
    let floor = PredicateFormat.Operand.value(Int(number.rounded(.down)))
    switch relation {
    case .less, .lessOrEqual: return .comparison(left, .lessOrEqual, floor, marks, modifier)
    case .greater, .greaterOrEqual: return .comparison(left, .greater, floor, marks, modifier)
    case .equal where modifier == nil: return .constant(false)
    case .notEqual where modifier == nil: return .constant(true)
    default: misuse("an integer is compared with a fraction: \(text)")
    }
  }

  /// Returns the tree of a regular expression match, such as `name MATCHES "[a-z]+"`.
  private func matches(of entity: EntityID, _ context: NSManagedObjectContext) -> PredicateTree {
    guard case .comparison(let left, _, .value(let pattern as String), let options, nil) = self,
      left.attributeType(of: entity, context) == .string, !left.isMany(of: entity, context)
    else { misuse("MATCHES requires a string attribute and a regular expression: \(text)") }
    guard (try? NSRegularExpression(pattern: pattern)) != nil, (try? Regex(pattern)) != nil else {
      misuse("\"\(pattern)\" is not a regular expression")
    }
    return .matches(left.term(of: entity, .string, context), pattern, options.marks)
  }

  /// Returns the tree of a comparison of entities, such as `entity == %@`, `entity IN %@` or
  /// `entity.name == "Note"`. Returns `nil` for any other predicate.
  private func entities(
    of entity: EntityID, _ context: NSManagedObjectContext
  ) -> PredicateTree? {
    guard case .comparison(let left, let relation, let right, _, nil) = self else { return nil }
    guard context.run.model[entity].property(named: "entity") == nil else { return nil }
    guard case .path(let keys) = left, keys.first == "entity" else {
      guard case .path(let keys) = right, keys.first == "entity", relation != .isIn else {
        return nil
      }
      return PredicateFormat.comparison(right, relation, left, Options(), nil).entities(
        of: entity, context)
    }
    let sides: [Operand] = if case .list(let sides) = right { sides } else { [right] }
    let model = context.persistentStoreCoordinator?.managedObjectModel
    let known = sides.map { side -> NSEntityDescription in
      switch side {
      case .value(let entity as NSEntityDescription) where keys.count == 1: return entity
      case .value(let name as String) where keys.dropFirst() == ["name"]:
        guard let entity = model?.entitiesByName[name] else {
          misuse("a predicate refers to '\(name)', which is not an entity of the model")
        }
        return entity
      default: misuse("a predicate compares an entity with something else: \(text)")
      }
    }
    let question = PredicateTree.isOf(known.map { context.state.id(of: $0) })
    switch relation {
    case .equal where known.count == 1, .isIn: return question
    case .notEqual where known.count == 1: return .not(question)
    default: misuse("entities can be compared only with ==, != and IN: \(text)")
    }
  }

  /// Returns an equivalent comparison without `lowercase:` or `uppercase:`, such as
  /// `name ==[c] "a"` for `lowercase(name) == "a"`. If the text is in the other case, no string
  /// equals it. Returns `nil` if the predicate has no such function.
  private var withoutTextFunctions: PredicateFormat? {
    guard case .comparison(let left, let relation, let right, let options, let modifier) = self,
      case .function(let name, let sides) = left, ["lowercase:", "uppercase:"].contains(name)
    else { return nil }
    guard sides.count == 1, case .value(let text as String) = right, !options.ignoresCase else {
      misuse("'\(name)' can be compared only with a string: \(self.text)")
    }
    let folded = name == "lowercase:" ? text.lowercased() : text.uppercased()
    guard folded == text else {
      guard relation == .equal || relation == .notEqual else {
        misuse("'\(name)' is compared with a string of another letter case: \(self.text)")
      }
      return relation == .equal
        ? .constant(false) : .not(.comparison(sides[0], .equal, .value(nil), Options(), nil))
    }
    var folding = options
    folding.ignoresCase = true
    return .comparison(sides[0], relation, right, folding, modifier)
  }
}

extension PredicateFormat.Options {
  fileprivate var marks: PredicateTree.Options {
    var marks: PredicateTree.Options = []
    if ignoresCase { marks.insert(.caseInsensitive) }
    if ignoresDiacritics { marks.insert(.diacriticInsensitive) }
    return marks
  }
}

extension PredicateFormat.Relation {
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
    case .matches: preconditionFailure("MATCHES is no comparison of the engine")
    case .isIn: .isIn
    case .between: .between
    }
  }
}

extension PredicateFormat.Modifier {
  fileprivate var modifier: PredicateTree.Modifier {
    switch self {
    case .any: .any
    case .all: .all
    case .none: PredicateTree.Modifier.none
    }
  }
}

extension PredicateFormat.Operand {
  /// Returns the properties along a key path that starts at the entity.
  private func properties(
    _ keys: [String], of entity: EntityID, _ context: NSManagedObjectContext
  ) -> [PropertyID] {
    var entity = entity
    return keys.map { key in
      let declared = context.run.model[entity]
      guard let id = declared.property(named: key) else {
        misuse("the entity \(declared.name) has no property '\(key)'")
      }
      entity = declared[id].relationship?.destination ?? entity
      return id
    }
  }

  fileprivate func isMany(of entity: EntityID, _ context: NSManagedObjectContext) -> Bool {
    guard case .path(let keys) = self, !keys.isEmpty, keys != ["objectID"],
      length(keys, of: entity, context) == nil
    else { return false }
    let path = properties(keys, of: entity, context)
    return context.run.model.end(of: path, from: entity)?.isMany ?? false
  }

  /// Returns the path of the string in `title.length`, or `nil` if the keys do not end with the
  /// length of a string.
  private func length(
    _ keys: [String], of entity: EntityID, _ context: NSManagedObjectContext
  ) -> [PropertyID]? {
    guard keys.count > 1, keys.last == "length" else { return nil }
    let path = properties(keys.dropLast(), of: entity, context)
    let end = context.run.model.end(of: path, from: entity)
    return end?.property.attribute?.type == .string && end?.isMany == false ? path : nil
  }

  fileprivate func attributeType(
    of entity: EntityID, _ context: NSManagedObjectContext
  ) -> AttributeType? {
    let keys: [String]
    switch self {
    case .path(let path) where path != ["objectID"] && length(path, of: entity, context) == nil:
      keys = path
    case .aggregate("min", let path), .aggregate("max", let path): keys = path
    default: return nil
    }
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
      if keys.isEmpty || keys == ["objectID"] { return .itself }
      if let text = length(keys, of: entity, context) { return .computed(.length, [.path(text)]) }
      return .path(properties(keys, of: entity, context))
    case .count(let keys):
      return .count(toMany(keys, "@count", of: entity, context))
    case .subquery(let keys, let variable, let condition):
      let path = toMany(keys, "SUBQUERY", of: entity, context)
      let members = path.reduce(entity) { context.run.model.destination(of: $1, from: $0) }
      return .countWhere(path, condition.asked(of: variable).tree(of: members, context).normalized)
    case .aggregate(let name, let keys):
      let path = properties(keys, of: entity, context)
      guard let function = Aggregate.Function(rawValue: name == "avg" ? "average" : name),
        context.run.model.end(of: path, from: entity)?.isMany == true
      else { misuse("@\(name) requires a to-many relationship: '\(keys.joined(separator: "."))'") }
      return .aggregate(function, path)
    case .members:
      misuse("'\(text)' without @count is not simulated in a store")
    case .member:
      misuse("'\(text)' is not supported in a store: an index is for objects in memory")
    case .function("count:", let sides) where sides.count == 1 && sides[0].countsMembers:
      return PredicateFormat.Operand.counting(sides[0]).term(of: entity, type, context)
    case .function(let name, let sides):
      guard let operation = PredicateFormat.Operand.operations[name],
        !sides.contains(where: { $0.isMany(of: entity, context) })
      else { misuse("the function '\(name)' is not simulated in a store") }
      return .computed(operation, sides.map { $0.term(of: entity, nil, context) })
    case .variable(let name, _): misuse("the variable '$\(name)' of a predicate has no value")
    case .list(let sides): return .list(sides.map { $0.term(of: entity, type, context) })
    case .value(let value): return .of(value, type, context)
    }
  }

  /// A Boolean value that indicates whether a store can count this side with `count:`.
  private var countsMembers: Bool {
    switch self {
    case .members, .path: true
    default: false
    }
  }

  /// Returns the `@count` form of a side that is the argument of `count:`.
  private static func counting(_ side: PredicateFormat.Operand) -> PredicateFormat.Operand {
    switch side {
    case .members(let path, let variable, let format): .subquery(path, variable, format)
    case .path(let keys): .count(keys)
    default: preconditionFailure("\(side.text) is counted")
    }
  }

  private static let operations: [String: PredicateTree.Operation] = [
    "add:to:": .plus, "from:subtract:": .minus, "multiply:by:": .times, "length:": .length,
  ]

  private func toMany(
    _ keys: [String], _ word: String, of entity: EntityID, _ context: NSManagedObjectContext
  ) -> [PropertyID] {
    let path = properties(keys, of: entity, context)
    guard context.run.model.end(of: path, from: entity)?.property.isToMany == true else {
      misuse("\(word) requires a to-many relationship: '\(keys.joined(separator: "."))'")
    }
    return path
  }
}

extension PredicateTree.Term {
  /// Converts a value to the type of the attribute that it is compared with, or to an object.
  fileprivate static func of(
    _ value: Any?, _ type: AttributeType?, _ context: NSManagedObjectContext
  ) -> PredicateTree.Term {
    guard let value, !(value is NSNull) else { return .value(.null) }
    if let object = value as? NSManagedObject { return .object(object.handle) }
    if let id = value as? NSManagedObjectID { return .object(context.object(for: id.id).handle) }
    if let type {
      let converted = context.converted(value, to: type)
      // Comparing an integer attribute with a fraction must not round the fraction.
      if type.isInteger, let number = number(converted) { return .value(number) }
      return .value(context.state.value(of: converted, type))
    }
    if let number = number(value) { return .value(number) }
    misuse("\(value) is compared with something other than an attribute")
  }

  private static func number(_ value: Any) -> Value? {
    guard !(value is Bool), !(value is NSDecimalNumber) else { return nil }
    if let number = value as? any BinaryInteger {
      return .integer(Int64(truncatingIfNeeded: number))
    }
    guard let number = PredicateFormat.number(value) else { return nil }
    return Int64(exactly: number).map { .integer($0) } ?? .number(number)
  }
}

extension AttributeType {
  fileprivate var isInteger: Bool {
    switch self {
    case .integer16, .integer32, .integer64: true
    default: false
    }
  }
}
