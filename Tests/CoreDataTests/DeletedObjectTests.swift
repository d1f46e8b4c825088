import CoreData
import Foundation
import Testing

@Suite struct `A deleted object` {
  /// Covers LC-A10. A test of a published library reads an attribute at this moment, and expects
  /// its value.
  @Test func `a deleted object keeps its attribute values during the DidSave notification`() {
    let log = EventLog()
    let outcome = live {
      let view = Notes.container().viewContext
      let (note, fault) = (Note(context: view), Note(context: view))
      (note.title, fault.title) = ("first", "second")
      note.tags = [NSManagedObject(entity: Notes.tag(of: view), insertInto: view)]
      note.tags.first?.setValue("a", forKey: "label")
      try view.save()
      view.refresh(fault, mergeChanges: false)
      note.title = "changed"
      view.delete(note)
      view.delete(fault)
      let token = SimulatedNotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: view, queue: nil
      ) { notification in
        let deleted = notification.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject> ?? []
        let titles = deleted.compactMap { ($0 as? Note)?.title }.sorted()
        log.note("\(titles) \(note.tags.count) \(note.managedObjectContext == nil)")
      }
      try view.save()
      SimulatedNotificationCenter.default.removeObserver(token)
    }
    #expect(log.events == [#"["changed", "second"] 0 true"#])
    #expect(outcome.disagreement == nil)
  }

  @Test func `a read of a deleted object traps after the save`() {
    let trap = live {
      let view = Notes.container().viewContext
      let note = Note(context: view)
      try view.save()
      view.delete(note)
      try view.save()
      _ = note.title
    }.trap
    #expect(trap?.contains("no longer belongs to a context") == true, "\(trap ?? "")")
  }
}
