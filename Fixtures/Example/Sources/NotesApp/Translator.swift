import CoreData
import Foundation

/// Translates titles with the help of a server. It is an actor so that two translations of a note
/// do not mix. But while it waits for the server, an actor begins the next call.
public actor Translator {
  private let container: NSPersistentContainer
  public private(set) var translated = 0

  init(_ container: NSPersistentContainer) { self.container = container }

  public func translate(_ id: NSManagedObjectID, to language: String) async throws {
    let context = container.newBackgroundContext()
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    context.retainsRegisteredObjects = true
    let title = await context.perform { (context.object(with: id) as? Note)?.title ?? "" }
    let translation = try await reply(to: title, language)
    try await context.perform {
      (context.object(with: id) as? Note)?.title = translation
      try context.save()
    }
    translated += 1
  }

  private func reply(to title: String, _ language: String) async throws -> String {
    try await Task.sleep(for: .milliseconds(200))
    return "\(title) in \(language)"
  }
}
