public import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// What an observer of a property wants to know.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt
  /// From bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// The value after the change.
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  /// The value before the change.
  public static let old = NSKeyValueObservingOptions(rawValue: 2)
  /// The observer is called at once, too.
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
  /// Not simulated: an observer with it traps.
  public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// How a property has changed.
public enum NSKeyValueChange: UInt, Sendable {
  /// It has another value.
  case setting = 1
  /// Members were added to a relationship; told as `setting` here.
  case insertion = 2
  /// Members were removed from a relationship; likewise.
  case removal = 3
  /// Members were replaced in a relationship; likewise.
  case replacement = 4
}

/// What an observer hears.
public struct NSKeyValueObservedChange<Value> {
  /// How it has changed.
  public typealias Kind = NSKeyValueChange
  /// Always `setting`.
  public let kind: Kind
  /// The value after the change, if it was asked for.
  public let newValue: Value?
  /// The value before the change, if it was asked for.
  public let oldValue: Value?
  /// Never there: what was inserted or removed is not told apart.
  public var indexes: IndexSet? { nil }
  /// Whether the change is still to come: never.
  public var isPrior: Bool { false }
}

/// Lasts until it is invalidated or let go.
public final class NSKeyValueObservation: NSObject {
  private let state: RunState
  private let observation: any KeyValueObservation

  fileprivate init(_ observation: any KeyValueObservation, _ state: RunState) {
    (self.observation, self.state) = (observation, state)
    state.keyValueObservations.append(observation)
  }

  deinit { invalidate() }

  /// Ends it.
  public func invalidate() { state.keyValueObservations.removeAll { $0 === observation } }
}

/// An object whose properties can be observed.
public protocol SimulatedObservable: NSManagedObject {}

extension NSManagedObject: SimulatedObservable {}

extension SimulatedObservable {
  /// Has `changeHandler` called after each change of a property, on the queue of the context: when
  /// code sets it, be it to an equal value, or when an undo, a refresh, a merge or the other end of
  /// a relationship changes it. Of a computed property, whenever one that it reads has changed.
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    if options.contains(.prior) { misuse("an observer is called before a change: not simulated") }
    let observation = Observation(self, keyPath, options, changeHandler)
    if options.contains(.initial) { observation.begin() }
    return NSKeyValueObservation(observation, state)
  }
}

/// An observer of a property of an object.
protocol KeyValueObservation: AnyObject {
  /// Whether it is about this object and this key.
  func observes(_ key: String, of object: NSManagedObject) -> Bool
  /// Calls the observer if a value is another, or `isSet`.
  func tell(isSet: Bool)
  /// Whether a property was set, and the observer does not know yet.
  var isDue: Bool { get set }
  /// The context of the object.
  var context: ContextID? { get }
}

private enum ObservedContent: Equatable {
  case value(Value)
  case members([ObjectID])
}

private final class Observation<Object: NSManagedObject, Result>: KeyValueObservation {
  private weak var object: Object?
  private let keyPath: KeyPath<Object, Result>
  private let keys: [String]
  private let options: NSKeyValueObservingOptions
  private let handler: (Object, NSKeyValueObservedChange<Result>) -> Void
  /// What the engine has of the keys.
  private var known: [ObservedContent]?
  private var last: Result?
  var isDue = false

  init(
    _ object: Object, _ keyPath: KeyPath<Object, Result>, _ options: NSKeyValueObservingOptions,
    _ handler: @escaping (Object, NSKeyValueObservedChange<Result>) -> Void
  ) {
    (self.object, self.keyPath, self.options, self.handler) = (object, keyPath, options, handler)
    keys = NSSortDescriptor.keys(of: keyPath)
    if keys.isEmpty { misuse("a property is observed that reads none of the model's") }
    if options.contains(.old) { last = object[keyPath: keyPath] }
    known = contents
  }

  var context: ContextID? { object?.owner?.id }

  func observes(_ key: String, of object: NSManagedObject) -> Bool {
    self.object === object && keys.contains(key)
  }

  func begin() {
    guard let object else { return }
    let value = options.contains(.new) ? object[keyPath: keyPath] : nil
    handler(object, NSKeyValueObservedChange(kind: .setting, newValue: value, oldValue: nil))
  }

  /// Nil of a fault: it shows nothing that could have changed.
  private var contents: [ObservedContent]? {
    guard let object, let view = object.shownValues else { return nil }
    let entity = object.state.run.model[view.id.entity]
    return keys.compactMap { key -> ObservedContent? in
      guard let property = entity.property(named: key).map({ entity[$0] }) else { return nil }
      return property.isToMany
        ? .members(view.collections[property.slot]) : .value(view.values[property.slot])
    }
  }

  func tell(isSet: Bool) {
    let isSet = isSet || isDue
    isDue = false
    guard let object, let now = contents else { return }
    let isOther = known.map { $0 != now } ?? false
    known = now
    guard isSet || isOther else { return }
    let old = last
    let new = options.isDisjoint(with: [.new, .old]) ? nil : object[keyPath: keyPath]
    if options.contains(.old) { last = new }
    handler(
      object,
      NSKeyValueObservedChange(
        kind: .setting, newValue: options.contains(.new) ? new : nil,
        oldValue: options.contains(.old) ? old : nil))
  }
}

extension RunState {
  /// Code is about to set a property.
  func noteChange(of key: String, in object: NSManagedObject) {
    for observation in keyValueObservations where observation.observes(key, of: object) {
      observation.isDue = true
    }
  }

  /// Calls the observers of what has changed. Those that begin meanwhile are not called.
  func tellKeyValueObservers() {
    guard !keyValueObservations.isEmpty, !run.isInHook else { return }
    for observation in keyValueObservations
    where observation.context.map({ run.hasQueue(of: $0) }) ?? false {
      observation.tell(isSet: false)
    }
  }

  /// Calls the observers of a key of an object.
  func tellKeyValueObservers(of key: String, in object: NSManagedObject) {
    for observation in keyValueObservations where observation.observes(key, of: object) {
      observation.tell(isSet: true)
    }
  }
}
