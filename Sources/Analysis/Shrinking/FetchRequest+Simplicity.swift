import ObjectModel
import Vocabulary

/// The order of fetch requests by simplicity, and simpler forms of a request.
extension FetchRequest {
  /// Numbers that compare requests by simplicity. The length of the request comes first, then its
  /// entity, and then its other parts.
  var words: [Int] {
    let numbers = [fetchOffset, fetchLimit]
    let result = ResultType.allCases.firstIndex(of: resultType) ?? 0
    let flags = FetchRequest.flags.map { self[keyPath: $0.0] == $0.usual ? 0 : 1 }
    var length = 2 * predicate.count + (tree?.weight ?? 0) + flags.reduce(0, +)
    for descriptor in sortDescriptors { length += descriptor.keyPath.count }
    length += propertiesToFetch.count + 2 * aggregates.count + propertiesToGroupBy.count
    length += (result > 0 ? 1 : 0) + (affectedStores == nil ? 0 : 1) + numbers.count { $0 > 0 }
    var lists: [[Int]] = [predicate.flatMap(\.words)]
    lists.append(sortDescriptors.flatMap(\.words))
    lists.append(propertiesToFetch.map(\.index))
    lists.append((affectedStores ?? []).map(\.index))
    lists.append(aggregates.flatMap(\.words))
    lists.append(propertiesToGroupBy.map(\.index))
    return [length, entity.index] + numbers + flags + [result] + lists.flatMap { [$0.count] + $0 }
  }

  /// The bare request, and the request with one part removed or simplified.
  var simplerForms: [FetchRequest] {
    var forms: [FetchRequest] = []
    func add(_ form: FetchRequest, _ change: (inout FetchRequest) -> Void) {
      var form = form
      change(&form)
      if form != self, !forms.contains(form) { forms.append(form) }
    }
    let bare = FetchRequest(entity: entity)
    add(bare) { _ in }
    add(bare) { $0.returnsObjectsAsFaults = returnsObjectsAsFaults }
    add(bare) {
      $0.returnsObjectsAsFaults = returnsObjectsAsFaults
      $0.resultType = resultType
    }
    add(self) { $0.predicate = [] }
    if let tree {
      add(self) { $0.tree = nil }
      for simpler in tree.simplerForms {
        let parts = simpler.split
        add(self) {
          $0.predicate += parts.comparisons
          $0.tree = parts.tree
        }
      }
    }
    for index in predicate.indices {
      add(self) { $0.predicate.remove(at: index) }
      add(self) { $0.predicate[index].relation = .equal }
    }
    add(self) { $0.sortDescriptors = [] }
    for index in sortDescriptors.indices { add(self) { $0.sortDescriptors.remove(at: index) } }
    for index in sortDescriptors.indices {
      add(self) { $0.sortDescriptors[index].ascending = true }
      add(self) { $0.sortDescriptors[index].furtherKeys = [] }
    }
    add(self) { ($0.fetchLimit, $0.fetchOffset) = (0, 0) }
    for (number, now) in [(\FetchRequest.fetchLimit, fetchLimit), (\.fetchOffset, fetchOffset)] {
      for smaller in [0, 1, now / 2, now - 1] where 0..<now ~= smaller {
        add(self) { $0[keyPath: number] = smaller }
      }
    }
    for (flag, usual) in FetchRequest.flags { add(self) { $0[keyPath: flag] = usual } }
    add(self) {
      $0.resultType = .managedObject
      ($0.propertiesToFetch, $0.propertiesToGroupBy, $0.aggregates) = ([], [], [])
      $0.returnsDistinctResults = false
    }
    add(self) { ($0.propertiesToFetch, $0.propertiesToGroupBy, $0.aggregates) = ([], [], []) }
    for index in aggregates.indices { add(self) { $0.aggregates.remove(at: index) } }
    for property in propertiesToGroupBy {
      add(self) {
        $0.propertiesToFetch.removeAll { $0 == property }
        $0.propertiesToGroupBy.removeAll { $0 == property }
      }
    }
    add(self) { $0.propertiesToFetch = [] }
    for index in propertiesToFetch.indices { add(self) { $0.propertiesToFetch.remove(at: index) } }
    add(self) { $0.affectedStores = nil }
    return forms
  }

  /// The flags of a request, each with its default value.
  private static var flags: [(WritableKeyPath<FetchRequest, Bool>, usual: Bool)] {
    [
      (\.includesPendingChanges, true), (\.returnsObjectsAsFaults, true),
      (\.includesSubentities, true), (\.shouldRefreshRefetchedObjects, false),
      (\.returnsDistinctResults, false),
    ]
  }
}

extension FetchRequest.SortDescriptor {
  fileprivate var words: [Int] { keyPath.map(\.index) + [ascending ? 0 : 1] }
}

extension Aggregate {
  fileprivate var words: [Int] {
    [Function.allCases.firstIndex(of: function) ?? 0, property.map { $0.index + 1 } ?? 0]
  }
}

extension Comparison {
  fileprivate var words: [Int] {
    let relation = Relation.allCases.firstIndex(of: relation) ?? 0
    let operand =
      switch operand {
      case .value(let value): [0] + value.words
      case .object(let reference): [1, reference.context.index, reference.name.index]
      }
    return [property.index, relation] + operand
  }
}

extension PredicateTree {
  /// The length of the tree in a request. A tree counts more than a plain comparison.
  fileprivate var weight: Int {
    switch self {
    case .constant: 1
    case .isOf(let entities): 2 + entities.count
    case .matches(let term, _, let options):
      3 + term.paths.reduce(0) { $0 + $1.count } + (options.isEmpty ? 0 : 1)
    case .and(let parts), .or(let parts): parts.reduce(1) { $0 + $1.weight }
    case .not(let part): 1 + part.weight
    case .comparison(let left, _, let right, let options, let modifier):
      3 + (left.paths + right.paths).reduce(0) { $0 + $1.count } + (modifier == nil ? 0 : 1)
        + (options.isEmpty ? 0 : 1) + right.length
    }
  }

  /// A single part of the tree, or the tree without a part, without options, or with a simplified
  /// part.
  var simplerForms: [PredicateTree] {
    switch self {
    case .constant, .isOf, .matches: return []
    case .not(let part): return [part] + part.simplerForms.map { .not($0) }
    case .and(let parts): return parts + PredicateTree.shorter(parts).map { .and($0) }
    case .or(let parts): return parts + PredicateTree.shorter(parts).map { .or($0) }
    case .comparison(let left, let relation, let right, let options, let modifier):
      var forms: [PredicateTree] = []
      if !options.isEmpty { forms.append(.comparison(left, relation, right, [], modifier)) }
      if case .list(let terms) = right, relation == .isIn, !terms.isEmpty {
        forms.append(.comparison(left, relation, .list(terms.dropLast()), options, modifier))
      }
      return forms
    }
  }

  private static func shorter(_ parts: [PredicateTree]) -> [[PredicateTree]] {
    parts.indices.flatMap { index -> [[PredicateTree]] in
      let left = parts.enumerated().filter { $0.offset != index }.map(\.element)
      return [left]
        + parts[index].simplerForms.map { simpler in
          var changed = parts
          changed[index] = simpler
          return changed
        }
    }
  }
}

extension PredicateTree.Term {
  fileprivate var length: Int { if case .list(let terms) = self { terms.count } else { 0 } }
}
