import ObjectModel
import Vocabulary

/// Predicates as trees. FE-01 specifies the source of values, and ID-18 specifies which IDs are
/// equal.
extension ReferenceStack {
  /// Evaluates a tree for an unchanged object, by the rows in the stores (FE-01). §predicate-tree
  func holds(
    _ tree: PredicateTree?, _ x: ObjectID, storedUnder coordinator: CoordinatorID,
    comparingRows: Bool
  ) -> Bool {
    guard let tree else { return true }
    let question = Question(place: .stores(coordinator), comparesRows: comparingRows)
    return holds(tree, x, question)
  }

  /// Evaluates a tree for a changed object, by its context (FE-01). §predicate-tree
  func holds(_ tree: PredicateTree?, _ x: ObjectID, shownIn c: ContextID) -> Bool {
    guard let tree else { return true }
    return holds(tree, x, Question(place: .context(c), comparesRows: !rowHasTwoInstances))
  }

  /// Computes a term for a row, by stored values. §batch.5.1
  func amount(
    of term: PredicateTree.Term, _ x: ObjectID, storedUnder coordinator: CoordinatorID
  ) -> Value {
    let question = Question(place: .stores(coordinator), comparesRows: true)
    return values(of: term, x, question)[0]
  }

  private struct Question {
    enum Place {
      case stores(CoordinatorID)
      case context(ContextID)
    }

    var place: Place
    /// True if two IDs of one row are equal. §same-object
    var comparesRows: Bool
    var options: PredicateTree.Options = []
  }

  /// Evaluates a tree. §predicate-tree, §predicate-comparison
  private func holds(_ tree: PredicateTree, _ x: ObjectID, _ question: Question) -> Bool {
    switch tree {
    case .constant(let answer): return answer
    case .not(let part): return !holds(part, x, question)
    case .and(let parts):
      for part in parts where !holds(part, x, question) { return false }
      return true
    case .or(let parts):
      for part in parts where holds(part, x, question) { return true }
      return false
    case .isOf(let entities): return entities.contains { $0 == x.entity }
    case .matches(let term, let pattern, let options):
      let texts = values(of: term, x, question).compactMap { text($0, []) }
      return texts.contains { ComparedText.is($0, all: pattern, options) }
    case .comparison(let left, let relation, let right, let options, let modifier):
      var question = question
      question.options = options
      let subjects = values(of: left, x, question)
      let operands = values(of: right, x, question)
      guard isMany(left, of: x.entity) else {
        return subjects.contains { fits($0, relation, operands, question) }
      }
      var count = 0
      for subject in subjects {
        // §predicate-comparison.3
        let asked = modifier == nil ? PredicateTree.Relation.equal : relation
        if fits(subject, asked, operands, question) { count += 1 }
      }
      switch modifier {
      case nil, .any: return count > 0
      case .all: return count == subjects.count
      case .some(.none): return count == 0
      }
    }
  }

  // MARK: Values

  /// Computes an operation. The result is nil if an operand is nil, or if the operation does not
  /// take it. §term-values.8, §term-values.9
  private func computed(_ operation: PredicateTree.Operation, _ operands: [Value]) -> Value {
    if operation == .length {
      let length = operands.first.flatMap { self.text($0, [])?.utf16.count }
      return length.map { Value.integer(Int64($0)) } ?? .null
    }
    guard operands.count == 2, let a = operands[0].amount, let b = operands[1].amount else {
      return .null
    }
    if case (.integer(let x), .integer(let y)) = (operands[0], operands[1]) {
      if operation == .plus { return computed(.sum, operands, rowCount: 0) }
      return .integer(operation == .minus ? x &- y : x &* y)
    }
    return .number(operation == .plus ? a + b : operation == .minus ? a - b : a * b)
  }

  /// Returns true if a term leads over a to-many relationship. §predicate-comparison.2
  private func isMany(_ term: PredicateTree.Term, of entity: EntityID) -> Bool {
    guard case .path(let path) = term else { return false }
    return model.end(of: path, from: entity)?.isMany ?? false
  }

  /// Returns the values of a term. Lists and paths over to-many relationships can have several
  /// values. §term-values
  private func values(
    of term: PredicateTree.Term, _ x: ObjectID, _ question: Question
  ) -> [Value] {
    switch term {
    case .value(let value): return [value]
    case .itself: return [.object(x)]
    case .object(let held):
      let id = contexts[held.context.index].binding(held.name)?.id
      return [id.map { .object($0) } ?? .null]
    case .list(let terms): return terms.flatMap { values(of: $0, x, question) }
    case .path(let path): return values(along: path, x, question)
    case .count(let path): return [.integer(Int64(values(along: path, x, question).count))]
    case .countWhere(let path, let tree):
      let members = values(along: path, x, question).compactMap(\.objectID)
      return [.integer(Int64(members.count { holds(tree, $0, question) }))]
    case .aggregate(let function, let path):
      let operands = values(along: path, x, question).filter { !$0.isNull }
      return [computed(function, operands, rowCount: 0)]
    case .computed(let operation, let terms):
      return [computed(operation, terms.flatMap { values(of: $0, x, question) })]
    }
  }

