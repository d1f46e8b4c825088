import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// An observer of all properties of an object. The observer is called when the object changes,
/// without the details of the change.
final class ObjectObservation: KeyValueObservation {
  private weak var object: NSManagedObject?
  private let handler: () -> Void
  /// The values that the object last showed, or nil for a fault.
  private var known: Contents?
  /// A Boolean value that indicates whether the observer was called before a change that is not
  /// complete.
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

  /// Calls the observer before code changes a property.
  func announce() {
    guard !isAnnounced, let object, !object.state.run.isInHook else { return }
    isAnnounced = true
    call()
  }

  /// Calls the observer. Reads by the observer do not count as changes.
  private func call() {
    isCalling = true
    handler()
    isCalling = false
  }

  func expectMembers() { announce() }

  func realise() {}

  /// Calls the observer after a change, unless `announce` has already called it for that change.
  /// `isSet` is true if code has set a property.
  func tell(isSet: Bool) {
    if isCalling { return }
    // A primitive value that is being changed is reported after `didChangeValue(forKey:)`.
    if !isSet, !isDue, object?.changingKeys.isEmpty == false { return }
    let before = known
    known = contents
    let wasAnnounced = isAnnounced
    (isAnnounced, isDue) = (false, false)
    // An object that became a fault counts as changed, because a read may show other values.
    guard !wasAnnounced, let before, before != known else { return }
    call()
  }
}

extension SimulatedObservable {
  /// Calls `handler` with the whole value of a property, even if only members of a to-many
  /// relationship change.
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
  /// Calls `handler` before code changes a property, and after other changes to the object. Such
  /// changes come from an undo, a merge, a refresh or the other end of a relationship. The
  /// observation lasts as long as the object.
  package func announceChanges(_ handler: @escaping () -> Void) {
    let observation = ObjectObservation(self, handler)
    state.keyValueObservations.append(observation)
    changeObservation = NSKeyValueObservation { [weak state] in
      state?.keyValueObservations.removeAll { $0 === observation }
    }
  }
}
