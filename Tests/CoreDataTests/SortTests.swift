import CoreData
import Foundation
import Testing

@Suite struct `A sort by a comparison method` {
  /// Saves notes with the given titles, and calls `body`.
  private func withNotes(
    _ titles: [String?] = ["b10", "B9", "a", nil, "C"],
    _ body: @escaping (NSManagedObjectContext) throws -> Void
  ) {
    let outcome = live {
      let view = Notes.container().viewContext
      for (index, title) in titles.enumerated() {
        let note = Note(context: view)
        (note.title, note.views) = (title, Int64(index))
      }
      try view.save()
      view.reset()
      try body(view)
    }
    #expect(outcome.stop == nil && outcome.disagreement == nil)
  }

  private func request<Result>(_ type: Result.Type, ascending: Bool = true) -> NSFetchRequest<
    Result
  > {
    let request = NSFetchRequest<Result>(entityName: "Note")
    request.sortDescriptors = [
      NSSortDescriptor(
        key: "title", ascending: ascending,
        selector: SimulatedSelector(comparing: NSString.localizedStandardCompare(_:)))
    ]
    return request
  }

  @Test func `a request applies its offset and limit after the sort`() {
    withNotes { (view) throws in
      let request = request(Note.self)
      #expect(try view.fetch(request).map(\.title) == [nil, "a", "B9", "b10", "C"])
      (request.fetchOffset, request.fetchLimit) = (1, 2)
      view.reset()
      #expect(try view.fetch(request).map(\.title) == ["a", "B9"])
      #expect(view.registeredObjects.count == 2)
      request.fetchOffset = 4
      #expect(try view.fetch(request).map(\.title) == ["C"])
    }
  }

  @Test func `a child's fetch includes pending changes of the child and its parent`() {
    withNotes { (view) throws in
      let child = NSManagedObjectContext(.mainQueue)
      child.parent = view
      Note(context: view).title = "aa"
      let request = request(Note.self)
      (request.fetchOffset, request.fetchLimit) = (1, 3)
      let titles = try child.fetch(request).map(\.title)
      #expect(titles == ["a", "aa", "B9"])
      Note(context: child).title = "Ab"
      #expect(try child.fetch(request).map(\.title) == ["a", "aa", "Ab"])
      let ids = self.request(NSManagedObjectID.self)
      (ids.resultType, ids.fetchLimit) = (.managedObjectIDResultType, 2)
      #expect(try child.fetch(ids).count == 2)
    }
  }

  @Test func `a fetch sorts pending changes before it applies the limit`() {
    withNotes { (view) throws in
      let request = request(Note.self)
      request.fetchLimit = 2
      let first = Note(context: view)
      first.title = "0"
      #expect(try view.fetch(request).map(\.title) == [nil, "0"])
      request.includesPendingChanges = false
      #expect(try view.fetch(request).map(\.title) == [nil, "a"])
    }
  }

  @Test func `a fetch sorts IDs and dictionaries`() {
    withNotes { (view) throws in
      let ids = request(NSManagedObjectID.self, ascending: false)
      ids.resultType = .managedObjectIDResultType
      ids.fetchLimit = 2
      let titles = try view.fetch(ids).map { (view.object(with: $0) as? Note)?.title }
      #expect(titles == ["C", "b10"])
      let rows = request(NSDictionary.self)
      (rows.resultType, rows.propertiesToFetch) = (.dictionaryResultType, ["title"])
      rows.fetchOffset = 2
      #expect(try view.fetch(rows).map { $0["title"] as? String } == ["B9", "b10", "C"])
    }
  }

  @Test func `a Swift sort descriptor sorts texts in the standard or lexical order`() {
    withNotes { (view) throws in
      let request = NSFetchRequest<Note>(entityName: "Note")
      let descriptor = SimulatedSortDescriptor(\Note.title, order: .reverse)
      request.sortDescriptors = [NSSortDescriptor(descriptor)]
      let sorted: [String?] = ["C", "b10", "B9", "a", nil]
      #expect(try view.fetch(request).map(\.title) == sorted)
      #expect(try view.fetch(request).shuffled().sorted(using: descriptor).map(\.title) == sorted)
      request.sortDescriptors = [
        NSSortDescriptor(SimulatedSortDescriptor(\Note.title, comparator: .lexical))
      ]
      #expect(try view.fetch(request).map(\.title) == [nil, "B9", "C", "a", "b10"])
      request.sortDescriptors = [SimulatedSortDescriptor(\Note.views, order: .reverse)].map {
        NSSortDescriptor($0)
      }
      #expect(try view.fetch(request).map(\.views) == [4, 3, 2, 1, 0])
      let back = SimulatedSortDescriptor(
        NSSortDescriptor(key: "views", ascending: false), comparing: Note.self)
      #expect(try view.fetch(request).sorted(using: try #require(back)).first?.views == 4)
    }
  }

