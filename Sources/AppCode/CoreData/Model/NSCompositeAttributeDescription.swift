import Foundation

/// An attribute whose value is a dictionary, indexed by the names of its elements.
///
/// The value is set, read and compared as a whole. Asking a store for an element in a predicate
/// traps. Only SQLite stores have such attributes, and opening another store traps.
open class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// The attributes that the value consists of. Traps for an attribute that a model file declares.
  open var elements: [NSAttributeDescription] {
    get {
      guard !isOfFile else {
        misuse(
          "the elements of '\(name)', a composite attribute of a model file, are not simulated")
      }
      return ownElements
    }
    set { (ownElements, isOfFile) = (newValue, false) }
  }
  private var ownElements: [NSAttributeDescription] = []
  private var isOfFile = false

  /// Creates an attribute without elements.
  public override init() {
    super.init()
    attributeType = .compositeAttributeType
  }

  /// Creates an attribute that a model file declares.
  static func ofFile() -> NSCompositeAttributeDescription {
    let description = NSCompositeAttributeDescription()
    description.isOfFile = true
    return description
  }

  var compositeCopy: NSCompositeAttributeDescription {
    let copy = NSCompositeAttributeDescription()
    copy.ownElements = ownElements.compactMap { $0.copy() as? NSAttributeDescription }
    copy.isOfFile = isOfFile
    return copy
  }

  override var versionText: String {
    super.versionText + ownElements.map { " (\($0.versionText))" }.joined()
  }
}

extension NSPersistentStoreCoordinator {
  /// Traps if a store that is not an SQLite store would contain composite attributes.
  func checkComposites(_ type: String, _ configuration: String?) {
    guard type != NSSQLiteStoreType else { return }
    for entity in managedObjectModel.entities(forConfigurationName: configuration) ?? [] {
      for case let attribute as NSCompositeAttributeDescription in entity.properties {
        misuse("the composite attribute '\(attribute.name)' requires a SQLite store")
      }
    }
  }
}
