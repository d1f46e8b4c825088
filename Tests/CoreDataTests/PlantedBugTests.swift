import CoreData
import Determinism
import LiveCode
import PropertyTesting
import Testing
import Vocabulary

/// An app that uses much of Core Data: a list, an editor, imports and a second list that merges.
private final class Workload {
  private let container = Notes.container()
  private let app: LiveApp
  private let list: NSManagedObjectContext
  private let other: NSManagedObjectContext
  private var edit: NSManagedObjectContext

  init(_ app: LiveApp) {
    self.app = app
    list = container.viewContext
    list.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    other = container.newBackgroundContext()
    other.automaticallyMergesChangesFromParent = true
    other.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
    edit = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    edit.parent = list
    let observed = [list, other]
    for context in observed {
      SimulatedNotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: context, queue: nil
      ) { [list] notification in
        if context !== list {
          list.perform { list.mergeChanges(fromContextDidSave: notification) }
        }
      }
    }
  }

  private func notes(in context: NSManagedObjectContext) -> [Note] {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [
      NSSortDescriptor(key: "views", ascending: true),
      NSSortDescriptor(key: "title", ascending: true),
    ]
    request.fetchLimit = app.number(below: 3)
    return (try? context.fetch(request)) ?? []
  }

  private func change(_ context: NSManagedObjectContext) {
    switch app.number(below: 9) {
    case 0, 1:
      let note = Note(context: context)
      note.title = "title \(app.number(below: 1_000))"
    case 2:
      guard let note = notes(in: context).first else { return }
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue("label \(app.number(below: 1_000))", forKey: "label")
      tag.setValue(note, forKey: "note")
    case 3: if let note = notes(in: context).last { context.delete(note) }
    case 4: for note in notes(in: context) { note.views += 1 }
    case 5: notes(in: context).first?.tags = []
    case 6: if let note = notes(in: context).first { context.refresh(note, mergeChanges: true) }
    default: notes(in: context).first?.title = "title \(app.number(below: 1_000))"
    }
  }

  func act() {
    switch app.number(below: 12) {
    case 0, 1, 2: change(list)
    case 3, 4: change(edit)
    case 5: try? list.save()
    case 6: try? edit.save()
    case 7: app.number(below: 3) == 0 ? list.rollback() : list.processPendingChanges()
    case 8: try? list.obtainPermanentIDs(for: list.insertedObjects.sorted(by: Self.isBefore))
    case 9: other.performAndWait { _ = notes(in: other).map(\.title) }
    default:
      other.perform { [self] in
        change(other)
        change(other)
        try? other.save()
      }
    }
  }

  private static func isBefore(_ a: NSManagedObject, _ b: NSManagedObject) -> Bool {
    a.objectID.uriRepresentation().absoluteString < b.objectID.uriRepresentation().absoluteString
  }
}

@Suite struct `Bugs planted into the engine` {
  private func campaign(_ bugs: PlantedBugSet) -> LiveCampaign {
    var campaign = LiveCampaign { app in
      let workload = Workload(app)
      app.declare("act") { workload.act() }
    }
    campaign.bugs = bugs
    campaign.actionCount = 40
    campaign.shrinkBudget = 1
    return campaign
  }

  /// Returns the number of runs until the engine differs from the reference model. Makes at most 60
  /// runs.
  private func runsToFind(_ bug: PlantedBug) -> Int? {
    let campaign = campaign(PlantedBugSet([bug]))
    return (0..<12).lazy.compactMap { part in
      campaign.run(part * 5..<part * 5 + 5).found
        .first { $0.failure.kind == .disagreement }.map { $0.runs[0] + 1 }
    }.first
  }

  /// The number of actions includes the release of each instance, which depends on when its last
  /// reference is released. So no thread may release a reference while another thread runs.
  @Test func `campaigns without planted bugs are equal`() {
    let reports = (0..<2).map { _ in campaign(PlantedBugSet()).run(0..<400).campaign }
    #expect(reports[0].digest == reports[1].digest)
    #expect(reports[0].steps == reports[1].steps)
  }

  @Test func `campaigns on code find twenty planted bugs`() {
    let clean = campaign(PlantedBugSet()).run(0..<150)
    #expect(!clean.found.contains { $0.failure.kind == .disagreement })
    // Stop after twenty bugs, because a bug that no run finds takes the most runs.
    var found: [(bug: PlantedBug, runs: Int)] = []
    for bug in PlantedBug.allCases where found.count < 20 {
      if let runs = runsToFind(bug) { found.append((bug, runs)) }
    }
    #expect(found.count == 20, "\(found)")
  }
}
