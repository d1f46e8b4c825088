import CoreData
import Foundation
import Testing

@Suite struct `A request that selects rows or groups` {
  private func withNotes(
    _ body: @escaping (NSManagedObjectContext) throws -> Void
  ) {
    let outcome = live {
      let view = Notes.container().viewContext
      for (title, views) in [("a", 3), ("b", 1), ("a", 2), ("c", 9)] as [(String, Int64)] {
        let note = Note(context: view)
        (note.title, note.views) = (title, views)
      }
      try view.save()
      try body(view)
    }
    #expect(outcome.stop == nil && outcome.disagreement == nil)
  }

  private func views(_ context: NSManagedObjectContext) throws -> [Int64] {
    context.reset()
    return try context.fetch(NSFetchRequest<Note>(entityName: "Note")).map(\.views).sorted()
  }

  @Test func `a batch deletion follows the sort order, offset and limit of its request`() {
    withNotes { (view) throws in
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "views", ascending: false)]
      (request.fetchOffset, request.fetchLimit) = (1, 2)
      let delete = NSBatchDeleteRequest(fetchRequest: request)
      delete.resultType = .resultTypeCount
      #expect((try view.execute(delete) as? NSBatchDeleteResult)?.result as? Int == 2)
      #expect(try views(view) == [1, 9])
      (request.fetchOffset, request.fetchLimit) = (1, 0)
      try view.execute(NSBatchDeleteRequest(fetchRequest: request))
      #expect(try views(view) == [9])
    }
  }

  @Test func `a batch update sets values of constant expressions`() {
    withNotes { (view) throws in
      let update = NSBatchUpdateRequest(entityName: "Note")
      update.predicate = NSPredicate(
        format: "SUBQUERY(tags, $t, $t.label != nil).@count == 0 AND views < 3")
      update.propertiesToUpdate = ["views": SimulatedNSExpression(forConstantValue: 7)]
      update.resultType = .updatedObjectsCountResultType
      #expect((try view.execute(update) as? NSBatchUpdateResult)?.result as? Int == 2)
      #expect(try views(view) == [3, 7, 7, 9])
    }
  }

  @Test func `a batch update computes a value for each row`() {
    withNotes { (view) throws in
      let update = NSBatchUpdateRequest(entityName: "Note")
      update.predicate = NSPredicate(format: "views > 1")
      update.propertiesToUpdate = [
        "views": SimulatedNSExpression(format: "views * 2 - 1"),
        "title": SimulatedNSExpression(forConstantValue: "done"),
      ]
      let before = try views(view)
      try view.execute(update)
      #expect(before == [1, 2, 3, 9])
      #expect(try views(view) == [1, 3, 5, 17])
      let done = NSFetchRequest<Note>(entityName: "Note")
      done.predicate = NSPredicate(format: "title == 'done'")
      #expect(try view.count(for: done) == 3)
    }
  }

  @Test func `a batch deletion follows a sort order by a method`() {
    withNotes { (view) throws in
      for (index, title) in ["b", "A", "c", "D"].enumerated() {
        try view.fetch(NSFetchRequest<Note>(entityName: "Note"))[index].title = title
      }
      try view.save()
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
      request.sortDescriptors = [
        NSSortDescriptor(
          key: "title", ascending: true,
          selector: NSSelectorFromString("caseInsensitiveCompare:"))
      ]
      (request.fetchOffset, request.fetchLimit) = (1, 2)
      try view.execute(NSBatchDeleteRequest(fetchRequest: request))
      view.reset()
      let left = try view.fetch(NSFetchRequest<Note>(entityName: "Note")).compactMap(\.title)
      #expect(left.sorted() == ["A", "D"])
    }
  }

  @Test func `a batch request can exclude subentities`() {
    let outcome = live {
      let model = NSManagedObjectModel()
      let (animal, dog) = (NSEntityDescription(), NSEntityDescription())
      (animal.name, dog.name) = ("Animal", "Dog")
      let name = NSAttributeDescription()
      (name.name, name.attributeType) = ("name", .stringAttributeType)
      animal.properties = [name]
      animal.subentities = [dog]
      model.entities = [animal, dog]
      let container = NSPersistentContainer(name: "Animals", managedObjectModel: model)
      container.loadPersistentStores { _, error in #expect(error == nil) }
      let view = container.viewContext
      for name in ["Animal", "Dog", "Dog"] {
        _ = NSEntityDescription.insertNewObject(forEntityName: name, into: view)
      }
      try view.save()
      let update = NSBatchUpdateRequest(entity: animal)
      update.includesSubentities = false
      update.propertiesToUpdate = ["name": "x"]
      update.resultType = .updatedObjectsCountResultType
      #expect((try view.execute(update) as? NSBatchUpdateResult)?.result as? Int == 1)
      let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Animal")
      request.includesSubentities = false
      try view.execute(NSBatchDeleteRequest(fetchRequest: request))
      request.includesSubentities = true
      #expect(try view.count(for: request) == 2)
    }
    #expect(outcome.stop == nil && outcome.disagreement == nil)
  }

  @Test func `a having predicate selects groups`() {
    withNotes { (view) throws in
      let total = NSExpressionDescription()
      (total.name, total.expressionResultType) = ("total", .integer64AttributeType)
      total.expression = SimulatedNSExpression(
        forFunction: "sum:", arguments: [SimulatedNSExpression(forKeyPath: "views")])
      let request = NSFetchRequest<NSDictionary>(entityName: "Note")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["title", total]
      request.propertiesToGroupBy = ["title"]
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      func titles(_ predicate: NSPredicate) throws -> [String] {
        request.havingPredicate = predicate
        return try view.fetch(request).compactMap { $0["title"] as? String }
      }
      #expect(try titles(NSPredicate(format: "total > 4")) == ["a", "c"])
      #expect(
        try titles(NSPredicate(format: "%@ < 6", SimulatedNSExpression(forVariable: "total")))
          == ["a", "b"])
      #expect(try titles(NSPredicate(format: "title == 'b'")) == ["b"])
      // The condition on groups may use an expression that is not fetched. Its value is then not in
      // the result.
      let sum = try #require(total.expression)
      request.propertiesToFetch = ["title"]
      #expect(try titles(NSPredicate(format: "%@ > 4", sum)) == ["a", "c"])
      #expect(try view.fetch(request).allSatisfy { $0.count == 1 })
      request.propertiesToFetch = ["title", total]
      request.fetchLimit = 1
      request.fetchOffset = 1
      #expect(try titles(NSPredicate(format: "total > 4")) == ["c"])
    }
  }

  @Test func `a request groups by an attribute behind a relationship`() {
    withNotes { (view) throws in
      let notes = try view.fetch(NSFetchRequest<Note>(entityName: "Note"))
      for (number, label) in ["x", "z", "y", "w", "v"].enumerated() {
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: view)
        tag.setValue(label, forKey: "label")
        if number < 4 {
          tag.setValue(notes.first { $0.views == (number == 1 ? 1 : 9) }, forKey: "note")
        }
      }
      try view.save()
      func expression(_ name: String, _ function: String, _ key: String) -> NSExpressionDescription
      {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = SimulatedNSExpression(
          forFunction: function, arguments: [SimulatedNSExpression(forKeyPath: key)])
        description.expressionResultType =
          function == "count:" ? .integer32AttributeType : .stringAttributeType
        return description
      }
      let request = NSFetchRequest<NSDictionary>(entityName: "Tag")
      request.resultType = .dictionaryResultType
      request.propertiesToGroupBy = ["note.title"]
      request.propertiesToFetch = [
        "note.title", expression("count", "count:", "label"), expression("last", "max:", "label"),
      ]
      request.sortDescriptors = [NSSortDescriptor(key: "note.title", ascending: true)]
      let all = try view.fetch(request)
      #expect(all.map { $0["note.title"] as? String } == [nil, "b", "c"])
      #expect(all.map { $0["count"] as? Int } == [1, 1, 3])
      #expect(all.map { $0["last"] as? String } == ["v", "z", "y"])
      request.havingPredicate = NSPredicate(format: "count > 1")
      #expect(try view.fetch(request).map { $0["note.title"] as? String } == ["c"])
    }
  }
}

