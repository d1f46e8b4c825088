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
    }
  }

  private func feed(_ kind: Int, _ ids: [ObjectID], into digest: inout Digest) {
    digest.feed(kind)
    digest.feed(ids.count)
    for id in ids { digest.feed(id.word) }
  }
}

extension ChangeSets {
  func feed(into digest: inout Digest) {
    for ids in [inserted, updated, deleted, refreshed, invalidatedAll] {
      digest.feed(ids.count)
      for id in ids { digest.feed(id.word) }
    }
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
      }
    case .mergeConflicts(let conflicts):
      digest.feed(conflicts.count)
      for conflict in conflicts {
        digest.feed(conflict.object.word)
        digest.feed(conflict.oldVersion)
        digest.feed(conflict.newVersion)
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
