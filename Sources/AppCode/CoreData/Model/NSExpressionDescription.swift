import Foundation

/// A description of a value that a dictionary request computes from rows.
open class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
  /// The expression that computes the value.
  open var expression: SimulatedNSExpression?
  /// The type of the value.
  open var expressionResultType = NSAttributeType.undefinedAttributeType
  /// The type of the value, as a newer Swift type.
  open var resultType: NSAttributeDescription.AttributeType {
    get { NSAttributeDescription.AttributeType(rawValue: expressionResultType) }
    set { expressionResultType = newValue.rawValue }
  }
}
