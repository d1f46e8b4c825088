public import Foundation

/// The data structure of an index element.
public enum NSFetchIndexElementType: UInt, Sendable {
  /// A binary tree.
  case binary = 0
  /// An R-tree.
  case rTree = 1
}

/// A property in a fetch index.
open class NSFetchIndexElementDescription: NSObject, @unchecked Sendable {
  /// The indexed property.
  public let property: NSPropertyDescription?
  /// The name of the indexed property.
  public let propertyName: String?
  /// The data structure of the element.
  open var collationType: NSFetchIndexElementType
  /// A Boolean value that indicates whether the index is in ascending order.
  open var isAscending = true
  /// The index that contains the element.
  open internal(set) weak var indexDescription: NSFetchIndexDescription?

  /// Creates an index element for a property.
  public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
    (self.property, propertyName) = (property, property.name)
    self.collationType = collationType
  }
}

/// A description of a fetch index of an entity. Has no effect, because indexes make fetches faster
/// and change no result.
open class NSFetchIndexDescription: NSObject, @unchecked Sendable {
  /// The name of the index.
  open var name: String
  /// The indexed properties, in order.
  open var elements: [NSFetchIndexElementDescription] {
    didSet { adopt() }
  }
  /// The entity that declares the index.
  open internal(set) weak var entity: NSEntityDescription?
  /// A predicate for the rows in the index, or `nil` for all rows.
  open var partialIndexPredicate: NSPredicate?

  /// Creates an index with a name.
  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    self.name = name
    self.elements = elements ?? []
    super.init()
    adopt()
  }

  private func adopt() { for element in elements { element.indexDescription = self } }
}
