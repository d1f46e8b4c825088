import CoreData
import Testing

/// What one test has made and another uses.
@Suite struct `A context of a run that has ended` {
  @Test func `is named, and what to do instead`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var kept: NSManagedObjectContext?
      live {
        kept = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        kept?.name = "shared"
        kept?.persistentStoreCoordinator = NSPersistentStoreCoordinator(
          managedObjectModel: Notes.model())
        _ = kept?.hasChanges
      }
      live { _ = kept?.hasChanges }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(
      text.contains("shared belongs to a test, or a schedule of it, that has ended"), "\(text)")
    #expect(text.contains("make the stack in setUp"))
  }
}
