import Foundation
import InputFiles

/// Reads expressions from mapping models, which store them as archives of `NSExpression`.
enum ArchivedExpression {
  /// Returns the expression of an archive. Traps with a message about any part that is not
  /// simulated.
  static func side(of object: ArchivedObject) -> PredicateFormat.Operand {
    guard case .object(let type, _) = object else {
      misuse("the archive of an expression in a mapping model cannot be read: \(object)")
    }
    switch type {
    case "NSConstantValueExpression": return .value(value(of: object["NSConstantValue"] ?? .null))
    case "NSVariableExpression": return .variable(object["NSVariable"]?.text ?? "", [])
    case "NSKeyPathSpecifierExpression":
      return FormatParser.path(object["NSKeyPath"]?.text ?? "")
    case "NSSelfExpression": return .path([])
    case "NSAggregateExpression":
      return .list((object["NSCollection"]?.members ?? []).map { side(of: $0) })
    case "NSFunctionExpression", "NSKeyPathExpression": return function(object)
    default: misuse("a mapping model has an expression of class \(type), which is not simulated")
    }
  }

  private static func function(_ object: ArchivedObject) -> PredicateFormat.Operand {
    let selector = object["NSSelectorName"]?.text ?? ""
    let arguments = (object["NSArguments"]?.members ?? []).map { side(of: $0) }
    guard let operand = object["NSOperand"] else {
      misuse("a mapping model calls '\(selector)' without a receiver")
    }
    // A predicate function, such as `now`.
    if operand["NSConstantValueClassName"]?.text == "_NSPredicateUtilities" {
      return .function(selector, arguments)
    }
    let target = side(of: operand)
    if selector == "valueForKeyPath:" || selector == "valueForKey:",
      case .path(let keys)? = arguments.first
    {
      switch target {
      case .variable(let name, let before): return .variable(name, before + keys)
      case .path(let before): return .path(before + keys)
      default: break
      }
    }
    return .function(PredicateFormat.call, [target, .value(selector)] + arguments)
  }

  private static func value(of object: ArchivedObject) -> Any? {
    switch object {
    case .null: return nil
    case .boolean(let flag): return flag
    case .integer(let number): return NSNumber(value: number)
    case .number(let number): return NSNumber(value: number)
    case .string(let text): return text
    case .data(let data): return data
    case .array(let members): return members.map { value(of: $0) ?? NSNull() }
    case .object("NSDate", let members):
      guard case .number(let seconds)? = members["NS.time"] else { break }
      return Date(timeIntervalSinceReferenceDate: seconds)
    case .object: break
    }
    misuse("a mapping model has a constant that is not simulated: \(object)")
  }
}
