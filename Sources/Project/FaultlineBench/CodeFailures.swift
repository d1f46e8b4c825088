#if os(Linux)
  import CodeReporting
  import CoreData
  import LiveCode
  import PropertyTesting

  /// Code with a bug of each kind, to measure the time from failing runs to an explained failure.
  enum CodeFailures {
    /// An app that shows a note in a list on the main queue.
    private struct Notes {
      let container: NSPersistentContainer
      let note: NSManagedObject
      var list: NSManagedObjectContext { container.viewContext }
      var id: NSManagedObjectID { note.objectID }

      init(_ policy: NSMergePolicy = .mergeByPropertyObjectTrump) throws {
        container = NSPersistentContainer(name: "Notes", managedObjectModel: CodeRuns.model)
        container.loadPersistentStores { _, _ in }
        container.viewContext.mergePolicy = policy
        note = NSEntityDescription.insertNewObject(
          forEntityName: "Note", into: container.viewContext)
        note.setValue("first", forKey: "title")
        try container.viewContext.save()
      }

      func child() -> NSManagedObjectContext {
        let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        child.parent = list
        return child
      }

      func inBackground(
        _ policy: NSMergePolicy, merging: Bool = false,
        _ work: @escaping (NSManagedObjectContext) -> Void
      ) {
        let context = container.newBackgroundContext()
        context.mergePolicy = policy
        context.automaticallyMergesChangesFromParent = merging
        context.perform { work(context) }
      }

      func count(in context: NSManagedObjectContext) {
        let note = context.object(with: id)
        note.setValue((note.value(forKey: "views") as? Int ?? 0) + 1, forKey: "views")
      }
    }

    /// The bugs, by name. Each one declares the functions of an app.
    static var bugs: [(name: String, declare: (LiveApp) throws -> Void)] {
      [
        ("a title is overwritten", overwriteTitle),
        ("a count is lost", loseCount),
        ("a merge keeps a count", keepCountInMerge),
        ("a save is dropped", dropSave),
        ("a form overwrites the list", overwriteList),
        ("a form inserts a note", insertInForm),
        ("a batch update goes past the list", updateRows),
        ("a form reads an old copy of the list", readOldCopy),
        ("two queues wait for each other", waitForEachOther),
        ("a context is used without its queue", leaveQueue),
      ]
    }

    private static func overwriteTitle(_ app: LiveApp) throws {
      let notes = try Notes()
      app.declare("rename") {
        notes.inBackground(.overwrite) { context in
          context.object(with: notes.id).setValue("\(app.number(below: 9))", forKey: "title")
          try? context.save()
        }
      }
    }

    private static func loseCount(_ app: LiveApp) throws {
      let notes = try Notes()
      app.declare("count") {
        notes.inBackground(.mergeByPropertyObjectTrump) { context in
          notes.count(in: context)
          try? context.save()
        }
      }
    }

    private static func keepCountInMerge(_ app: LiveApp) throws {
      let notes = try Notes()
      app.declare("count") {
        notes.inBackground(.mergeByPropertyObjectTrump, merging: true) { context in
          notes.count(in: context)
          context.perform { try? context.save() }
        }
      }
    }

    private static func dropSave(_ app: LiveApp) throws {
      let notes = try Notes()
      app.declare("rename") {
        notes.inBackground(.mergeByPropertyStoreTrump) { context in
          context.object(with: notes.id).setValue("\(app.number(below: 9))", forKey: "title")
          try? context.save()
        }
      }
    }

    private static func overwriteList(_ app: LiveApp) throws {
      let notes = try Notes()
      let form = notes.child()
      app.declare("edit") {
        try form.existingObject(with: notes.id).setValue("edited", forKey: "title")
      }
      app.declare("rename") { notes.note.setValue("\(app.number(below: 9))", forKey: "title") }
      app.declare("done") { try form.save() }
    }

    private static func insertInForm(_ app: LiveApp) throws {
      let notes = try Notes()
      app.declare("add") {
        let form = notes.child()
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: form)
        note.setValue("new", forKey: "title")
        try form.save()
        try notes.list.save()
        _ = note.objectID.isTemporaryID
      }
    }

    private static func updateRows(_ app: LiveApp) throws {
      let notes = try Notes()
      app.declare("mark") {
        notes.inBackground(.error) { context in
          let request = NSBatchUpdateRequest(entityName: "Note")
          request.propertiesToUpdate = ["title": "\(app.number(below: 9))"]
          _ = try? context.execute(request)
        }
      }
      app.declare("show") {
        notes.list.refresh(notes.note, mergeChanges: false)
        _ = notes.note.value(forKey: "title")
      }
    }

    private static func readOldCopy(_ app: LiveApp) throws {
      let notes = try Notes()
      app.declare("rename") {
        notes.inBackground(.overwrite) { context in
          context.object(with: notes.id).setValue("\(app.number(below: 9))", forKey: "title")
          try? context.save()
        }
      }
      app.declare("show") {
        _ = try notes.child().existingObject(with: notes.id).value(forKey: "title")
      }
    }

    private static func waitForEachOther(_ app: LiveApp) throws {
      let notes = try Notes()
      let worker = notes.container.newBackgroundContext()
      app.declare("import") { worker.perform { notes.list.performAndWait {} } }
      app.declare("wait") { worker.performAndWait {} }
    }

    private static func leaveQueue(_ app: LiveApp) throws {
      let notes = try Notes()
      let worker = notes.container.newBackgroundContext()
      app.declare("peek") { _ = worker.hasChanges }
      app.declare("rename") { notes.note.setValue("renamed", forKey: "title") }
    }

    /// Declares an app with four of the bugs.
    static func declareSeveral(_ app: LiveApp) throws {
      for bug in [overwriteTitle, loseCount, dropSave, overwriteList] { try bug(app) }
    }

    /// Returns the milliseconds for the most severe failure of each bug, if `runs` runs found it.
    /// The time is for shrinking the actions of the code, and for slicing, diagnosis, proof and
    /// explanation.
    static func times(runs: Int) -> [(name: String, kind: String, milliseconds: Double)] {
      bugs.compactMap { bug in
        var campaign = LiveCampaign { (app: LiveApp) throws -> Void in try bug.declare(app) }
        let found = campaign.run(0..<runs).campaign.findings.map(\.example.failure)
        guard let worst = found.min(by: { $0.severityRank < $1.severityRank }) else { return nil }
        let origin = CodeOrigin(.campaign(only: nil), test: bug.name, filter: bug.name)
        let plan = TestPlan(schedules: 1, allowed: [])
        campaign.isOfInterest = { _ in false }
        let counting = Sampling.seconds { _ = campaign.run(0..<runs) }
        campaign.isOfInterest = { $0.kind == worst.kind }
        let whole = Sampling.seconds {
          let report = plan.run(campaign, 0..<runs, origin)
          _ = plan.finished(report.found.map { CodeFailureReport($0, in: runs, origin) })
        }
        return (bug.name, worst.name, max(0, whole - counting) * 1_000)
      }
    }
  }
#endif
