import CoreData
import Execution
import Foundation
import LiveCode
import Testing

/// A list on the main queue, an editor above it and imports in the background.
private final class Library {
  let container = Notes.container()
  var list: NSManagedObjectContext { container.viewContext }
  let id: NSManagedObjectID

  init(merging isMerging: Bool) throws {
    container.viewContext.automaticallyMergesChangesFromParent = isMerging
    container.viewContext.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    let note = Note(context: container.viewContext)
    note.title = "first"
    try container.viewContext.save()
    id = note.objectID
  }

  func importTitle(_ title: String) {
    container.performBackgroundTask { [id] context in
      context.mergePolicy = NSMergePolicy.overwrite
      (context.object(with: id) as? Note)?.title = title
      try? context.save()
    }
  }

  func edit(_ title: String) throws {
    let editor = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    editor.parent = list
    (try editor.existingObject(with: id) as? Note)?.title = title
    try editor.save()
    try list.save()
  }

  func tag(_ label: String) throws {
    let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: list)
    tag.setValue(label, forKey: "label")
    tag.setValue(list.object(with: id), forKey: "note")
    try list.save()
  }
}

@Suite struct `A recorded run of code` {
  private static func campaign(merging: Bool) -> LiveCampaign {
    LiveCampaign { (app: LiveApp) throws -> Void in
      let library = try Library(merging: merging)
      app.declare("import") { library.importTitle("imported \(app.number(below: 9))") }
      app.declare("edit") { try library.edit("edited \(app.number(below: 9))") }
      app.declare("tag") { try library.tag("tag \(app.number(below: 9))") }
      app.declare("count") {
        _ = try library.list.count(for: NSFetchRequest<Note>(entityName: "Note"))
      }
    }
  }

  @Test(arguments: [false, true]) func `does the same as a program`(merging: Bool) throws {
    let campaign = Self.campaign(merging: merging)
    var count = 0
    for index in 0..<100 {
      let recorded = try #require(campaign.record(index))
      if recorded.isExact { count += 1 }
    }
    #expect(count >= 30)
  }
}
