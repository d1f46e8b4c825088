public import Foundation
import LiveCode
import ObjectModel

/// The rules for the values of an attribute, in addition to its type.
///
/// The engine evaluates limits of numbers, dates and lengths, as in a model file, and single
/// forbidden values. It thus evaluates `SELF >= 1`, `SELF <= 9`, `length >= 1` and `length <= 9` if
/// the warning is the matching error code, such as `NSValidationNumberTooSmallError`. It evaluates
/// `SELF != 0` if the warning is a text (SV-17, SV-A7). A save evaluates other predicates earlier,
/// together with overrides.
extension NSAttributeDescription {
  /// Sets the validation predicates, and the codes or texts of their errors in the same order.
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
    // The predicates replace the limits of a model file.
    declared?.minimum = nil
    declared?.maximum = nil
  }

  /// Adds the rules that the engine can evaluate to the engine's attribute.
  func limit(_ attribute: inout Attribute, _ symbol: (String) -> Symbol) {
    for (predicate, warning) in zip(validationPredicates, validationWarnings) {
      limit(&attribute, predicate, warning, symbol)
    }
  }

  /// Adds the rule of one predicate to the attribute. Returns whether the engine can evaluate it.
  @discardableResult
  private func limit(
    _ attribute: inout Attribute, _ predicate: NSPredicate, _ warning: Any,
    _ symbol: (String) -> Symbol
  ) -> Bool {
    guard
      case .comparison(.path(let path), let relation, .value(let limit?), _, nil) =
        PredicateFormat.of(
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

  /// The predicates that the engine cannot evaluate. A save evaluates them when it calls overrides.
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
  /// The codes of the errors for a value below the minimum and above the maximum.
  var codes: (least: Int, greatest: Int) {
    switch type {
    case .string: (NSValidationStringTooShortError, NSValidationStringTooLongError)
    case .date: (NSValidationDateTooSoonError, NSValidationDateTooLateError)
    default: (NSValidationNumberTooSmallError, NSValidationNumberTooLargeError)
    }
  }
}
