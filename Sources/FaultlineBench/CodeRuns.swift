#if os(Linux)
  import CoreData
  import LiveCode

  /// An app's code: notes that two background contexts and the list on the main queue change.
  enum CodeRuns {
    /// Made once, as apps do.
    private static let model: NSManagedObjectModel = {
      let note = NSEntityDescription()
      note.name = "Note"
      let title = NSAttributeDescription()
      title.name = "title"
      title.attributeType = .stringAttributeType
      let views = NSAttributeDescription()
      views.name = "views"
      views.attributeType = .integer64AttributeType
      views.defaultValue = 0
      note.properties = [title, views]
      let model = NSManagedObjectModel()
      model.entities = [note]
      return model
    }()

    private static var campaign: LiveCampaign {
      var campaign = LiveCampaign { (app: LiveApp) throws -> Void in
        let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
        container.loadPersistentStores { _, _ in }
        let list = container.viewContext
        list.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: list)
        note.setValue("first", forKey: "title")
        try list.save()
        let id = note.objectID
        app.declare("import") {
          container.performBackgroundTask { context in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            context.object(with: id).setValue("imported", forKey: "title")
            try? context.save()
          }
        }
        app.declare("show") {
          let views = note.value(forKey: "views") as? Int ?? 0
          note.setValue(views + 1, forKey: "views")
          try list.save()
        }
      }
      campaign.actionCount = 28
      return campaign
    }

    /// Makes so many runs, and returns how many; none shrinks what it finds.
    static func run(_ count: Int) -> Int {
      precondition(campaign.count(0..<count) > 0, "runs of code do nothing")
      return count
    }

    /// How many actions a run has.
    static var actionsOfARun: Int { campaign.count(0..<400) / 400 }

    /// Hands the turn to another thread and back so many times.
    static func handOver(_ count: Int) -> Int {
      HandOvers.run(count)
      return count
    }
  }
#endif
