package import Determinism
import ObjectModel

extension [Event] {
  /// Feeds the events into a run's fingerprint.
  package func feed(into digest: inout Digest) {
    for event in self { event.feed(into: &digest) }
  }
}

extension Event {
  /// Inlined so that the loop reads events in place and copies none.
  @inline(__always) fileprivate func feed(into digest: inout Digest) {
    switch self {
    case .value(let value): digest.feed(1, value)
    case .collection(let ids): digest.feed(2, counted: ids)
    case .objects(let ids): digest.feed(3, counted: ids)
    case .count(let count): digest.feed(4, count)
    case .object(let id): digest.feed(5, counted: [id])
    case .nothing: digest.feed(6)
    case .failed(let failure): digest.feed(7, failure)
    case .saved: digest.feed(8)
    case .hook(let hook, let context, let id): digest.feed(9, hook, id, in: context)
    case .awakeFromInsert(let context, let id, let values):
      digest.feed(10, id, in: context)
      for value in values { value.feed(into: &digest) }
    case .hookSet(let context, let id, let property, let value):
      digest.feed(11, id, in: context)
      digest.feed(property.index, value)
    case .objectsDidChange(let context, let sets): digest.feed(12, context.index, sets)
    case .contextWillSave(let context): digest.feed(13, context.index)
    case .didSave(let context, let sets, let number):
      digest.feed(14, context.index, number, sets)
    case .didMergeChanges(let context, let sets): digest.feed(15, context.index, sets)
    case .receive(let context, let id, let received):
      digest.feed(16, id, in: context)
      for item in received { digest.feed(item.property.index, item.value ?? .null) }
    case .becamePermanent(let context, let temporary, let permanent):
      digest.feed(17, counted: [temporary, permanent])
      digest.feed(context.index)
    case .objectIDs(let ids): digest.feed(18, counted: ids)
    case .dictionaries(let entity, let rows):
      digest.feed(19, entity.index, rows.count)
      for row in rows { digest.feed(row) }
    case .summaries(let entity, let properties, let aggregates, let rows):
      digest.feed(33, entity.index, rows.count)
      digest.feed(properties, aggregates, rows)
    case .values(let id, let values):
      digest.feed(20, counted: [id])
      digest.feed(values)
    case .flag(let flag): digest.feed(21, flag)
    case .uri(let uri): digest.feed(22, uri)
    case .batched(let sets, let number): digest.feed(23, number, sets)
    case .awakeFromSnapshot(let context, let id, let cause):
      digest.feed(24, id, in: context)
      digest.feed(cause.rawValue)
    case .didSaveObjectIDs(let context, let sets, let number):
      digest.feed(25, context.index, number, sets)
    case .saveRequest(let coordinator, let sets): digest.feed(26, coordinator.index, sets)
    case .willRemoveStore(let coordinator, let store):
      digest.feed(27, coordinator.index, store.index)
    case .storesDidChange(let coordinator, let added, let removed):
      digest.feed(28, coordinator.index)
      digest.feed(added)
      digest.feed(removed)
    case .sections(let controller, let sections): digest.feed(30, controller.index, sections)
    case .controllerDidChangeContent(let controller, let changes):
      digest.feed(32, controller.index, changes.count)
      for change in changes { change.feed(into: &digest) }
    }
  }
}

extension Hook {
  /// The prepared names of hooks, indexed by `number`.
  fileprivate static let texts = PreparedTexts(allCases.map(\.rawValue))

  /// The position of the hook among all cases.
  fileprivate var number: Int {
    switch self {
    case .awakeFromInsert: 0
    case .awakeFromFetch: 1
    case .prepareForDeletion: 2
    case .willSave: 3
    case .didSave: 4
    case .willTurnIntoFault: 5
    case .didTurnIntoFault: 6
    case .resolveConflicts: 7
    }
  }
}

/// Feeds numbers, followed by the operands of an event.
extension Digest {
  fileprivate mutating func feed(_ first: Int, _ second: Int) {
    feed(first)
    feed(second)
  }

  fileprivate mutating func feed(_ first: Int, _ second: Int, _ third: Int) {
    feed(first, second)
    feed(third)
  }

  fileprivate mutating func feed(
    _ number: Int, _ hook: Hook, _ id: ObjectID, in context: ContextID
  ) {
    feed(number)
    Hook.texts.feed(hook.number, into: &self)
    feed(context.index)
    feed(id.word)
  }

  fileprivate mutating func feed(
    _ properties: [PropertyID], _ aggregates: [Aggregate], _ rows: [[Value]]
  ) {
    for property in properties { feed(property.index) }
    for aggregate in aggregates {
      feed(aggregate.function.rawValue)
      feed(aggregate.property?.index ?? -1)
    }
    for value in rows.joined() { value.feed(into: &self) }
  }

  fileprivate mutating func feed(_ number: Int, _ flag: Bool) {
    feed(number)
    feed(flag)
  }

  fileprivate mutating func feed(_ number: Int, _ text: String) {
    feed(number)
    feed(text)
  }

  fileprivate mutating func feed(_ number: Int, _ failure: Failure) {
    feed(number)
    failure.feed(into: &self)
  }

  fileprivate mutating func feed(_ number: Int, _ id: ObjectID, in context: ContextID) {
    feed(number, counted: [id])
    feed(context.index)
  }

  fileprivate mutating func feed(_ number: Int, _ value: Value) {
    feed(number)
    value.feed(into: &self)
  }

  fileprivate mutating func feed(_ first: Int, _ second: Int, _ sets: ChangeSets) {
    feed(first, second)
    sets.feed(into: &self)
  }

