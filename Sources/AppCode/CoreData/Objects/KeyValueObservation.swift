import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// A change in the form that is passed to observers with a closure and with a method.
struct ObservedChange {
  var kind = NSKeyValueChange.setting
  /// The new value or the added members, or `nil` if they were not requested.
  var new: Any?
  /// The old value or the removed members, or `nil` if they were not requested.
  var old: Any?
  /// The indexes of changed members of an ordered relationship: the new indexes of added members,
  /// or the old indexes of removed and replaced members.
  var indexes: IndexSet?
  /// A Boolean value that indicates whether the observer is called before the change.
  var isPrior = false
}

/// An observer of a property of an object or context.
protocol KeyValueObservation: AnyObject {
  /// Returns a Boolean value that indicates whether the observer observes a key of an object.
  func observes(_ key: String, of object: NSManagedObject) -> Bool
  /// Calls the observer if an observed value has changed or `isSet` is true.
  func tell(isSet: Bool)
  /// A Boolean value that indicates whether a property was set and the observer was not called yet.
  var isDue: Bool { get set }
  /// Called before a property is set. Calls an observer with the `prior` option, once per change.
  func announce()
  /// Called before members of a relationship are added or removed. Records the current members.
  func expectMembers()
  /// Called after a merge. Fires the fault if the merge turned the object into one, so that the new
  /// value can be compared.
  func realise()
  /// The context of the observed object.
  var context: ContextID? { get }
}

/// The engine's content of a property.
private enum ObservedContent: Equatable {
  case value(Value)
  case members([ObjectID])
}

/// An observer of a property of an object, or of all properties that a getter reads.
final class PropertyObservation<Object: NSManagedObject>: KeyValueObservation {
  private weak var object: Object?
  /// The observed key paths from the object. Each may lead over to-one relationships.
  private let paths: [[String]]
  private let options: NSKeyValueObservingOptions
  private let value: (Object) -> Any
  private let handler: (Object, ObservedChange) -> Void
  /// The last known content at each step of each path. The content is `nil` behind a fault.
  private var known: [[ObservedContent?]] = []
  private var last: Any?
  var isDue = false
  /// A Boolean value that indicates whether the observer was called before the current change.
  private var isAnnounced = false

  init(
    _ object: Object, keys: [String], _ options: NSKeyValueObservingOptions,
    value: @escaping (Object) -> Any, _ handler: @escaping (Object, ObservedChange) -> Void
  ) {
    if keys.isEmpty { misuse("the observed property reads no property of the model") }
    (self.object, self.options, self.value, self.handler) = (object, options, value, handler)
    paths = keys.map { $0.split(separator: ".").map(String.init) }
    let isOfMembers = keys.contains { object.entity.relationshipsByName[$0]?.isToMany == true }
    if options.contains(.prior), isOfMembers {
      misuse("the option .prior for an observer of a to-many relationship is not simulated")
    }
  }

  /// Records the current values and calls the observer if it has the `initial` option.
  func begin() {
    guard let object else { return }
    if options.contains(.old) { last = read(object) }
    if options.contains(.initial) {
      handler(object, ObservedChange(new: options.contains(.new) ? read(object) : nil))
    }
    known = contents
  }

  private func read(_ object: Object) -> Any { object.state.readForObserver { value(object) } }

  var context: ContextID? { object?.owner?.id }

  func observes(_ key: String, of object: NSManagedObject) -> Bool {
    paths.contains { path in
      guard let place = path.firstIndex(of: key) else { return false }
      return owner(at: place, of: path) === object
    }
  }

  /// Returns the object whose property is at a position of a path, or `nil` if the path leads to no
  /// object that is loaded.
  private func owner(at place: Int, of path: [String]) -> NSManagedObject? {
    var owner: NSManagedObject? = object
    for key in path.prefix(place) {
      guard let view = owner?.shownValues, let property = owner?.property(key).1,
        !property.isToMany
      else { return nil }
      owner = view.values[property.slot].objectID.flatMap { self.object?.owner?.instances[$0] }
    }
    return owner
  }

