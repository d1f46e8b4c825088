import ObjectModel
import Vocabulary

extension Step.Kind {
  /// Step kinds, from those that only read to those that affect every context.
  private static let bySimplicity: [Step.Kind] = [
    .get, .fetch, .count, .object, .existingObject, .registeredObject, .objectForURI,
    .hasChanges, .changedValues, .committedValues, .changedValuesForCurrentEvent,
    .hasPersistentChangedValues, .uriRepresentation, .metadata, .insert, .set, .increment,
    .relate, .add, .remove, .replace, .setPrimitive, .delete, .save, .processPendingChanges,
    .tick, .refresh, .refreshAllObjects, .rollback, .reset, .release, .mergeChanges,
    .obtainPermanentIDs, .validate, .detectConflicts, .insertAgain, .assign, .undo, .redo,
    .disableUndoRegistration, .enableUndoRegistration, .performFetch, .mergeRemoteChanges,
    .mergeHistory, .batchUpdate, .batchDelete, .batchInsert, .setMetadata, .executeSaveRequest,
    .policy, .removeStore, .addStore, .destroyStore, .discard, .performAndWait, .perform,
    .dispatchSync, .dispatchAsync,
    .performBackgroundTask, .notify, .directly, .raise, .lower, .enter, .leave, .wait,
    .remember, .forget, .when, .unless, .try, .forEach, .call, .sleep,
    .suspend, .resume,
    .refuseWrite, .kill,
  ]

  /// The rank of this kind of step by simplicity. 0 is the simplest.
  package var simplicityRank: Int {
    guard let rank = Step.Kind.bySimplicity.firstIndex(of: self) else {
      preconditionFailure("'\(rawValue)' has no place in the order of simplicity")
    }
    return rank
  }
}

/// The order of steps by simplicity. The kind of step comes first, then its operands.
extension AddressedStep {
  var rank: Int { step.kind.simplicityRank }

  var rankSum: Int { (step.block ?? []).reduce(rank) { $0 + $1.rankSum } }

  /// Appends numbers that compare steps by simplicity. Some different steps have equal numbers.
  func appendWords(to words: inout [Int]) {
    words.append(rank)
    words.append(context.index)
    if let block = step.block {
      if case .async(let queue, _) = step { words.append(queue.index) }
      if case .sync(let queue, _) = step { words.append(queue.index) }
      if case .when(let condition, _) = step {
        words += condition.words
      }
      if case .notify(let group, _) = step { words.append(group.index) }
      words.append(block.count)
      for inner in block { inner.appendWords(to: &words) }
      return
    }
    var (names, contexts): ([Int], [Int]) = ([], [])
    _ = map(
      name: {
        names.append($0.index)
        return $0
      },
      context: {
        contexts.append($0.index)
        return $0
      })
    words.append(names.count + contexts.count)
    words += names + contexts
    step.appendArguments(to: &words)
  }
}

extension Step {
  fileprivate func appendArguments(to words: inout [Int]) {
    switch self {
    case .insert(let entity, as: _): words.append(entity.index)
    case .increment(_, let property, by: 1): words.append(property.index)
    case .increment(_, let property, by: let amount):
      words += [property.index, Int(clamping: amount)]
    case .get(_, let property, as: _), .relate(_, let property, _),
      .add(_, let property, _), .remove(_, let property, _), .replace(_, let property, _):
      words.append(property.index)
    case .set(_, let property, let value), .setPrimitive(_, let property, let value):
      words.append(property.index)
      words += value.words
    case .fetch(let request, as: _), .count(let request): words += request.words
    case .batch(let request):
      words += [request.predicate.count, request.entity.index, request.valueCount]
      if case .update(let values) = request.kind { words += values.flatMap(\.words) }
      if case .insert(let rows) = request.kind { words += rows.flatMap { $0.flatMap(\.words) } }
    case .refresh(_, mergeChanges: let merges): words.append(merges ? 1 : 0)
    case .mergeChanges(.didSave(_, let ordinal)), .mergeRemoteChanges(.didSave(_, let ordinal)),
      .mergeChanges(.batch(_, let ordinal)), .mergeRemoteChanges(.batch(_, let ordinal)):
      words.append(ordinal)
    case .assign(_, let store), .removeStore(let store), .addStore(let store),
      .metadata(let store):
      words.append(store.index)
    case .destroyStore(let store, let isRecreated): words += [store.index, isRecreated ? 1 : 0]
    case .setMetadata(let store, let number): words += [store.index, number]
    case .refuseWrite(let store, after: let count): words += [store.index, count]
    case .setMergePolicy(let policy):
      words.append(MergePolicy.allCases.firstIndex(of: policy) ?? 0)
    case .setFlag(let flag, _): words.append(flag.index)
    case .enter(let group), .leave(let group), .wait(let group): words.append(group.index)
    case .remember(let set, let objects): words += [set.index, objects.rank]
    case .forget(let set): words.append(set.index)
    case .sleep(let time): words.append(time)
    case .performFetch(let controller): words.append(controller.index)
    case .forEach(let set, let treatment): words += [set.rank, treatment.rank]
    default: break
    }
  }
}

extension Condition {
  /// Numbers that compare conditions. Negation needs no number, because a negated condition has
  /// another verb.
  fileprivate var words: [Int] {
    switch question {
    case .hasChanges: [0]
    case .onMainThread: [1]
    case .offMainThread: [2]
    case .found: [3]
    case .isRaised(let flag): [4, flag.index]
    }
  }
}

extension ObjectSet {
  fileprivate var rank: Int {
    switch self {
    case .inserted: 0
    case .updated: 1
    case .registered: 2
    case .delivered, .saved(_, updatesOnly: false): 3
    case .deliveredUpdates, .saved(_, updatesOnly: true): 4
    case .remembered(let set): 5 + set.index
    }
  }
}

extension Treatment {
  fileprivate var rank: Int {
    switch self {
    case .touch: 0
    case .refresh(let mergeChanges): mergeChanges ? 1 : 2
    case .mark: 3
    case .edit: 4
    case .delete: 5
    }
  }
}

extension BatchRequest {
  /// The number of rows and values in the request.
  var valueCount: Int {
    switch kind {
    case .update(let values): values.count
    case .delete: 0
    case .insert(let rows): rows.reduce(rows.count) { $0 + $1.count }
    }
  }
}

extension PropertyValue {
  fileprivate var words: [Int] { [property.index] + value.words }
}

extension Value {
  /// Numbers that compare values. Generated values come first, by their number, then nil, and then
  /// the values of a model.
  var words: [Int] {
    switch self {
    case .boolean(let flag): [0, flag ? 1 : 0]
    case .integer(let number): [0, number < 0 ? Int.max : Int(number)]
    case .number(let number): [0, Int(exactly: number) ?? .max]
    case .decimal(let significand, let exponent):
      [0, exponent == 0 && significand >= 0 ? Int(significand) : .max]
    case .string(let symbol), .opaque(let symbol):
      symbol.token.map { [0, $0] } ?? [2, Int(symbol.raw)]
    case .date(let seconds): [0, seconds < 0 ? Int.max : Int(seconds)]
    case .uuid(_, let low): [0, Int(clamping: low)]
    case .object: [0, 0]
    case .null: [1, 0]
    }
  }
}
