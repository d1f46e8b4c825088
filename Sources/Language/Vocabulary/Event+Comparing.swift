import ObjectModel

extension [Event] {
  /// Compares like `==`, but without copying the events.
  package func isSame(as others: [Event]) -> Bool {
    guard count == others.count else { return false }
    for index in indices where !self[index].isSame(as: others[index]) { return false }
    return true
  }
}

extension Event {
  /// Compares like `==`. Inlined so that the most frequent cases are compared in place.
  @inline(__always) fileprivate func isSame(as other: Event) -> Bool {
    switch self {
    case .saved: if case .saved = other { true } else { false }
    case .nothing: if case .nothing = other { true } else { false }
    case .value(let value):
      if case .value(let theirs) = other { value == theirs } else { false }
    case .object(let id):
      if case .object(let theirs) = other { id == theirs } else { false }
    case .flag(let flag):
      if case .flag(let theirs) = other { flag == theirs } else { false }
    case .objects(let ids):
      if case .objects(let theirs) = other { ids == theirs } else { false }
    case .hook(let hook, let context, let id):
      if case .hook(hook, context, id) = other { true } else { false }
    case .awakeFromInsert(let context, let id, let values):
      if case .awakeFromInsert(context, id, let theirs) = other {
        values.isSame(as: theirs)
      } else {
        false
      }
    case .objectsDidChange(let context, let sets):
      if case .objectsDidChange(context, let theirs) = other {
        sets.isSame(as: theirs)
      } else {
        false
      }
    case .contextWillSave(let context):
      if case .contextWillSave(context) = other { true } else { false }
    case .didSave(let context, let sets, let number):
      if case .didSave(context, let theirs, number) = other {
        sets.isSame(as: theirs)
      } else {
        false
      }
    case .didSaveObjectIDs(let context, let sets, let number):
      if case .didSaveObjectIDs(context, let theirs, number) = other {
        sets.isSame(as: theirs)
      } else {
        false
      }
    case .saveRequest(let coordinator, let sets):
      if case .saveRequest(coordinator, let theirs) = other {
        sets.isSame(as: theirs)
      } else {
        false
      }
    case .didMergeChanges(let context, let sets):
      if case .didMergeChanges(context, let theirs) = other {
        sets.isSame(as: theirs)
      } else {
        false
      }
    case .hookSet(let context, let id, let property, let value):
      if case .hookSet(context, id, property, let theirs) = other { value == theirs } else { false }
    case .becamePermanent(let context, let temporary, let permanent):
      if case .becamePermanent(context, temporary, permanent) = other { true } else { false }
    case .receive(let context, let id, let received):
      if case .receive(context, id, let theirs) = other { received == theirs } else { false }
    default: self == other
    }
  }
}

extension ChangeSets {
  fileprivate func isSame(as other: ChangeSets) -> Bool {
    inserted == other.inserted && updated == other.updated && deleted == other.deleted
      && refreshed == other.refreshed && invalidatedAll == other.invalidatedAll
  }
}
