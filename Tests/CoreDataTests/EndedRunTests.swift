import CoreData
import Testing

/// A context that one test creates and another test uses.
@Suite struct `A context of another run` {
  private func context() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.name = "shared"
    context.persistentStoreCoordinator = NSPersistentStoreCoordinator(
      managedObjectModel: Notes.model())
    _ = context.hasChanges
    return context
  }

  @Test func `a context of an ended run traps with its name and a remedy`() {
    var kept: NSManagedObjectContext?
    live { kept = context() }
    let trap = live { _ = kept?.hasChanges }.trap ?? ""
    #expect(
      trap.contains("shared belongs to a test, or to a schedule of a test, that has ended"),
      "\(trap)")
    #expect(trap.contains("make the stack in setUp"))
  }

  @Test func `a context that is created outside of a run traps in a run`() {
    let kept = context()
    let trap = live { _ = kept.hasChanges }.trap ?? ""
    #expect(trap.contains("shared was made outside of a test"), "\(trap)")
  }

  @Test func `a context of a run can be read outside of the run`() {
    var kept: NSManagedObjectContext?
    live { kept = context() }
    #expect(kept?.hasChanges == false)
  }
}
