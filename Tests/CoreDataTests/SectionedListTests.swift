import CoreData
import Foundation
import Testing

/// A delegate that records its calls and the changed objects.
private final class Listener: NSFetchedResultsControllerDelegate {
  var calls: [String] = []
  var objects: [NSManagedObject] = []

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    calls.append("\(type) section \(sectionInfo.name) \(sectionIndex)")
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange object: Any, at indexPath: IndexPath?, for type: NSFetchedResultsChangeType,
    newIndexPath: IndexPath?
  ) {
    let (from, to) = (indexPath.map { "\($0.item)" }, newIndexPath.map { "\($0.item)" })
    calls.append("\(type) \(from ?? "-") \(to ?? "-")")
    if let object = object as? NSManagedObject { objects.append(object) }
  }
}

@Suite struct `A list with sections by a key path` {
  @Test func `a list reports an object that is deleted before its first save`() {
    let outcome = live {
      let view = Notes.container().viewContext
      let note = Note(context: view)
      note.title = "kept"
      let request = NSFetchRequest<NSManagedObject>(entityName: "Tag")
      request.sortDescriptors = [
        NSSortDescriptor(key: "note.title", ascending: true),
        NSSortDescriptor(key: "label", ascending: true),
      ]
      let list = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: view, sectionNameKeyPath: "note.title",
        cacheName: nil)
      let listener = Listener()
      list.delegate = listener
      try list.performFetch()
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: view)
      tag.setValuesForKeys(["label": "x", "note": note])
      view.processPendingChanges()
      #expect(listener.calls == ["insert section kept 0", "insert - 0"])
      #expect(list.sections?.map(\.name) == ["kept"])
      listener.calls = []
      view.delete(tag)
      view.processPendingChanges()
      #expect(listener.calls == ["delete section kept 0", "delete 0 -"])
      #expect(listener.objects == [tag, tag])
      #expect(list.fetchedObjects?.isEmpty == true)
    }
    #expect(outcome.disagreement == nil)
  }
}
