import Foundation

/// An attribute whose value is a dictionary of values by the names of its elements: set, read and
/// compared as a whole. A predicate of a store that asks for an element traps, and so does opening
/// a store that is not one of SQLite, which alone has such attributes.
open class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// What the value consists of. Of a model file's, they are not simulated: asking for them traps.
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

  /// An attribute without elements.
  public override init() {
    super.init()
    attributeType = .compositeAttributeType
  }

  /// One that a model file has.
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
  /// Traps if a store of a type would have composite attributes and has none.
  func checkComposites(_ type: String, _ configuration: String?) {
    guard type != NSSQLiteStoreType else { return }
    for entity in managedObjectModel.entities(forConfigurationName: configuration) ?? [] {
      for case let attribute as NSCompositeAttributeDescription in entity.properties {
        misuse("the composite attribute '\(attribute.name)' needs a store of SQLite")
      }
    }
  }
}
