public import Foundation

/// How texts are compared by a `SortDescriptor`.
public struct SimulatedTextOrder: Hashable, Sendable {
  let comparison: TextComparison?

  /// As lists of files are sorted: without regard to case, and numbers by their values.
  public static let localizedStandard = SimulatedTextOrder(
    comparison: TextComparison { $0.localizedStandardCompare($1) })
  /// By the rules of the user's language.
  public static let localized = SimulatedTextOrder(
    comparison: TextComparison { $0.localizedCompare($1) })
  /// By characters, as stores sort.
  public static let lexical = SimulatedTextOrder(comparison: nil)

  fileprivate func compare(_ a: String, _ b: String) -> ComparisonResult {
    comparison?.compare(a as NSString, b) ?? (a as NSString).compare(b)
  }
}

/// Sorts by a property: takes the place of Foundation's `SortDescriptor`, which on Linux sorts
/// texts by characters only.
public struct SimulatedSortDescriptor<Compared>: SortComparator, @unchecked Sendable {
  /// Whether the least comes first.
  public var order: SortOrder
  /// The property.
  public let keyPath: PartialKeyPath<Compared>?
  /// Nil of what is no text.
  let text: SimulatedTextOrder?
  private let comparison: (Compared, Compared) -> ComparisonResult

  private init<Value>(
    _ keyPath: KeyPath<Compared, Value>, _ text: SimulatedTextOrder?, _ order: SortOrder,
    _ compare: @escaping (Value, Value) -> ComparisonResult
  ) {
    (self.keyPath, self.text, self.order) = (keyPath, text, order)
    comparison = { compare($0[keyPath: keyPath], $1[keyPath: keyPath]) }
  }

  /// What is nil comes first.
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

  /// By what can be compared.
  @_disfavoredOverload
  public init<Value: Comparable & SendableMetatype>(
    _ keyPath: KeyPath<Compared, Value>, order: SortOrder = .forward
  ) { self.init(keyPath, nil, order, SimulatedSortDescriptor.ascending) }

  /// Likewise; what is nil comes first.
  @_disfavoredOverload
  public init<Value: Comparable & SendableMetatype>(
    _ keyPath: KeyPath<Compared, Value?>, order: SortOrder = .forward
  ) {
    self.init(keyPath, nil, order) { a, b in
      SimulatedSortDescriptor.compare(a, b, SimulatedSortDescriptor.ascending)
    }
  }

  /// By a text, as lists of files are sorted unless it is said otherwise.
  public init(
    _ keyPath: KeyPath<Compared, String>, comparator: SimulatedTextOrder = .localizedStandard,
    order: SortOrder = .forward
  ) { self.init(keyPath, comparator, order, comparator.compare) }

  /// Likewise; what is nil comes first.
  public init(
    _ keyPath: KeyPath<Compared, String?>, comparator: SimulatedTextOrder = .localizedStandard,
    order: SortOrder = .forward
  ) {
    self.init(keyPath, comparator, order) { a, b in
      SimulatedSortDescriptor.compare(a, b, comparator.compare)
    }
  }

  /// By a flag: false comes first.
  public init(_ keyPath: KeyPath<Compared, Bool>, order: SortOrder = .forward) {
    self.init(keyPath, nil, order) { a, b in
      a == b ? .orderedSame : b ? .orderedAscending : .orderedDescending
    }
  }

  /// As another descriptor sorts managed objects; nil if it has a comparator.
  public init?(_ descriptor: NSSortDescriptor, comparing type: Compared.Type)
  where Compared: NSManagedObject {
    let (key, comparison) = (descriptor.attributeName, descriptor.comparison)
    guard !RunState.current.sortsByComparator else { return nil }
    self.init(
      \Compared[order: key, by: comparison], nil,
      descriptor.ascending ? .forward : .reverse, SimulatedSortDescriptor.ascending)
  }

  /// The order of two.
  public func compare(_ a: Compared, _ b: Compared) -> ComparisonResult {
    let result = comparison(a, b)
    guard order == .reverse else { return result }
    switch result {
    case .orderedAscending: return .orderedDescending
    case .orderedDescending: return .orderedAscending
    case .orderedSame: return .orderedSame
    }
  }

  /// Of one property, in one order.
  public static func == (a: SimulatedSortDescriptor, b: SimulatedSortDescriptor) -> Bool {
    a.keyPath == b.keyPath && a.order == b.order && a.text == b.text
  }

  /// By property and order. Never iterated.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(keyPath)
    hasher.combine(order)
  }
}

extension NSSortDescriptor {
  /// As another descriptor sorts managed objects.
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
