import ObjectModel
import Vocabulary

/// How simple a request is to read, and what is simpler.
extension FetchRequest {
  /// How much it says besides its entity, its entity, then what it says.
  var words: [Int] {
    let numbers = [fetchOffset, fetchLimit]
    let result = ResultType.allCases.firstIndex(of: resultType) ?? 0
    let flags = FetchRequest.flags.map { self[keyPath: $0.0] == $0.usual ? 0 : 1 }
    let length =
      2 * predicate.count + sortDescriptors.count + propertiesToFetch.count
      + flags.reduce(0, +) + (result > 0 ? 1 : 0) + (affectedStores == nil ? 0 : 1)
      + numbers.count { $0 > 0 }
    let lists = [
      predicate.flatMap(\.words),
      sortDescriptors.flatMap { [$0.property.index, $0.ascending ? 0 : 1] },
      propertiesToFetch.map(\.index), (affectedStores ?? []).map(\.index),
    ]
    return [length, entity.index] + numbers + flags + [result] + lists.flatMap { [$0.count] + $0 }
  }

  /// Bare, and with one thing less.
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
    for index in predicate.indices {
      add(self) { $0.predicate.remove(at: index) }
      add(self) { $0.predicate[index].relation = .equal }
    }
    add(self) { $0.sortDescriptors = [] }
    for index in sortDescriptors.indices { add(self) { $0.sortDescriptors.remove(at: index) } }
    for index in sortDescriptors.indices {
      add(self) { $0.sortDescriptors[index].ascending = true }
    }
    add(self) { ($0.fetchLimit, $0.fetchOffset) = (0, 0) }
    for (number, now) in [(\FetchRequest.fetchLimit, fetchLimit), (\.fetchOffset, fetchOffset)] {
      for smaller in [0, 1, now / 2, now - 1] where 0..<now ~= smaller {
        add(self) { $0[keyPath: number] = smaller }
      }
    }
    for (flag, usual) in FetchRequest.flags { add(self) { $0[keyPath: flag] = usual } }
    add(self) { $0.resultType = .managedObject }
    add(self) { $0.propertiesToFetch = [] }
    for index in propertiesToFetch.indices { add(self) { $0.propertiesToFetch.remove(at: index) } }
    add(self) { $0.affectedStores = nil }
    return forms
  }

  /// What each is unless something is said.
  private static var flags: [(WritableKeyPath<FetchRequest, Bool>, usual: Bool)] {
    [
      (\.includesPendingChanges, true), (\.returnsObjectsAsFaults, true),
      (\.includesSubentities, true), (\.shouldRefreshRefetchedObjects, false),
    ]
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
