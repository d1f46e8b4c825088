import CoreData
import os

/// A thing that a transformable attribute stores.
@objc(Spine)
public final class Spine: NSObject, NSSecureCoding {
  public static var supportsSecureCoding: Bool { true }
  public let width: Double
  public let colour: String

  public init(width: Double, colour: String) {
    self.width = width
    self.colour = colour
  }

  public func encode(with coder: NSCoder) {
    coder.encode(width, forKey: "width")
    coder.encode(colour as NSString, forKey: "colour")
  }

  public required init?(coder: NSCoder) {
    width = coder.decodeDouble(forKey: "width")
    colour = coder.decodeObject(of: NSString.self, forKey: "colour") as String? ?? ""
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? Spine else { return false }
    return width == other.width && colour == other.colour
  }

  public override var hash: Int { colour.hash }
}

@objc(SpineTransformer)
public final class SpineTransformer: NSSecureUnarchiveFromDataTransformer {
  public static let name = NSValueTransformerName(
    rawValue: String(describing: SpineTransformer.self))

  public override static var allowedTopLevelClasses: [AnyClass] { [Spine.self] }

  public static func register() {
    ValueTransformer.setValueTransformer(SpineTransformer(), forName: name)
  }
}

/// The controller of Xcode's template, with what articles add to it.
public final class PersistenceController {
  private static let log = Logger(subsystem: "com.example.Bookshelf", category: "persistence")

  public static let model: NSManagedObjectModel = {
    guard
      let url = Bundle(for: PersistenceController.self).url(
        forResource: "Bookshelf", withExtension: "momd"),
      let model = NSManagedObjectModel(contentsOf: url)
    else { fatalError("the model is missing") }
    return model
  }()

  public let container: NSPersistentContainer
  private var lastToken: NSPersistentHistoryToken?

  public init(inMemory: Bool = true, url: URL? = nil, author: String = "app") {
    SpineTransformer.register()
    container = NSPersistentContainer(name: "Bookshelf", managedObjectModel: Self.model)
    guard let description = container.persistentStoreDescriptions.first else {
      fatalError("Failed to retrieve a persistent store description.")
    }
    if inMemory { description.url = URL(fileURLWithPath: "/dev/null") }
    if let url { description.url = url }
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.setOption(
      true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    description.shouldInferMappingModelAutomatically = true
    description.shouldMigrateStoreAutomatically = true
    container.loadPersistentStores { storeDescription, error in
      if let error = error as NSError? {
        Self.log.error("Failed to load \(storeDescription): \(error, privacy: .public)")
        fatalError("Unresolved error \(error), \(error.userInfo)")
      }
    }
    container.viewContext.automaticallyMergesChangesFromParent = true
    container.viewContext.name = "viewContext"
    container.viewContext.transactionAuthor = author
    container.viewContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    container.viewContext.undoManager = nil
    container.viewContext.shouldDeleteInaccessibleFaults = true
    do {
      try container.viewContext.setQueryGenerationFrom(.current)
    } catch {
      fatalError("Failed to pin viewContext to the current generation:\(error)")
    }
  }

  public func newTaskContext() -> NSManagedObjectContext {
    let context = container.newBackgroundContext()
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    context.undoManager = nil
    context.name = "import"
    context.transactionAuthor = "import"
    return context
  }

  /// As in Apple's sample code "Loading and displaying a large data feed".
  public func importBooks(_ titles: [String]) async throws {
    guard !titles.isEmpty else { return }
    let context = newTaskContext()
    try await context.perform {
      let request = self.batchInsertRequest(titles)
      if let result = try? context.execute(request) as? NSBatchInsertResult,
        let success = result.result as? Bool, success
      {
        return
      }
      throw ImportError.batchInsertError
    }
  }

  private func batchInsertRequest(_ titles: [String]) -> NSBatchInsertRequest {
    var index = 0
    let total = titles.count
    let request = NSBatchInsertRequest(
      entity: Book.entity(),
      dictionaryHandler: { dictionary in
        guard index < total else { return true }
        dictionary.addEntries(from: ["title": titles[index], "pages": 100 + index])
        index += 1
        return false
      })
    return request
  }

  public func fetchPersistentHistory() async throws -> Int {
    let context = newTaskContext()
    context.name = "persistentHistoryContext"
    let token = lastToken
    let history = try await context.perform { () -> [NSPersistentHistoryTransaction] in
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      return result?.result as? [NSPersistentHistoryTransaction] ?? []
    }
    let view = container.viewContext
    await view.perform {
      for transaction in history {
        view.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
        self.lastToken = transaction.token
      }
    }
    return history.count
  }
}

public enum ImportError: Error { case batchInsertError }
