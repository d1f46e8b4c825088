public import Foundation

/// The order in which a `SortDescriptor` sorts texts.
public struct SimulatedTextOrder: Hashable, Sendable {
  let comparison: TextComparison?

  /// Sorts texts as in lists of files, ignoring case and comparing numbers by value.
  public static let localizedStandard = SimulatedTextOrder(
    comparison: TextComparison { $0.localizedStandardCompare($1) })
  /// Sorts texts by the rules of the current locale.
  public static let localized = SimulatedTextOrder(
    comparison: TextComparison { $0.localizedCompare($1) })
  /// Sorts texts by characters, as stores do.
  public static let lexical = SimulatedTextOrder(comparison: nil)

  fileprivate func compare(_ a: String, _ b: String) -> ComparisonResult {
    comparison?.compare(a as NSString, b) ?? (a as NSString).compare(b)
  }
}

/// Sorts values by a property. Replaces Foundation's `SortDescriptor`, which sorts texts only by
/// characters on Linux.
public struct SimulatedSortDescriptor<Compared>: SortComparator, @unchecked Sendable {
  /// The direction of the sort.
  public var order: SortOrder
  /// The property to sort by.
  public let keyPath: PartialKeyPath<Compared>?
  /// The text order, or nil if the property is not a text.
  let text: SimulatedTextOrder?
  private let comparison: (Compared, Compared) -> ComparisonResult

  private init<Value>(
    _ keyPath: KeyPath<Compared, Value>, _ text: SimulatedTextOrder?, _ order: SortOrder,
    _ compare: @escaping (Value, Value) -> ComparisonResult
  ) {
    (self.keyPath, self.text, self.order) = (keyPath, text, order)
    comparison = { compare($0[keyPath: keyPath], $1[keyPath: keyPath]) }
  }

  /// Compares two optional values. Nil comes first.
  private static func compare<Value>(
    _ a: Value?, _ b: Value?, _ compare: (Value, Value) -> ComparisonResult
  ) -> ComparisonResult {
    switch (a, b) {
    case (nil, nil): .orderedSame
    case (nil, _): .orderedAscending
    case (_, nil): .orderedDescending
    case (let a?, let b?): compare(a, b)
    }
  }

  private static func ascending<Value: Comparable & SendableMetatype>(_ a: Value, _ b: Value)
    -> ComparisonResult
  {
    a < b ? .orderedAscending : b < a ? .orderedDescending : .orderedSame
  }

  /// Creates a descriptor that sorts by a comparable property.
  @_disfavoredOverload
  public init<Value: Comparable & SendableMetatype>(
    _ keyPath: KeyPath<Compared, Value>, order: SortOrder = .forward
  ) { self.init(keyPath, nil, order, SimulatedSortDescriptor.ascending) }

  /// Creates a descriptor that sorts by an optional comparable property. Nil comes first.
  @_disfavoredOverload
  public init<Value: Comparable & SendableMetatype>(
    _ keyPath: KeyPath<Compared, Value?>, order: SortOrder = .forward
  ) {
    self.init(keyPath, nil, order) { a, b in
      SimulatedSortDescriptor.compare(a, b, SimulatedSortDescriptor.ascending)
    }
  }

  /// Creates a descriptor that sorts by a text property. By default, texts are sorted as in lists
  /// of files.
  public init(
    _ keyPath: KeyPath<Compared, String>, comparator: SimulatedTextOrder = .localizedStandard,
    order: SortOrder = .forward
  ) { self.init(keyPath, comparator, order, comparator.compare) }

  /// Creates a descriptor that sorts by an optional text property. Nil comes first.
  public init(
    _ keyPath: KeyPath<Compared, String?>, comparator: SimulatedTextOrder = .localizedStandard,
    order: SortOrder = .forward
  ) {
    self.init(keyPath, comparator, order) { a, b in
      SimulatedSortDescriptor.compare(a, b, comparator.compare)
    }
  }

  /// Creates a descriptor that sorts by a Boolean property. False comes first.
  public init(_ keyPath: KeyPath<Compared, Bool>, order: SortOrder = .forward) {
    self.init(keyPath, nil, order) { a, b in
      a == b ? .orderedSame : b ? .orderedAscending : .orderedDescending
    }
  }

  /// Converts a descriptor of managed objects. Returns nil if it uses an app-defined comparator.
  public init?(_ descriptor: NSSortDescriptor, comparing type: Compared.Type)
  where Compared: NSManagedObject {
    let (key, comparison) = (descriptor.attributeName, descriptor.comparison)
    guard !RunState.current.sortsByComparator else { return nil }
    self.init(
      \Compared[order: key, by: comparison], nil,
      descriptor.ascending ? .forward : .reverse, SimulatedSortDescriptor.ascending)
  }

  /// Returns the order of two values.
  public func compare(_ a: Compared, _ b: Compared) -> ComparisonResult {
    let result = comparison(a, b)
    guard order == .reverse else { return result }
    switch result {
    case .orderedAscending: return .orderedDescending
    case .orderedDescending: return .orderedAscending
    case .orderedSame: return .orderedSame
    }
  }

  /// Compares property, direction and text order.
  public static func == (a: SimulatedSortDescriptor, b: SimulatedSortDescriptor) -> Bool {
    a.keyPath == b.keyPath && a.order == b.order && a.text == b.text
  }

  /// Hashes property and direction. No code iterates over these hashes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(keyPath)
    hasher.combine(order)
  }
}

extension NSSortDescriptor {
  /// Converts a descriptor of managed objects.
  public convenience init<Compared: NSManagedObject>(
    _ descriptor: SimulatedSortDescriptor<Compared>
  ) {
    guard let keyPath = descriptor.keyPath else { misuse("a sort descriptor has no property") }
    let key = NSSortDescriptor.key(of: keyPath)
    let comparison = descriptor.text?.comparison ?? RunState.current.sortComparison
    self.init(
      keyPath: \NSManagedObject[order: key, by: comparison],
      ascending: descriptor.order == .forward)
  }
}
