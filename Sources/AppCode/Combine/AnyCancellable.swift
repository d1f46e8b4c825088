import CoreData

/// A cancellable object that cancels when it is deallocated.
public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {
  private var action: (() -> Void)?
  /// The number of the instance in order of creation within the run. Memory addresses do not affect
  /// the order of a set.
  private let number: Int

  /// Creates an object that calls `cancel` once.
  public init(_ cancel: @escaping () -> Void) {
    action = cancel
    number = RunOfCode.nextNumber() ?? 0
  }

  /// Creates an object that cancels `canceller` once.
  public convenience init<C: Cancellable>(_ canceller: C) { self.init(canceller.cancel) }

  deinit { cancel() }

  /// Cancels the activity.
  public func cancel() {
    let action = action
    self.action = nil
    action?()
  }

  /// Returns whether two references refer to the same instance.
  public static func == (a: AnyCancellable, b: AnyCancellable) -> Bool { a === b }

  /// Hashes the number of the instance, or its identity outside of a run.
  public func hash(into hasher: inout Hasher) {
    if number > 0 { hasher.combine(number) } else { hasher.combine(ObjectIdentifier(self)) }
  }

  /// Stores the object in a set.
  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

  /// Stores the object in a collection.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable { collection.append(self) }
}

extension Cancellable {
  /// Stores the object in a set, so that it is cancelled when it is removed.
  public func store(in set: inout Set<AnyCancellable>) { AnyCancellable(cancel).store(in: &set) }

  /// Stores the object in a collection, so that it is cancelled when it is removed.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable { AnyCancellable(cancel).store(in: &collection) }
}
