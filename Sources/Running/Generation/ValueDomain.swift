import Determinism
package import ObjectModel

/// The values that a program writes into one attribute.
///
/// Mostly, each value is new, so that the writer of a value is known. If the model has limits,
/// forbidden values or uniqueness constraints, many values come from a handful. Then objects
/// conflict with each other, and sometimes break a limit.
package struct ValueDomain {
  /// The number of default values and of values that hooks set. It is within the limits of
  /// generated models.
  static let usual = 12
  /// The number of the value that generated models forbid.
  static let forbidden = 15
  /// The numbers that the limits of generated models allow. As texts, they have three characters.
  static let range = 11...15

  private let attribute: Attribute
  private let isUnique: Bool
  /// A Boolean value that indicates whether several writers should sometimes agree although the
  /// model does not require it.
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

  /// Draws whether the next value comes from the handful, rather than standing for `number`.
  func isNarrow(_ number: Int, _ choices: inout Choices) -> Bool {
    guard fits(number) else { return true }
    if isUnique || isShared || !attribute.forbidden.isEmpty {
      return choices.chance(1, in: 2, from: .workload)
    }
    return attribute.hasLimits && choices.chance(1, in: 4, from: .workload)
  }

  /// Draws a value of the handful, sometimes a value out of bounds.
  func narrowValue(_ choices: inout Choices) -> Value {
    value(at: choices.pick(weights: [5, 5, 5, 5, 3, 1, 1], from: .workload))
  }

  /// Returns the value for a small `number`. If the limits do not allow it, returns a value of the
  /// handful.
  package func everydayValue(_ number: Int) -> Value {
    fits(number) ? attribute.value(numbered: number) : value(at: number - 1)
  }

  /// Returns a distinct value for each number. Every other decimal is a fraction, so that amounts
  /// of different scales are compared and added.
  func distinctValue(_ number: Int) -> Value {
    let isFraction =
      attribute.type == .decimal && number % 2 == 1 && !attribute.hasLimits
      && attribute.forbidden.isEmpty
    return isFraction
      ? .decimal(significand: Int64(number), exponent: -1) : attribute.value(numbered: number)
  }

  /// Returns a value beyond the upper or the lower limit, if the attribute has such a limit.
  func valueBeyondLimits(isAbove: Bool) -> Value { value(at: isAbove ? 6 : 5) }

  /// Returns a value of the handful. The last two values are out of bounds.
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

  /// Up to five numbers within the limits, or `range` without limits.
  private var welcomeNumbers: ClosedRange<Int> {
    switch (attribute.minimum.flatMap(number), attribute.maximum.flatMap(number)) {
    case (nil, nil): ValueDomain.range
    case (let least?, nil): least...(least + 4)
    case (nil, let most?): (most - 4)...most
    case (let least?, let most?): least...max(least, min(most, least + 4))
    }
  }

  /// Returns a limit as a number, if it is small enough for every type.
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

  /// Returns a generated text of an allowed length. For the last two indices, the text is too short
  /// or too long.
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