  private var contents: [[ObservedContent?]] {
    paths.map { path in
      path.indices.map { place in
        owner(at: place, of: path).flatMap { content(of: path[place], of: $0) }
      }
    }
  }

  /// Returns the content of a property. Returns `nil` for a fault, whose values are unknown, and
  /// for a key that the model lacks.
  private func content(of key: String, of object: NSManagedObject) -> ObservedContent? {
    guard let view = object.shownValues else { return nil }
    let entity = object.state.run.model[view.id.entity]
    guard let property = entity.property(named: key).map({ entity[$0] }) else { return nil }
    return property.isToMany
      ? .members(view.collections[property.slot]) : .value(view.values[property.slot])
  }

  func announce() {
    guard options.contains(.prior), !isAnnounced, let object, !object.state.run.isInHook else {
      return
    }
    isAnnounced = true
    handler(
      object, ObservedChange(old: options.contains(.old) ? read(object) : nil, isPrior: true))
  }

  func realise() {
    guard known.contains(where: { $0.contains { $0 != nil } }), let object, object.isFault,
      object.isRegistered
    else { return }
    object.willAccessValue(forKey: nil)
  }

  func expectMembers() {
    guard known.contains(where: { $0.contains(nil) }) else { return }
    object?.willAccessValue(forKey: nil)
    known = contents
  }

  func tell(isSet: Bool) {
    let isSet = isSet || isDue
    isDue = false
    guard let object, object.shownValues != nil else { return }
    // While a primitive value is being changed, `didChangeValue` reports the change.
    if !isSet, paths.contains(where: { $0.count == 1 && object.changingKeys.contains($0[0]) }) {
      return
    }
    let (before, now) = (known, contents)
    let isOther = zip(before, now).contains { old, new in
      // The first step that differs decides. A fault on either side counts as no change.
      for (old, new) in zip(old, new) where old != new { return old != nil && new != nil }
      return false
    }
    known = now
    guard isSet || isOther else { return }
    if options.contains(.prior), !isAnnounced {
      misuse(
        "an observer with the option .prior is simulated only for changes made by code, not by an undo, a "
          + "merge, a refresh, a hook or the inverse of a relationship")
    }
    isAnnounced = false
    let change = change(of: object, isSet: isSet, from: before, to: now)
    if options.contains(.old) { last = read(object) }
    handler(object, change)
  }

  private func change(
    of object: Object, isSet: Bool, from before: [[ObservedContent?]],
    to now: [[ObservedContent?]]
  ) -> ObservedChange {
    var change = ObservedChange()
    if !isSet, paths.count == 1, paths[0].count == 1,
      case .members(let old)?? = before.first?.first,
      case .members(let new)?? = now.first?.first
    {
      let (added, removed) = (
        new.filter { !old.contains($0) }, old.filter { !new.contains($0) }
      )
      let key = paths[0][0]
      // Members that only change places are reported as a new list.
      if added.isEmpty, removed.isEmpty {
        return ObservedChange(
          new: options.contains(.new) ? read(object) : nil,
          old: options.contains(.old) ? last : nil)
      }
      change.kind = removed.isEmpty ? .insertion : added.isEmpty ? .removal : .replacement
      if object.property(key).1.relationship?.isOrdered == true {
        let (list, members) = removed.isEmpty ? (new, added) : (old, removed)
        change.indexes = IndexSet(list.indices.filter { members.contains(list[$0]) })
      }
      func members(_ ids: [ObjectID]) -> Any? {
        object.owner?.members(ids, object.property(key).1)
      }
      if options.contains(.new), !added.isEmpty { change.new = members(added) }
      if options.contains(.old), !removed.isEmpty { change.old = members(removed) }
      return change
    }
    if options.contains(.new) { change.new = read(object) }
    if options.contains(.old) { change.old = last }
    return change
  }
}

