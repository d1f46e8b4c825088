import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// A change as observers of both kinds hear of it.
struct ObservedChange {
  var kind = NSKeyValueChange.setting
  /// Nil unless it was asked for.
  var new: Any?
  /// Likewise.
  var old: Any?
  /// The places of members of an ordered relationship: of the new ones, or of those that went.
  var indexes: IndexSet?
  /// Whether the change is still to come.
  var isPrior = false
}

/// An observer of a property.
protocol KeyValueObservation: AnyObject {
  /// Whether it is about this object and this key.
  func observes(_ key: String, of object: NSManagedObject) -> Bool
  /// Calls the observer if a value is another, or `isSet`.
  func tell(isSet: Bool)
  /// Whether a property was set, and the observer does not know yet.
  var isDue: Bool { get set }
  /// A property is about to be set: an observer that asked for it is called before, once.
  func announce()
  /// Members of a relationship are about to be added or removed: what there is has to be known.
  func expectMembers()
  /// A merge may have turned the object into a fault: what it shows now has to be known.
  func realise()
  /// The context of the object.
  var context: ContextID? { get }
}

/// What the engine has of a property.
private enum ObservedContent: Equatable {
  case value(Value)
  case members([ObjectID])
}

/// An observer of a property of an object, or of all properties that a getter reads.
final class PropertyObservation<Object: NSManagedObject>: KeyValueObservation {
  private weak var object: Object?
  /// Of the object; each may be a path over to-one relationships.
  private let paths: [[String]]
  private let options: NSKeyValueObservingOptions
  private let value: (Object) -> Any
  private let handler: (Object, ObservedChange) -> Void
  /// What the engine has at each step of each path; nil where a fault is in the way.
  private var known: [[ObservedContent?]] = []
  private var last: Any?
  var isDue = false
  /// Whether the observer knows that a change is about to come.
  private var isAnnounced = false

  init(
    _ object: Object, keys: [String], _ options: NSKeyValueObservingOptions,
    value: @escaping (Object) -> Any, _ handler: @escaping (Object, ObservedChange) -> Void
  ) {
    if keys.isEmpty { misuse("a property is observed that reads none of the model's") }
    (self.object, self.options, self.value, self.handler) = (object, options, value, handler)
    paths = keys.map { $0.split(separator: ".").map(String.init) }
    let isOfMembers = keys.contains { object.entity.relationshipsByName[$0]?.isToMany == true }
    if options.contains(.prior), isOfMembers {
      misuse("an observer of a to-many relationship is called before a change: not simulated")
    }
  }

  /// Notes what there is and, if that was asked for, calls the observer.
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

  /// The object whose property stands at a place of a path; nil if there is none yet.
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

  /// Nil of a fault: it shows nothing that could have changed. So does a key that the model lacks.
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
    // A primitive value that is being changed is told of at the end.
    if !isSet, paths.contains(where: { $0.count == 1 && object.changingKeys.contains($0[0]) }) {
      return
    }
    let (before, now) = (known, contents)
    let isOther = zip(before, now).contains { old, new in
      // What is behind another object counts as that object's change.
      for (old, new) in zip(old, new) where old != new { return old != nil && new != nil }
      return false
    }
    known = now
    guard isSet || isOther else { return }
    if options.contains(.prior), !isAnnounced {
      misuse(
        "an observer with .prior is called before changes that code makes; one by an undo, a "
          + "merge, a refresh, a hook or the other end of a relationship is not simulated")
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
      // Members that only change places are a list of its own.
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
    if options.contains(.prior) { misuse("an observer is called before a change: not simulated") }
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
  /// What `hasChanges` answers with, without an action of the code.
  fileprivate var showsChanges: Bool {
    guard hasStack else { return false }
    // Its first use declares the context, which must not happen while the world is looked at.
    let id = id
    return run.read { $0.hasChanges(id) }
  }
}

extension RunState {
  /// Code is about to set a property.
  func noteChange(of key: String, in object: NSManagedObject) {
    for observation in keyValueObservations where observation.observes(key, of: object) {
      observation.announce()
      observation.isDue = true
    }
  }

  /// Code is about to change a primitive value.
  func announceChange(of key: String, in object: NSManagedObject) {
    for observation in keyValueObservations where observation.observes(key, of: object) {
      observation.announce()
    }
  }

  /// Code is about to add members to a relationship, or to remove some.
  func noteMembersWillChange(of key: String, in object: NSManagedObject) {
    for observation in keyValueObservations where observation.observes(key, of: object) {
      observation.expectMembers()
    }
  }

  /// Reads what an observer is called with: a read lets the context tell of changes, and observers
  /// that come later would be called first.
  func readForObserver<Result>(_ body: () -> Result) -> Result {
    let outer = isReadingForObserver
    isReadingForObserver = true
    defer { isReadingForObserver = outer }
    return body()
  }

  /// True if something of a context is observed that these events may have changed.
  func hasKeyValueObservers(of events: [Event]) -> Bool {
    guard !keyValueObservations.isEmpty else { return false }
    let contexts = events.compactMap(\.postingContext)
    return keyValueObservations.contains { $0.context.map(contexts.contains) ?? false }
  }

  /// Calls the observers of what has changed. Those that begin meanwhile are not called.
  func tellKeyValueObservers() {
    guard !keyValueObservations.isEmpty, !run.isInHook, !isReadingForObserver else { return }
    for observation in keyValueObservations
    where observation.context.map({ run.hasQueue(of: $0) }) ?? false {
      observation.tell(isSet: false)
    }
  }

  /// Calls the observers of what a merge has changed. An object that it has turned into a fault
  /// fires, as observers read the new value.
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
