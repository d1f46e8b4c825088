import CoreData

/// A class as Xcode generates it for an entity.
public final class Note: NSManagedObject {
  public var title: String? {
    get { value(forKey: "title") as? String }
    set { setValue(newValue, forKey: "title") }
  }
}

extension NSManagedObjectModel {
  static var notes: NSManagedObjectModel {
    let title = NSAttributeDescription()
    title.name = "title"
    title.attributeType = .stringAttributeType
    let note = NSEntityDescription()
    note.name = "Note"
    note.managedObjectClassName = "Note"
    note.properties = [title]
    let model = NSManagedObjectModel()
    model.entities = [note]
    return model
  }
}