/// An observer of a context's `hasChanges`.
final class ContextObservation: KeyValueObservation {
  private weak var observed: NSManagedObjectContext?
  private let options: NSKeyValueObservingOptions
  private let handler: (NSManagedObjectContext, ObservedChange) -> Void
  private var last: Bool
  var isDue = false

  init(
    _ context: NSManagedObjectContext, _ options: NSKeyValueObservingOptions,
    _ handler: @escaping (NSManagedObjectContext, ObservedChange) -> Void
  ) {
    if options.contains(.prior) { misuse("the option .prior of an observer is not simulated") }
    (observed, self.options, self.handler) = (context, options, handler)
    last = context.showsChanges
    guard options.contains(.initial) else { return }
    handler(context, ObservedChange(new: options.contains(.new) ? last : nil))
  }

  var context: ContextID? { observed.flatMap { $0.hasStack ? $0.id : nil } }

  func observes(_ key: String, of object: NSManagedObject) -> Bool { false }

  func announce() {}

  func expectMembers() {}

  func realise() {}

  func tell(isSet: Bool) {
    guard let observed, observed.showsChanges != last else { return }
    let old = last
    last = !old
    handler(
      observed,
      ObservedChange(
        new: options.contains(.new) ? last : nil, old: options.contains(.old) ? old : nil))
  }
}

extension NSManagedObjectContext {
  /// The value of `hasChanges`, read without performing an action.
  fileprivate var showsChanges: Bool {
    guard hasStack else { return false }
    // The first use of `id` declares the context, which must not happen within `read`.
    let id = id
    return run.read { $0.hasChanges(id) }
  }
}

extension RunState {
  /// Called before code sets a property.
  func noteChange(of key: String, in object: NSManagedObject) {
    for observation in keyValueObservations where observation.observes(key, of: object) {
      observation.announce()
      observation.isDue = true
    }
  }

  /// Called before code changes a primitive value.
  func announceChange(of key: String, in object: NSManagedObject) {
    for observation in keyValueObservations where observation.observes(key, of: object) {
      observation.announce()
    }
  }

  /// Called before code adds members to a relationship or removes them.
  func noteMembersWillChange(of key: String, in object: NSManagedObject) {
    for observation in keyValueObservations where observation.observes(key, of: object) {
      observation.expectMembers()
    }
  }

  /// Reads a value for an observer. Meanwhile, observers are not called. A read may let the context
  /// post changes, and observers that are registered later would be called first.
  func readForObserver<Result>(_ body: () -> Result) -> Result {
    let outer = isReadingForObserver
    isReadingForObserver = true
    defer { isReadingForObserver = outer }
    return body()
  }

  /// Returns a Boolean value that indicates whether the events belong to a context in which
  /// something is observed.
  func hasKeyValueObservers(of events: [Event]) -> Bool {
    guard !keyValueObservations.isEmpty else { return false }
    let contexts = events.compactMap(\.postingContext)
    return keyValueObservations.contains { $0.context.map(contexts.contains) ?? false }
  }

  /// Calls the observers of changed values. Observers that are registered meanwhile are not called.
  func tellKeyValueObservers() {
    guard !keyValueObservations.isEmpty, !run.isInHook, !isReadingForObserver else { return }
    for observation in keyValueObservations
    where observation.context.map({ run.hasQueue(of: $0) }) ?? false {
      observation.tell(isSet: false)
    }
  }

  /// Calls the observers of values that a merge has changed. Objects that the merge turned into
  /// faults fire first, because observers read the new values.
  func tellKeyValueObservers(ofMerge events: [Event]) {
    let isMerge = events.contains { if case .didMergeChanges = $0 { true } else { false } }
    for observation in keyValueObservations
    where isMerge && observation.context.map({ run.hasQueue(of: $0) }) ?? false {
      observation.realise()
    }
    tellKeyValueObservers()
  }

  /// Calls the observers of a key of an object.
  func tellKeyValueObservers(of key: String, in object: NSManagedObject) {
    for observation in keyValueObservations where observation.observes(key, of: object) {
      observation.tell(isSet: true)
    }
  }
}
