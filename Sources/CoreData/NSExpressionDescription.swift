import Foundation

/// A value of a dictionary request that is computed from rows.
open class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
  /// What is computed.
  open var expression: SimulatedNSExpression?
  /// The type of the value.
  open var expressionResultType = NSAttributeType.undefinedAttributeType
  /// The same, under a newer name.
  open var resultType: NSAttributeDescription.AttributeType {
    get { NSAttributeDescription.AttributeType(rawValue: expressionResultType) }
    set { expressionResultType = newValue.rawValue }
  }
}