@Suite struct `History` {
  @Test func `history has updated properties and the preserved values of deletions`() {
    live {
      let model = Notes.model()
      let note = try #require(model.entitiesByName["Note"])
      note.attributesByName["title"]?.preservesValueInHistoryOnDeletion = true
      let container = NSPersistentContainer(name: "Kept", managedObjectModel: model)
      container.loadPersistentStores { _, error in #expect(error == nil) }
      let view = container.viewContext
      let object = Note(context: view)
      object.title = "kept"
      try view.save()
      view.transactionAuthor = "sync"
      object.views = 3
      try view.save()
      view.delete(object)
      try view.save()
      func transactions(_ predicate: NSPredicate?) throws -> [NSPersistentHistoryTransaction] {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
        request.fetchRequest?.predicate = predicate
        let result = try view.execute(request) as? NSPersistentHistoryResult
        return result?.result as? [NSPersistentHistoryTransaction] ?? []
      }
      let all = try transactions(nil)
      #expect(all.count == 3)
      #expect(all[1].changes?.first?.updatedProperties?.map(\.name) == ["views"])
      #expect(all[2].changes?.first?.tombstone?["title"] as? String == "kept")
      #expect(all[0].changes?.first?.tombstone == nil)
      #expect(try transactions(NSPredicate(format: "author == 'sync'")).count == 2)
      #expect(try transactions(NSPredicate(format: "author != %@", "sync")).count == 1)
    }
  }
}

@Suite struct `A context without a coordinator` {
  @Test func `a context without a coordinator is empty and runs blocks`() {
    live {
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      #expect(!context.hasChanges && context.registeredObjects.isEmpty)
      context.reset()
      context.rollback()
      try context.save()
      // Without a type that decides, a block with a value returns it.
      let number = context.performAndWait { 3 }
      let parent = context.performAndWait { context.parent }
      #expect(number == 3 && parent == nil)
      let log = EventLog()
      context.perform { log.note("run") }
      SimulatedMainLoop.run(milliseconds: 10)
      #expect(log.events == ["run"])
    }
  }
}
