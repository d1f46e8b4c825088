import CoreData

@objc(Note)
public final class Note: NSManagedObject {
  @NSManaged public var title: String?
  @NSManaged public var views: Int64
  @NSManaged public var tags: Set<Tag>

  @objc(addTagsObject:)
  @NSManaged public func addToTags(_ tag: Tag)
}
