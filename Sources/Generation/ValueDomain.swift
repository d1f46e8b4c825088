import Determinism
package import ObjectModel

/// The values that a program writes into one attribute.
///
/// Mostly each a new one, so that the writer of a value that is read is known. Where a model says
/// which values are welcome (limits, forbidden values, uniqueness) many come from a handful:
/// objects are to get into each other's way, and now and then to break a limit.
package struct ValueDomain {
  /// The number of defaults and of what hooks set: within the limits of generated models.
  static let usual = 12
  /// The number of what generated models forbid.
  static let forbidden = 15
  /// The numbers that the limits of generated models allow. As texts, three characters long.
  static let range = 11...15

  private let attribute: Attribute
  private let isUnique: Bool
  /// Whether several writers are to agree now and then although nothing asks for it.
  private let isShared: Bool

  package init(
    _ attribute: Attribute, _ property: PropertyID, of entity: Entity,
    isShared: Bool, isPromised: Bool = false
  ) {
    self.attribute = attribute
    self.isShared = isShared
    isUnique =
      isPromised || entity.uniquenessConstraints.contains { $0.contains(property) }
  }

  /// Whether the next value is one of the handful, rather than what stands for `number`.
  func isNarrow(_ number: Int, _ choices: inout Choices) -> Bool {
    guard fits(number) else { return true }
    if isUnique || isShared || !attribute.forbidden.isEmpty {
      return choices.chance(1, in: 2, from: .workload)
    }
    return attribute.hasLimits && choices.chance(1, in: 4, from: .workload)
  }

  /// One of the handful; now and then one that is out of bounds.
  func narrowValue(_ choices: inout Choices) -> Value {
    value(at: choices.pick(weights: [5, 5, 5, 5, 3, 1, 1], from: .workload))
  }

  /// What stands for `number`, which is small, or, where the limits do not allow it, the handful's.
  package func everydayValue(_ number: Int) -> Value {
    fits(number) ? attribute.value(numbered: number) : value(at: number - 1)
  }

  /// A value for each number that no other number has. Every other decimal is a fraction: amounts
  /// of different scales are to be compared and added up.
  func distinctValue(_ number: Int) -> Value {
    let isFraction =
      attribute.type == .decimal && number % 2 == 1 && !attribute.hasLimits
      && attribute.forbidden.isEmpty
    return isFraction
      ? .decimal(significand: Int64(number), exponent: -1) : attribute.value(numbered: number)
  }

  /// One that is too small, too soon or too short, or the contrary, where there is a limit to that.
  func valueBeyondLimits(isAbove: Bool) -> Value { value(at: isAbove ? 6 : 5) }

  /// Of the handful, the last two are out of bounds.
  private func value(at index: Int) -> Value {
    if attribute.type == .string, attribute.hasLimits { return text(index) }
    let range = welcomeNumbers
    let number =
      switch index {
      case 5: range.lowerBound - 1
      case 6: range.upperBound + 1
      default: range.lowerBound + index % range.count
      }
    return attribute.value(numbered: number)
  }

  private func fits(_ number: Int) -> Bool {
    // A generated text is an s and its number.
    let size = attribute.type == .string ? "s\(number)".utf8.count : number
    if let least = attribute.minimum.flatMap(self.number), size < least { return false }
    if let most = attribute.maximum.flatMap(self.number), size > most { return false }
    return true
  }

  /// Up to five numbers within the limits; `range` where there are none.
  private var welcomeNumbers: ClosedRange<Int> {
    switch (attribute.minimum.flatMap(number), attribute.maximum.flatMap(number)) {
    case (nil, nil): ValueDomain.range
    case (let least?, nil): least...(least + 4)
    case (nil, let most?): (most - 4)...most
    case (let least?, let most?): least...max(least, min(most, least + 4))
    }
  }

  /// A limit as a number, if it is small enough for every type.
  private func number(_ limit: Value) -> Int? {
    let number: Double
    switch limit {
    case .integer(let value), .date(let value): number = Double(value)
    case .number(let value): number = value
    case .decimal(let significand, exponent: 0): number = Double(significand)
    default: return nil
    }
    return abs(number) < 30_000 ? Int(number) : nil
  }

  /// A generated text of a welcome length, or, for the last two, one that is too short or too long.
  private func text(_ index: Int) -> Value {
    let least = max(2, attribute.minimum.flatMap(number) ?? 2)
    let most = max(least, attribute.maximum.flatMap(number) ?? least + 1)
    let length =
      switch index {
      case 5: least - 1
      case 6: most + 1
      default: least
      }
    let digits = min(9, max(1, length - 1))
    let first = (1..<digits).reduce(1) { power, _ in power * 10 }
    return attribute.value(numbered: first + index % 5)
  }
}

extension Attribute {
  var hasLimits: Bool { minimum != nil || maximum != nil }
}
