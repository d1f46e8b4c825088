import Foundation

public final class NSPersistentStoreDescription {
  public var url: URL?
}

/// A container whose store is empty and in memory, wherever its description says that it is.
public final class NSPersistentContainer {
  public let name: String
  public let viewContext: NSManagedObjectContext
  public let persistentStoreDescriptions = [NSPersistentStoreDescription()]
  private let coordinator = Coordinator()

  public init(name: String, managedObjectModel model: NSManagedObjectModel) {
    self.name = name
    viewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    viewContext.coordinator = coordinator
  }

  public func loadPersistentStores(
    completionHandler block: (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    for description in persistentStoreDescriptions { block(description, nil) }
  }

  public func newBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.coordinator = coordinator
    return context
  }

  public func performBackgroundTask(_ block: @escaping (NSManagedObjectContext) -> Void) {
    let context = newBackgroundContext()
    context.perform { block(context) }
  }
}

public final class NSFetchRequest<Result> {
  let entityName: String
  public init(entityName: String) { self.entityName = entityName }
}

// MARK: - Models, which the stand-in reads only for names

public final class NSManagedObjectModel {
  public var entities: [NSEntityDescription] = []
  public init() {}
}

public final class NSEntityDescription {
  public var name: String?
  public var properties: [NSAttributeDescription] = []
  public init() {}

  public static func insertNewObject(
    forEntityName name: String, into context: NSManagedObjectContext
  ) -> NSManagedObject {
    context.insert(name)
  }
}

public enum NSAttributeType {
  case stringAttributeType, integer64AttributeType
}

public final class NSAttributeDescription {
  public var name = ""
  public var attributeType = NSAttributeType.stringAttributeType
  public init() {}
}