  @Test func `a comparator sorts objects in memory`() {
    withNotes(["aaa", "b", "cc"]) { (view) throws in
      let notes = try view.fetch(NSFetchRequest<Note>(entityName: "Note"))
      let byLength = NSSortDescriptor(key: "title", ascending: true) { a, b in
        let (a, b) = ((a as? String)?.count ?? 0, (b as? String)?.count ?? 0)
        return a < b ? .orderedAscending : a > b ? .orderedDescending : .orderedSame
      }
      let sorted = (notes as NSArray).sortedArray(using: [byLength])
      #expect(sorted.compactMap { ($0 as? Note)?.title } == ["b", "cc", "aaa"])
    }
  }
}

@Suite struct `A row's dictionary` {
  /// Saves four tags: "x" and "y" of the note "b", "z" of "a", and "w" without a note.
  private func withTags(_ body: @escaping (NSManagedObjectContext) throws -> Void) {
    let outcome = live {
      let view = Notes.container().viewContext
      let notes = ["b", "a"].map { title in
        let note = Note(context: view)
        note.title = title
        return note
      }
      for (label, note) in [("x", notes[0]), ("y", notes[0]), ("z", notes[1]), ("w", nil)] {
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: view)
        tag.setValuesForKeys(["label": label, "note": (note ?? NSNull()) as Any])
      }
      try view.save()
      try body(view)
    }
    #expect(outcome.stop == nil && outcome.disagreement == nil)
  }

  private func request() -> NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: "Tag")
    request.resultType = .dictionaryResultType
    request.sortDescriptors = [NSSortDescriptor(key: "label", ascending: true)]
    return request
  }

  @Test func `a row has values behind a relationship and the object's ID`() {
    withTags { (view) throws in
      let (request, id) = (request(), NSExpressionDescription())
      (id.name, id.expressionResultType) = ("id", .objectIDAttributeType)
      id.expression = SimulatedNSExpression.expressionForEvaluatedObject()
      let title = NSExpressionDescription()
      (title.name, title.expression) = ("title", SimulatedNSExpression(forKeyPath: "note.title"))
      request.propertiesToFetch = ["label", "note.title", title, id]
      let rows = try view.fetch(request)
      #expect(rows.map { $0["label"] as? String } == ["w", "x", "y", "z"])
      #expect(rows.map { $0["note.title"] as? String } == [nil, "b", "b", "a"])
      #expect(rows.map { $0["title"] as? String } == [nil, "b", "b", "a"])
      for row in rows {
        let tag = view.object(with: try #require(row["id"] as? NSManagedObjectID))
        #expect(tag.value(forKey: "label") as? String == row["label"] as? String)
      }
    }
  }

  @Test func `distinct rows are determined before the offset and limit apply`() {
    withTags { (view) throws in
      let request = request()
      request.propertiesToFetch = ["note.title"]
      request.returnsDistinctResults = true
      request.sortDescriptors = [NSSortDescriptor(key: "note.title", ascending: true)]
      (request.fetchOffset, request.fetchLimit) = (1, 2)
      #expect(try view.fetch(request).map { $0["note.title"] as? String } == ["a", "b"])
    }
  }

  @Test func `a row has a relationship as an object ID`() {
    withTags { (view) throws in
      let request = request()
      request.propertiesToFetch = ["note"]
      let ids = try view.fetch(request).map { $0["note"] as? NSManagedObjectID }
      #expect(ids.compactMap { $0?.entity.name } == ["Note", "Note", "Note"] && ids[0] == nil)
    }
  }
}

@Suite struct `A key path of a sort` {
  final class Tag: NSManagedObject {
    var note: Note? { managed("note") }
    var next: Tag? { managed("next") }
    var deep: Tag? { next?.deep ?? self }
  }

  @Test func `a key path leads over an optional relationship`() {
    live {
      #expect(NSSortDescriptor(keyPath: \Tag.note?.title, ascending: true).key == "note.title")
      #expect(NSSortDescriptor(keyPath: \Tag.note, ascending: true).key == "note")
      #expect(NSSortDescriptor(keyPath: \Tag.deep, ascending: true).key != nil)
    }
  }
}

@Suite struct `An error of Core Data` {
  @Test func `an error is caught by its code and has its object and key`() {
    live { () throws in
      let view = Notes.container().viewContext
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: view)
      do {
        try view.save()
        Issue.record("a tag without a label is saved")
      } catch CocoaError.validationMissingMandatoryProperty {
      } catch { Issue.record("\(error)") }
      do { try view.save() } catch let error as CocoaError {
        #expect(error.code == .validationMissingMandatoryProperty)
        #expect(error.validationKey == "label" && error.validationValue == nil)
        #expect(error.validationObject as? NSManagedObject === tag)
        #expect(error.affectedObjects == nil && error.persistentStoreSaveConflicts == nil)
      } catch { Issue.record("\(error)") }
    }
  }

  @Test func `a merge error has its conflicts`() {
    live { () throws in
      let container = Notes.container()
      let note = Note(context: container.viewContext)
      try container.viewContext.save()
      let other = container.newBackgroundContext()
      try other.performAndWait {
        (other.object(with: note.objectID) as? Note)?.views = 5
        try other.save()
      }
      note.views = 6
      do { try container.viewContext.save() } catch let error as CocoaError {
        #expect(error.code == .managedObjectMerge || error.code == .persistentStoreSaveConflicts)
        #expect(error.persistentStoreSaveConflicts?.first?.sourceObject === note)
      } catch { Issue.record("\(error)") }
    }
  }
}
