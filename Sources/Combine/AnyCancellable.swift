import CoreData

/// Cancels when it is let go.
public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {
  private var action: (() -> Void)?
  /// By the order in which the run made them: no address decides the order of a set.
  private let number: Int

  /// Calls `cancel` once.
  public init(_ cancel: @escaping () -> Void) {
    action = cancel
    number = RunOfCode.nextNumber() ?? 0
  }

  /// Cancels `canceller` once.
  public convenience init<C: Cancellable>(_ canceller: C) { self.init(canceller.cancel) }

  deinit { cancel() }

  /// Cancels now.
  public func cancel() {
    let action = action
    self.action = nil
    action?()
  }

  /// Holds for one instance only.
  public static func == (a: AnyCancellable, b: AnyCancellable) -> Bool { a === b }

  /// Outside of a run, the identity is hashed.
  public func hash(into hasher: inout Hasher) {
    if number > 0 { hasher.combine(number) } else { hasher.combine(ObjectIdentifier(self)) }
  }

  /// Keeps it in a set.
  public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

  /// Keeps it in a collection.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable { collection.append(self) }
}

extension Cancellable {
  /// Keeps it in a set.
  public func store(in set: inout Set<AnyCancellable>) { AnyCancellable(cancel).store(in: &set) }

  /// Keeps it in a collection.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable { AnyCancellable(cancel).store(in: &collection) }
}
