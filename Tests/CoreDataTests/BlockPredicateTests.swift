import CoreData
import Foundation
import Testing

@Suite struct `A block predicate` {
  private func context(_ type: String) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Notes.model())
    try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: URL(fileURLWithPath: "/stores/Notes"))
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    for number in 0..<4 { Note(context: context).views = Int64(number) }
    try context.save()
    return context
  }

  @Test func `a block predicate finds objects in an in-memory store`() {
    let outcome = live {
      let context = try context(NSInMemoryStoreType)
      Note(context: context).views = 5
      let isOdd = NSPredicate { object, _ in (object as? Note).map { $0.views % 2 == 1 } ?? false }
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = isOdd
      request.sortDescriptors = [NSSortDescriptor(key: "views", ascending: false)]
      #expect(try context.fetch(request).map(\.views) == [5, 3, 1])
      #expect(try context.count(for: request) == 3)
      (request.fetchOffset, request.fetchLimit) = (1, 1)
      #expect(try context.fetch(request).map(\.views) == [3])
      request.predicate = SimulatedNSCompoundPredicate(
        andPredicateWithSubpredicates: [isOdd, NSPredicate(format: "views < 3")])
      (request.fetchOffset, request.fetchLimit) = (0, 0)
      #expect(try context.fetch(request).map(\.views) == [1])
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
      (ids.predicate, ids.resultType) = (isOdd, .managedObjectIDResultType)
      #expect(try context.fetch(ids).count == 3)
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `a SQLite store refuses a block predicate`() {
    let trap = live {
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = NSPredicate { _, _ in true }
      _ = try Notes.container().viewContext.fetch(request)
    }.trap
    #expect(
      trap?.contains("a predicate with a block cannot be used") == true, "\(trap ?? "")")
  }
}