  fileprivate mutating func feed(_ first: Int, _ second: Int, _ third: Int, _ sets: ChangeSets) {
    feed(first, second, third)
    sets.feed(into: &self)
  }

  fileprivate mutating func feed(_ first: Int, _ second: Int, _ sections: [ResultsSection]) {
    feed(first, second)
    for section in sections {
      section.name.feed(into: &self)
      feed(31, counted: section.objects)
    }
  }

  fileprivate mutating func feed(_ number: Int, counted ids: [ObjectID]) {
    feed(number, ids.count)
    for id in ids { feed(id.word) }
  }

  fileprivate mutating func feed(_ values: [PropertyValue]) {
    feed(values.count)
    for item in values { feed(item.property.index, item.value) }
  }

  fileprivate mutating func feed(_ contents: [PropertyContent]) {
    feed(contents.count)
    for content in contents {
      feed(content.property.index, content.value)
      if let collection = content.collection { feed(29, counted: collection) }
    }
  }

  fileprivate mutating func feed(_ stores: [StoreID]) {
    feed(stores.count)
    for store in stores { feed(store.index) }
  }
}

extension ResultsChange {
  func feed(into digest: inout Digest) {
    func feed(_ kind: Int, _ id: ObjectID, _ paths: [IndexPath]) {
      digest.feed(kind)
      digest.feed(id.word)
      for path in paths {
        digest.feed(path.section)
        digest.feed(path.item)
      }
    }
    switch self {
    case .deleteSection(let index):
      digest.feed(1)
      digest.feed(index)
    case .insertSection(let index):
      digest.feed(2)
      digest.feed(index)
    case .delete(let id, from: let path): feed(3, id, [path])
    case .insert(let id, to: let path): feed(4, id, [path])
    case .move(let id, from: let old, to: let new): feed(5, id, [old, new])
    case .update(let id, at: let path): feed(6, id, [path])
    }
  }
}

extension ChangeSets {
  func feed(into digest: inout Digest) {
    feed(inserted, into: &digest)
    feed(updated, into: &digest)
    feed(deleted, into: &digest)
    feed(refreshed, into: &digest)
    feed(invalidatedAll, into: &digest)
  }

  private func feed(_ ids: [ObjectID], into digest: inout Digest) {
    digest.feed(ids.count)
    for id in ids { digest.feed(id.word) }
  }
}

extension Failure.Issue {
  fileprivate func feed(into digest: inout Digest) {
    digest.feed(code.rawValue)
    digest.feed(object.word)
    digest.feed(property.index, value)
  }
}

extension Failure.Conflict {
  fileprivate func feed(into digest: inout Digest) {
    digest.feed(object.word)
    digest.feed(oldVersion, newVersion)
    for snapshot in [objectSnapshot, cachedSnapshot, persistedSnapshot] {
      digest.feed(snapshot?.count ?? -1)
      for value in snapshot ?? [] { value.feed(into: &digest) }
    }
  }
}

extension Failure.ConstraintConflict {
  fileprivate func feed(into digest: inout Digest) {
    digest.feed(entity.index, constraint.count)
    for property in constraint { digest.feed(property.index) }
    digest.feed(objects.count)
    for object in objects { digest.feed(object.word) }
    digest.feed(databaseObject?.word ?? 0)
  }
}

extension Failure {
  func feed(into digest: inout Digest) {
    switch self {
    case .validation(let issues):
      digest.feed(issues.count)
      for issue in issues { issue.feed(into: &digest) }
    case .mergeConflicts(let conflicts):
      digest.feed(conflicts.count)
      for conflict in conflicts { conflict.feed(into: &digest) }
    case .constraintConflicts(let conflicts):
      digest.feed(conflicts.count)
      for conflict in conflicts { conflict.feed(into: &digest) }
    case .missingObject(let id):
      digest.feed(101)
      digest.feed(id.word)
    case .crossStore(let id, let property):
      digest.feed(102)
      digest.feed(id.word)
      digest.feed(property.index)
    case .inaccessible(let id):
      digest.feed(103)
      digest.feed(id.word)
    case .differentContexts: digest.feed(104)
    case .noContext: digest.feed(105)
    case .noStore(let entity):
      digest.feed(106)
      digest.feed(entity.index)
    case .unreachableStore(let id):
      digest.feed(107)
      digest.feed(id.word)
    case .alreadySaved(let id):
      digest.feed(108)
      digest.feed(id.word)
    case .unsupportedRequest(.batch(let entity)):
      digest.feed(109)
      digest.feed(entity.index)
    case .willSaveLoop(let id):
      digest.feed(110)
      digest.feed(id.word)
    case .wrongQueue(let context):
      digest.feed(111)
      digest.feed(context.index)
    case .unsupportedRequest(.saveChanges): digest.feed(112)
    case .refusedWrite(let store):
      digest.feed(113)
      digest.feed(store.index)
    }
  }
}

extension Value {
  package func feed(into digest: inout Digest) {
    switch self {
    case .null: digest.feed(0)
    case .boolean(let flag): digest.feed(flag ? 2 : 1)
    case .integer(let number): digest.feed(UInt64(bitPattern: number))
    case .number(let number): digest.feed(number.bitPattern)
    case .decimal(let significand, let exponent):
      digest.feed(UInt64(bitPattern: significand))
      digest.feed(Int(exponent))
    case .string(let symbol), .opaque(let symbol): digest.feed(Int(symbol.raw))
    case .date(let seconds): digest.feed(UInt64(bitPattern: seconds))
    case .uuid(let high, let low):
      digest.feed(high)
      digest.feed(low)
    case .object(let id): digest.feed(id.word)
    }
  }
}
