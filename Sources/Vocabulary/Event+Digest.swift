package import Determinism
import ObjectModel

/// Feeding what happened into a run's fingerprint, in declared order.
extension Event {
  package func feed(into digest: inout Digest) {
    switch self {
    case .value(let value):
      digest.feed(1)
      value.feed(into: &digest)
    case .collection(let ids): feed(2, ids, into: &digest)
    case .objects(let ids): feed(3, ids, into: &digest)
    case .count(let count):
      digest.feed(4)
      digest.feed(count)
    case .object(let id): feed(5, [id], into: &digest)
    case .nothing: digest.feed(6)
    case .failed(let failure):
      digest.feed(7)
      failure.feed(into: &digest)
    case .saved: digest.feed(8)
    case .hook(let hook, let context, let id):
      digest.feed(9)
      digest.feed(hook.rawValue)
      digest.feed(context.index)
      digest.feed(id.word)
    case .awakeFromInsert(let context, let id, let values):
      feed(10, [id], into: &digest)
      digest.feed(context.index)
      for value in values { value.feed(into: &digest) }
    case .hookSet(let context, let id, let property, let value):
      feed(11, [id], into: &digest)
      digest.feed(context.index)
      digest.feed(property.index)
      value.feed(into: &digest)
    case .objectsDidChange(let context, let sets):
      digest.feed(12)
      digest.feed(context.index)
      sets.feed(into: &digest)
    case .contextWillSave(let context):
      digest.feed(13)
      digest.feed(context.index)
    case .didSave(let context, let sets, let number):
      digest.feed(14)
      digest.feed(context.index)
      digest.feed(number)
      sets.feed(into: &digest)
    case .didMergeChanges(let context, let sets):
      digest.feed(15)
      digest.feed(context.index)
      sets.feed(into: &digest)
    case .receive(let context, let id, let received):
      feed(16, [id], into: &digest)
      digest.feed(context.index)
      for item in received {
        digest.feed(item.property.index)
        (item.value ?? .null).feed(into: &digest)
      }
    case .becamePermanent(let context, let temporary, let permanent):
      feed(17, [temporary, permanent], into: &digest)
      digest.feed(context.index)
    case .sections(let controller, let sections):
      digest.feed(30)
      digest.feed(controller.index)
      for section in sections {
        section.name.feed(into: &digest)
        feed(31, section.objects, into: &digest)
      }
    case .controllerDidChangeContent(let controller, let changes):
      digest.feed(32)
      digest.feed(controller.index)
      digest.feed(changes.count)
      for change in changes { change.feed(into: &digest) }
    case .objectIDs(let ids): feed(18, ids, into: &digest)
    case .dictionaries(let entity, let rows):
      digest.feed(19)
      digest.feed(entity.index)
      digest.feed(rows.count)
      for row in rows { feed(row, into: &digest) }
    case .values(let id, let values):
      feed(20, [id], into: &digest)
      digest.feed(values.count)
      for content in values {
        digest.feed(content.property.index)
        content.value.feed(into: &digest)
        if let collection = content.collection { feed(29, collection, into: &digest) }
      }
    case .flag(let flag):
      digest.feed(21)
      digest.feed(flag)
    case .uri(let uri):
      digest.feed(22)
      digest.feed(uri)
    case .batched(let sets, let number):
      digest.feed(23)
      digest.feed(number)
      sets.feed(into: &digest)
    case .awakeFromSnapshot(let context, let id, let cause):
      feed(24, [id], into: &digest)
      digest.feed(context.index)
      digest.feed(cause.rawValue)
    case .didSaveObjectIDs(let context, let sets, let number):
      digest.feed(25)
      digest.feed(context.index)
      digest.feed(number)
      sets.feed(into: &digest)
    case .saveRequest(let coordinator, let sets):
      digest.feed(26)
      digest.feed(coordinator.index)
      sets.feed(into: &digest)
    case .willRemoveStore(let coordinator, let store):
      digest.feed(27)
      digest.feed(coordinator.index)
      digest.feed(store.index)
    case .storesDidChange(let coordinator, let added, let removed):
      digest.feed(28)
      digest.feed(coordinator.index)
      for stores in [added, removed] {
        digest.feed(stores.count)
        for store in stores { digest.feed(store.index) }
      }
    }
  }

  private func feed(_ values: [PropertyValue], into digest: inout Digest) {
    digest.feed(values.count)
    for item in values {
      digest.feed(item.property.index)
      item.value.feed(into: &digest)
    }
  }

  private func feed(_ kind: Int, _ ids: [ObjectID], into digest: inout Digest) {
    digest.feed(kind)
    digest.feed(ids.count)
    for id in ids { digest.feed(id.word) }
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

extension Failure {
  func feed(into digest: inout Digest) {
    switch self {
    case .validation(let issues):
      digest.feed(issues.count)
      for issue in issues {
        digest.feed(issue.code.rawValue)
        digest.feed(issue.object.word)
        digest.feed(issue.property.index)
        issue.value.feed(into: &digest)
      }
    case .mergeConflicts(let conflicts):
      digest.feed(conflicts.count)
      for conflict in conflicts {
        digest.feed(conflict.object.word)
        digest.feed(conflict.oldVersion)
        digest.feed(conflict.newVersion)
        for snapshot in [
          conflict.objectSnapshot, conflict.cachedSnapshot, conflict.persistedSnapshot,
        ] {
          digest.feed(snapshot?.count ?? -1)
          for value in snapshot ?? [] { value.feed(into: &digest) }
        }
      }
    case .constraintConflicts(let conflicts):
      digest.feed(conflicts.count)
      for conflict in conflicts {
        digest.feed(conflict.entity.index)
        digest.feed(conflict.constraint.count)
        for property in conflict.constraint { digest.feed(property.index) }
        digest.feed(conflict.objects.count)
        for object in conflict.objects { digest.feed(object.word) }
        digest.feed(conflict.databaseObject?.word ?? 0)
      }
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
