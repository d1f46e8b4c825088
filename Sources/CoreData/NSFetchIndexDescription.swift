public import Foundation

/// How an element of an index is kept.
public enum NSFetchIndexElementType: UInt, Sendable {
  /// In a binary tree.
  case binary = 0
  /// In an R-tree.
  case rTree = 1
}

/// A property that an index is about.
open class NSFetchIndexElementDescription: NSObject, @unchecked Sendable {
  /// The property.
  public let property: NSPropertyDescription?
  /// Its name.
  public let propertyName: String?
  /// How it is kept.
  open var collationType: NSFetchIndexElementType
  /// The order of the index.
  open var isAscending = true
  /// The index that it belongs to.
  open internal(set) weak var indexDescription: NSFetchIndexDescription?

  /// An element of a property.
  public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
    (self.property, propertyName) = (property, property.name)
    self.collationType = collationType
  }
}

/// An index of an entity. Of no effect: indexes make fetches faster, and change no answer.
open class NSFetchIndexDescription: NSObject, @unchecked Sendable {
  /// The name.
  open var name: String
  /// The properties, in order.
  open var elements: [NSFetchIndexElementDescription] {
    didSet { adopt() }
  }
  /// The entity that has it.
  open internal(set) weak var entity: NSEntityDescription?
  /// Which rows it is about; nil for all.
  open var partialIndexPredicate: NSPredicate?

  /// An index of this name.
  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    self.name = name
    self.elements = elements ?? []
    super.init()
    adopt()
  }

  private func adopt() { for element in elements { element.indexDescription = self } }
}
