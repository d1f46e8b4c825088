public import Foundation
import LiveCode
import ObjectModel

/// What the values of an attribute must be, besides of its type.
///
/// The engine has limits of numbers, dates and lengths, as a model file has them, and single values
/// that are refused. So `SELF >= 1`, `SELF <= 9`, `length >= 1` and `length <= 9` go with the code
/// of the error as their warning, such as `NSValidationNumberTooSmallError`. `SELF != 0` goes with
/// a text (SV-17, SV-A7). What other predicates say of a value is asked before, as overrides are.
extension NSAttributeDescription {
  /// Sets what values must be, and the codes or texts of the errors otherwise, in the same order.
  public func setValidationPredicates(
    _ predicates: [NSPredicate]?, withValidationWarnings warnings: [Any]?
  ) {
    validationPredicates = predicates ?? []
    validationWarnings = warnings ?? []
    guard validationPredicates.count == validationWarnings.count else {
      misuse(
        "attribute '\(name)' has \(validationPredicates.count) validation predicates and "
          + "\(validationWarnings.count) warnings")
    }
    // What a model file says does not count any more.
    declared?.minimum = nil
    declared?.maximum = nil
  }

  /// Adds to the attribute, as the engine has it, what the engine knows of them.
  func limit(_ attribute: inout Attribute, _ symbol: (String) -> Symbol) {
    for (predicate, warning) in zip(validationPredicates, validationWarnings) {
      limit(&attribute, predicate, warning, symbol)
    }
  }

  /// Whether the engine knows it.
  @discardableResult
  private func limit(
    _ attribute: inout Attribute, _ predicate: NSPredicate, _ warning: Any,
    _ symbol: (String) -> Symbol
  ) -> Bool {
    guard
      case .comparison(.path(let path), let relation, .value(let limit?), _, nil) = Format.of(
        predicate)
    else { return false }
    let isLength = path == ["length"] && attribute.type == .string
    guard path.isEmpty && attribute.type != .string || isLength || relation == .notEqual else {
      return false
    }
    let code = (warning as? any BinaryInteger).map { Int($0) }
    switch relation {
    case .greaterOrEqual where code == attribute.codes.least:
      attribute.minimum = Plain.value(of: limit, isLength ? .integer64 : attribute.type, symbol)
    case .lessOrEqual where code == attribute.codes.greatest:
      attribute.maximum = Plain.value(of: limit, isLength ? .integer64 : attribute.type, symbol)
    case .notEqual where path.isEmpty && warning is String:
      attribute.forbidden.append(
        ForbiddenValue(
          Plain.value(of: limit, attribute.type, symbol), warning: warning as? String ?? ""))
    default: return false
    }
    return true
  }

  /// Those that the engine does not know: a save asks them as it asks overrides.
  fileprivate var ownCodePredicates: [(NSPredicate, warning: Any)] {
    guard let type = attributeType.type else { return [] }
    return zip(validationPredicates, validationWarnings).compactMap { predicate, warning in
      var attribute = Attribute(type: type)
      let isKnown = limit(&attribute, predicate, warning) { RunState.current.run.symbol(for: $0) }
      return isKnown ? nil : (predicate, warning)
    }
  }
}

extension NSPropertyDescription {
  var codePredicates: [(NSPredicate, warning: Any)] {
    (self as? NSAttributeDescription)?.ownCodePredicates ?? []
  }

  var hasCodePredicates: Bool { !codePredicates.isEmpty }
}

extension NSEntityDescription {
  var hasCodePredicates: Bool { allProperties.contains(where: \.hasCodePredicates) }
}

extension Attribute {
  /// Of the errors for a value below the least one, and above the greatest.
  var codes: (least: Int, greatest: Int) {
    switch type {
    case .string: (NSValidationStringTooShortError, NSValidationStringTooLongError)
    case .date: (NSValidationDateTooSoonError, NSValidationDateTooLateError)
    default: (NSValidationNumberTooSmallError, NSValidationNumberTooLargeError)
    }
  }
}
