import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// An observer of all properties of an object, which is told that it changes and not how.
final class ObjectObservation: KeyValueObservation {
  private weak var object: NSManagedObject?
  private let handler: () -> Void
  /// The values that the object showed last; nil of a fault.
  private var known: Contents?
  /// The observer has been told of a change that is not complete.
  private var isAnnounced = false
  private var isCalling = false
  var isDue = false

  private struct Contents: Equatable {
    let values: [Value]
    let collections: [[ObjectID]]
  }

  init(_ object: NSManagedObject, _ handler: @escaping () -> Void) {
    (self.object, self.handler) = (object, handler)
    known = contents
  }

  private var contents: Contents? {
    object?.shownValues.map {
      Contents(values: Array($0.values), collections: $0.collections.map { Array($0) })
    }
  }

  var context: ContextID? { object?.owner?.id }

  func observes(_ key: String, of object: NSManagedObject) -> Bool { object === self.object }

  /// Code is about to change a property.
  func announce() {
    guard !isAnnounced, let object, !object.state.run.isInHook else { return }
    isAnnounced = true
    call()
  }

  /// A read by the observer meanwhile says nothing of the change.
  private func call() {
    isCalling = true
    handler()
    isCalling = false
  }

  func expectMembers() { announce() }

  func realise() {}

  /// Code has changed a property, and the observer knows; or something else has.
  func tell(isSet: Bool) {
    if isCalling { return }
    // A primitive value that is being changed is told of at the end.
    if !isSet, !isDue, object?.changingKeys.isEmpty == false { return }
    let before = known
    known = contents
    let wasAnnounced = isAnnounced
    (isAnnounced, isDue) = (false, false)
    // An object that turns into a fault shows something else when it is read.
    guard !wasAnnounced, let before, before != known else { return }
    call()
  }
}

extension SimulatedObservable {
  /// Has `handler` called with the whole value of a property, be it one of members.
  package func observeValue<Value>(
    of keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions,
    _ handler: @escaping (Value) -> Void
  ) -> NSKeyValueObservation {
    observe(keyPath, options: options) { object, _ in
      handler(object.state.readForObserver { object[keyPath: keyPath] })
    }
  }
}

extension NSManagedObject {
  /// Has `handler` called before code changes a property, and after an undo, a merge, a refresh or
  /// the other end of a relationship has changed one, for as long as the object lives.
  package func announceChanges(_ handler: @escaping () -> Void) {
    let observation = ObjectObservation(self, handler)
    state.keyValueObservations.append(observation)
    changeObservation = NSKeyValueObservation { [weak state] in
      state?.keyValueObservations.removeAll { $0 === observation }
    }
  }
}