  /// Follows a path, property by property. From nil, a to-one property leads to nil, and a to-many
  /// relationship has no members. §path-values
  private func values(
    along path: [PropertyID], _ x: ObjectID, _ question: Question
  ) -> [Value] {
    var reached = [Value.object(x)]
    var entity = x.entity
    for property in path {
      let isToMany = model[entity][property].isToMany
      entity = model.destination(of: property, from: entity)
      reached = reached.flatMap { value -> [Value] in
        guard let id = value.objectID else { return isToMany ? [] : [.null] }
        let slot = shape(of: property.index, of: id).slot
        return isToMany
          ? members(of: id, slot, question.place).map { .object($0) }
          : [self.value(of: id, slot, question.place)]
      }
    }
    return reached
  }

  /// Returns the value in a slot, as stored or as shown. §path-values.2.4
  private func value(of x: ObjectID, _ slot: Int, _ place: Question.Place) -> Value {
    switch place {
    case .stores(let coordinator):
      storedRow(row(x), under: coordinator)?.snapshot.values[slot] ?? .null
    case .context(let c): values(of: x, in: c)[slot]
    }
  }

  /// Finds the members of a to-many relationship, as stored or as shown. §shown-members
  private func members(of x: ObjectID, _ slot: Int, _ place: Question.Place) -> [ObjectID] {
    guard case .context(let c) = place else {
      guard case .stores(let coordinator) = place else { return [] }
      return storedRow(row(x), under: coordinator)?.snapshot.collections[slot] ?? []
    }
    for level in contexts[c.index].chain {
      guard let known = lookup(x, in: level) else { continue }
      let instance = self[level, known]
      if !instance.isFault, !instance.unfired.contains(slot) { return instance.collections[slot] }
      if instance.isInserted { return [] }
    }
    return members(of: x, slot, .stores(contexts[c.index].coordinator))
  }

  // MARK: Comparing

  /// Compares a value with operands. §compare-values
  private func fits(
    _ value: Value, _ relation: PredicateTree.Relation, _ operands: [Value], _ question: Question
  ) -> Bool {
    switch relation {
    case .isIn: return operands.contains { isEqual(value, $0, question) }
    case .between:
      return operands.count == 2 && isOrdered(operands[0], value, question) { $0 <= 0 }
        && isOrdered(value, operands[1], question) { $0 <= 0 }
    case .equal: return isEqual(value, operands[0], question)
    case .notEqual: return !isEqual(value, operands[0], question)
    case .less: return isOrdered(value, operands[0], question) { $0 < 0 }
    case .lessOrEqual: return isOrdered(value, operands[0], question) { $0 <= 0 }
    case .greater: return isOrdered(value, operands[0], question) { $0 > 0 }
    case .greaterOrEqual: return isOrdered(value, operands[0], question) { $0 >= 0 }
    case .beginsWith, .endsWith, .contains, .like:
      guard let text = self.text(value, question.options),
        let part = self.text(operands[0], question.options)
      else { return false }
      return ComparedText(text).fits(relation, ComparedText(part))
    }
  }

  /// Returns true if two values are equal. Nil equals only nil. §compare-values.4, §same-object
  private func isEqual(_ a: Value, _ b: Value, _ question: Question) -> Bool {
    if a.isNull || b.isNull { return a == b }
    if let x = a.objectID, let y = b.objectID {
      return question.comparesRows ? row(x) == row(y) : x == y
    }
    // Neither of two fractions precedes the other if one is NaN, and they are not equal.
    if case (.number, .number) = (a, b) { return a == b }
    return isOrdered(a, b, question) { $0 == 0 }
  }

  /// Compares the order of two values. Nil has no order. §compare-values.5
  private func isOrdered(
    _ a: Value, _ b: Value, _ question: Question, _ wanted: (Int) -> Bool
  ) -> Bool {
    if a.isNull || b.isNull { return false }
    if a == b { return wanted(0) }
    if !question.options.isEmpty, let x = text(a, question.options),
      let y = text(b, question.options)
    {
      return wanted(x < y ? -1 : x == y ? 0 : 1)
    }
    if a.kindOfNumber != b.kindOfNumber, let x = a.asDouble, let y = b.asDouble {
      return wanted(x < y ? -1 : x == y ? 0 : 1)
    }
    return wanted(order.precedes(a, b) ? -1 : order.precedes(b, a) ? 1 : 0)
  }

  private func text(_ value: Value, _ options: PredicateTree.Options) -> String? {
    guard case .string(let symbol) = value else { return nil }
    return ComparedText.folded(order.symbols.text(of: symbol), options)
  }
}

extension Value {
  /// The kind of a number. Numbers of two kinds are compared by their amounts. §compare-values.4.3
  fileprivate var kindOfNumber: Int? {
    switch self {
    case .boolean: 0
    case .integer: 1
    case .number: 2
    case .date: 3
    case .decimal: 4
    default: nil
    }
  }

  /// The number as an operand of arithmetic.
  fileprivate var amount: Double? {
    switch self {
    case .boolean: nil
    default: asDouble
    }
  }

  fileprivate var asDouble: Double? {
    switch self {
    case .boolean(let flag): flag ? 1 : 0
    case .integer(let number), .date(let number): Double(number)
    case .number(let number): number
    case .decimal: Total([self]).asDouble
    default: nil
    }
  }
}
