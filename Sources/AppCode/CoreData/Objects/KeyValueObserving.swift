public import Foundation
import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The values that an observer of a property is called with, and when it is called.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
  /// The bits of the option set.
  public let rawValue: UInt
  /// Creates an option set from its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }
  /// The observer receives the value after the change.
  public static let new = NSKeyValueObservingOptions(rawValue: 1)
  /// The observer receives the value before the change.
  public static let old = NSKeyValueObservingOptions(rawValue: 2)
  /// The observer is also called immediately after registration.
  public static let initial = NSKeyValueObservingOptions(rawValue: 4)
  /// The observer is also called before each change. Traps for a change that code does not make
  /// itself, such as a merge.
  public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}

/// The kind of a change.
public enum NSKeyValueChange: UInt, Sendable {
  /// The property was set.
  case setting = 1
  /// Members were added to a to-many relationship.
  case insertion = 2
  /// Members were removed from a to-many relationship.
  case removal = 3
  /// Members of a to-many relationship were replaced.
  case replacement = 4
}

/// The kind of a change of a set by the members of another set.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
  /// The members are added.
  case union = 1
  /// The members are removed.
  case minus = 2
  /// All other members are removed.
  case intersect = 3
  /// The members replace the set.
  case set = 4
}

/// A change that an observer is called with.
public struct NSKeyValueObservedChange<Value> {
  /// The kind of a change.
  public typealias Kind = NSKeyValueChange
  /// The kind of the change. It is `setting` unless members of a to-many relationship were added,
  /// removed or replaced.
  public let kind: Kind
  /// The value after the change or the added members, if requested.
  public let newValue: Value?
  /// The value before the change or the removed members, if requested.
  public let oldValue: Value?
  /// The indexes of changed members of an ordered relationship, or `nil` for other changes.
  public let indexes: IndexSet?
  /// A Boolean value that indicates whether the observer is called before the change.
  public let isPrior: Bool

  init(_ change: ObservedChange, _ value: (Any) -> Value?) {
    (kind, indexes, isPrior) = (change.kind, change.indexes, change.isPrior)
    (newValue, oldValue) = (change.new.flatMap(value), change.old.flatMap(value))
  }
}

/// An observation that lasts until it is invalidated or deallocated.
public final class NSKeyValueObservation: NSObject {
  private let end: () -> Void

  fileprivate convenience init(_ observation: any KeyValueObservation, _ state: RunState) {
    state.keyValueObservations.append(observation)
    self.init { state.keyValueObservations.removeAll { $0 === observation } }
  }

  init(_ end: @escaping () -> Void) { self.end = end }

  deinit { invalidate() }

  /// Ends the observation.
  public func invalidate() { end() }
}

/// An object whose properties can be observed.
public protocol SimulatedObservable: NSManagedObject {}

extension NSManagedObject: SimulatedObservable {}

extension SimulatedObservable {
  /// Calls `changeHandler` on the context's queue after each change of a property.
  ///
  /// The handler is called each time code sets the property, even to an equal value. It is also
  /// called when an undo, a refresh, a merge or the inverse of a relationship changes the property.
  /// For a computed property, it is called when one of the properties that the getter reads has
  /// changed.
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let observation = PropertyObservation(
      self, keys: NSSortDescriptor.keys(of: keyPath), options, value: { $0[keyPath: keyPath] }
    ) { object, change in
      changeHandler(object, NSKeyValueObservedChange(change) { ManagedValue.observed($0) })
    }
    observation.begin()
    return NSKeyValueObservation(observation, state)
  }
}

extension NSManagedObjectContext {
  /// Calls `changeHandler` when `hasChanges` changes. The handler must not touch the context. Traps
  /// for other key paths.
  public func observe<Value>(
    _ keyPath: KeyPath<NSManagedObjectContext, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler:
      @escaping (NSManagedObjectContext, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    guard keyPath as AnyKeyPath == \NSManagedObjectContext.hasChanges else {
      misuse("only the property hasChanges of a context can be observed")
    }
    let observation = ContextObservation(self, options) { context, change in
      changeHandler(context, NSKeyValueObservedChange(change) { $0 as? Value })
    }
    return NSKeyValueObservation(observation, state)
  }
}
