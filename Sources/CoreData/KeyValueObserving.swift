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
  /// The observer is called before a change, too. Changes that code itself does not make trap.
  public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// How a property has changed.
public enum NSKeyValueChange: UInt, Sendable {
  /// It has another value.
  case setting = 1
  /// Members were added to a to-many relationship.
  case insertion = 2
  /// Members were removed from a to-many relationship.
  case removal = 3
  /// Members took the place of others in a to-many relationship.
  case replacement = 4
}

/// How a set is changed by other objects.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
  /// They are added.
  case union = 1
  /// They are removed.
  case minus = 2
  /// All others are removed.
  case intersect = 3
  /// They take the place of all.
  case set = 4
}

/// What an observer hears.
public struct NSKeyValueObservedChange<Value> {
  /// How it has changed.
  public typealias Kind = NSKeyValueChange
  /// `setting`, unless members of a to-many relationship were added or removed.
  public let kind: Kind
  /// The value after the change, or the members that were added, if it was asked for.
  public let newValue: Value?
  /// The value before the change, or the members that were removed, if it was asked for.
  public let oldValue: Value?
  /// The places of members that were added to an ordered relationship, or removed; nil of others.
  public let indexes: IndexSet?
  /// Whether the change is still to come.
  public let isPrior: Bool

  init(_ change: ObservedChange, _ value: (Any) -> Value?) {
    (kind, indexes, isPrior) = (change.kind, change.indexes, change.isPrior)
    (newValue, oldValue) = (change.new.flatMap(value), change.old.flatMap(value))
  }
}

/// Lasts until it is invalidated or let go.
public final class NSKeyValueObservation: NSObject {
  private let end: () -> Void

  fileprivate convenience init(_ observation: any KeyValueObservation, _ state: RunState) {
    state.keyValueObservations.append(observation)
    self.init { state.keyValueObservations.removeAll { $0 === observation } }
  }

  init(_ end: @escaping () -> Void) { self.end = end }

  deinit { invalidate() }

  /// Ends it.
  public func invalidate() { end() }
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
    let observation = PropertyObservation(
      self, keys: NSSortDescriptor.keys(of: keyPath), options, value: { $0[keyPath: keyPath] }
    ) { object, change in
      changeHandler(object, NSKeyValueObservedChange(change) { ManagedValue.told($0) })
    }
    observation.begin()
    return NSKeyValueObservation(observation, state)
  }
}

extension NSManagedObjectContext {
  /// Has `changeHandler` called when `hasChanges` becomes true or false. It must not touch the
  /// context.
  public func observe<Value>(
    _ keyPath: KeyPath<NSManagedObjectContext, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler:
      @escaping (NSManagedObjectContext, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    guard keyPath as AnyKeyPath == \NSManagedObjectContext.hasChanges else {
      misuse("of a context, hasChanges alone can be observed")
    }
    let observation = ContextObservation(self, options) { context, change in
      changeHandler(context, NSKeyValueObservedChange(change) { $0 as? Value })
    }
    return NSKeyValueObservation(observation, state)
  }
}
