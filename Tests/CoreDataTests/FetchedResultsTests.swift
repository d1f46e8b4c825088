import CoreData
import Foundation
import Testing

/// A class with a computed property, in the form of a prepared class.
final class Initialed: NSManagedObject {
  override func computedValue(forKey key: String) -> Any?? {
    guard key == "initial" else { return super.computedValue(forKey: key) }
    return .some((value(forKey: "title") as? String)?.first.map { String($0).uppercased() })
  }
}

/// A delegate that records its calls.
private final class Delegate: NSFetchedResultsControllerDelegate {
  var calls: [String] = []
  private(set) var isSender = true
  weak var list: NSFetchedResultsController<Note>?

  private func text(_ path: IndexPath?) -> String {
    path.map { "\($0.section).\($0.item)" } ?? "-"
  }

  private func note(
    _ call: String, _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    calls.append(call)
    isSender =
      isSender && list.map { controller.isEqual($0) } ?? false
      && controller.fetchRequest.entityName == "Note"
  }

  func controllerWillChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    note("begin", controller)
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange sectionInfo: any NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int,
    for type: NSFetchedResultsChangeType
  ) {
    note("\(type) section \(sectionInfo.name) \(sectionIndex)", controller)
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange object: Any, at indexPath: IndexPath?, for type: NSFetchedResultsChangeType,
    newIndexPath: IndexPath?
  ) {
    #expect(object is NSManagedObject)
    note("\(type) \(text(indexPath)) \(text(newIndexPath))", controller)
  }

  func controllerDidChangeContent(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>
  ) {
    note("end", controller)
  }
}

@Suite struct `A list of fetched results` {
  /// Inserts and saves a note for each pair.
  private func insert(
    _ notes: [(title: String, views: Int64)], in context: NSManagedObjectContext
  ) throws -> [Note] {
    let inserted = notes.map { title, views in
      let note = Note(context: context)
      (note.title, note.views) = (title, views)
      return note
    }
    try context.save()
    return inserted
  }

  private func list(
    of context: NSManagedObjectContext, by keys: [String] = ["title", "views"],
    sections: String? = nil
  ) -> NSFetchedResultsController<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
    return NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections,
      cacheName: nil)
  }

  @Test func `a list shows the fetched objects in order`() {
    let outcome = live {
      let view = Notes.container().viewContext
      let notes = try self.insert([("b", 1), ("a", 2), ("c", 3)], in: view)
      let list = self.list(of: view)
      #expect(list.fetchedObjects == nil && list.sections == nil)
      try list.performFetch()
      #expect(list.fetchedObjects == [notes[1], notes[0], notes[2]])
      #expect(list.sections?.map(\.name) == [""])
      #expect(list.sections?.first?.numberOfObjects == 3)
      #expect(list.object(at: IndexPath(item: 2, section: 0)) === notes[2])
      #expect(list.indexPath(forObject: notes[0]) == IndexPath(row: 1, section: 0))
      list.fetchRequest.predicate = NSPredicate(format: "views > 1")
      try list.performFetch()
      #expect(list.fetchedObjects == [notes[1], notes[2]])
      #expect(list.indexPath(forObject: notes[0]) == nil)
      #expect(list.managedObjectContext === view)
    }
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  /// An object is released from its context if neither code nor a list holds it any more.
  @Test func `a list does not retain an object that it has dropped`() {
    let outcome = live {
      let container = Notes.container()
      let view = container.viewContext
      let sync = container.newBackgroundContext()
      try sync.performAndWait { _ = try self.insert([("a", 2), ("b", 1)], in: sync) }
      let list = self.list(of: view)
      list.fetchRequest.predicate = NSPredicate(format: "views > 1")
      let delegate = Delegate()
      list.delegate = delegate
      try list.performFetch()
      var dropped = list.fetchedObjects?.first
      dropped?.views = 0
      try view.save()
      #expect(list.fetchedObjects?.isEmpty == true)
      withExtendedLifetime(dropped) {}
      dropped = nil
      view.perform { withExtendedLifetime((container, list, delegate)) {} }
    }
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a list has a section for each value of an attribute`() {
    let outcome = live {
      let view = Notes.container().viewContext
      let notes = try self.insert(
        [("work", 2), ("home", 1), ("work", 1), ("travel", 5), ("home", 3)], in: view)
      let list = self.list(of: view, sections: "title")
      try list.performFetch()
      let sections = list.sections ?? []
      #expect(list.sectionNameKeyPath == "title")
      #expect(sections.map(\.name) == ["home", "travel", "work"])
      #expect(sections.map(\.numberOfObjects) == [2, 1, 2])
      #expect(sections.map(\.indexTitle) == ["H", "T", "W"])
      #expect(list.sectionIndexTitles == ["H", "T", "W"])
      #expect(sections[2].objects as? [Note] == [notes[2], notes[0]])
      #expect(list.object(at: IndexPath(item: 1, section: 0)) === notes[4])
      #expect(list.indexPath(forObject: notes[0]) == IndexPath(item: 1, section: 2))
      let byViews = self.list(of: view, by: ["views", "title"], sections: "views")
      try byViews.performFetch()
      #expect(byViews.sections?.map(\.name) == ["1", "2", "3", "5"])
    }
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a list has a section for each value of a computed property`() {
    let outcome = live {
      let model = Notes.model()
      model.entities[0].managedObjectClassName = "Initialed"
      let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
      container.loadPersistentStores { _, _ in }
      let view = container.viewContext
      func insert(_ title: String) -> Initialed {
        let note = Initialed(context: view)
        note.setValue(title, forKey: "title")
        return note
      }
      let (ape, bear) = (insert("ape"), insert("bear"))
      _ = insert("bee")
      try view.save()
      let request = NSFetchRequest<Initialed>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let list = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: view, sectionNameKeyPath: "initial",
        cacheName: nil)
      let delegate = Delegate()
      list.delegate = delegate
      try list.performFetch()
      #expect(list.sections?.map(\.name) == ["A", "B"])
      #expect(list.sections?.map(\.numberOfObjects) == [1, 2])
      #expect(list.indexPath(forObject: bear) == IndexPath(item: 0, section: 1))
      ape.setValue("cat", forKey: "title")
      view.processPendingChanges()
      #expect(list.sections?.map(\.name) == ["B", "C"])
      #expect(
        delegate.calls == [
          "begin", "delete section A 0", "insert section C 1", "move 0.0 1.0", "end",
        ])
    }
    #expect(outcome.stop == nil && outcome.disagreement == nil)
  }

  @Test func `a list can be sorted by a method`() {
    let outcome = live {
      let view = Notes.container().viewContext
      let notes = try self.insert([("b", 1), ("A", 2), ("c", 3)], in: view)
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = [
        NSSortDescriptor(
          key: "title", ascending: true,
          selector: SimulatedSelector(NSString.caseInsensitiveCompare(_:)))
      ]
      let list = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: view, sectionNameKeyPath: nil,
        cacheName: nil)
      let delegate = Delegate()
      list.delegate = delegate
      try list.performFetch()
      #expect(list.fetchedObjects?.map(\.title) == ["A", "b", "c"])
      func calls(_ change: () -> Void) -> [String] {
        delegate.calls = []
        change()
        view.processPendingChanges()
        return delegate.calls.filter { $0 != "begin" && $0 != "end" }
      }
      #expect(calls { notes[0].title = "D" } == ["move 0.1 0.2"])
      #expect(calls { notes[2].views = 4 } == ["update 0.1 0.1"])
      #expect(calls { notes[1].title = "a" } == ["update 0.0 0.0"])
      #expect(calls { view.delete(notes[1]) } == ["delete 0.0 -"])
      #expect(calls { Note(context: view).title = "aa" } == ["insert - 0.0"])
      #expect(list.fetchedObjects?.map(\.title) == ["aa", "c", "D"])
    }
    #expect(outcome.stop == nil && outcome.disagreement == nil)
  }

  /// Changes the notes "a", "c" and "e", and checks the delegate's calls after each change.
  @Test func `a delegate receives each change with its index paths`() {
    let outcome = live {
      let view = Notes.container().viewContext
      let notes = try self.insert([("a", 0), ("c", 0), ("e", 0)], in: view)
      let (list, delegate) = (self.list(of: view), Delegate())
      (list.delegate, delegate.list) = (delegate, list)
      try list.performFetch()
      func calls(_ change: () throws -> Void) rethrows -> [String] {
        delegate.calls = []
        try change()
        view.processPendingChanges()
        return delegate.calls
      }
      #expect(calls {} == [])
      let insertion = try calls { _ = try self.insert([("b", 0)], in: view) }
      #expect(insertion == ["begin", "insert - 0.1", "end"])
      #expect(calls { notes[1].views = 7 } == ["begin", "update 0.2 0.2", "end"])
      #expect(list.indexPath(forObject: notes[1]) == IndexPath(item: 2, section: 0))
      #expect(calls { notes[0].title = "d" } == ["begin", "move 0.0 0.2", "end"])
      #expect(list.fetchedObjects?.map(\.title) == ["b", "c", "d", "e"])
      #expect(calls { view.delete(notes[2]) } == ["begin", "delete 0.3 -", "end"])
      #expect(list.fetchedObjects?.map(\.title) == ["b", "c", "d"])
      #expect(delegate.isSender)
      list.delegate = nil
      #expect(calls { notes[1].title = "z" } == [])
    }
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a delegate receives insertions and deletions of sections`() {
    let outcome = live {
      let view = Notes.container().viewContext
      let notes = try self.insert([("home", 1), ("work", 1), ("work", 2)], in: view)
      let (list, delegate) = (self.list(of: view, sections: "title"), Delegate())
      (list.delegate, delegate.list) = (delegate, list)
      try list.performFetch()
      notes[0].title = "travel"
      view.processPendingChanges()
      #expect(
        delegate.calls == [
          "begin", "delete section home 0", "insert section travel 0", "move 0.0 0.0", "end",
        ])
      delegate.calls = []
      view.delete(notes[1])
      view.processPendingChanges()
      #expect(delegate.calls == ["begin", "delete 1.0 -", "end"])
      delegate.calls = []
      view.delete(notes[2])
      let note = Note(context: view)
      note.title = "home"
      view.processPendingChanges()
      #expect(
        delegate.calls == [
          "begin", "delete section work 1", "insert section home 0", "delete 1.0 -",
          "insert - 0.0", "end",
        ])
      #expect(list.sections?.map(\.name) == ["home", "travel"])
    }
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a list follows a save of another context after the merge`() {
    let outcome = live {
      let container = Notes.container()
      let view = container.viewContext
      view.automaticallyMergesChangesFromParent = true
      let notes = try self.insert([("a", 0), ("b", 0)], in: view)
      let (list, delegate) = (self.list(of: view), Delegate())
      (list.delegate, delegate.list) = (delegate, list)
      try list.performFetch()
      let id = notes[0].objectID
      container.performBackgroundTask { context in
        (context.object(with: id) as? Note)?.title = "c"
        try? context.save()
      }
      #expect(list.fetchedObjects == notes)
      SimulatedMainLoop.run(milliseconds: 10)
      #expect(delegate.calls == ["begin", "move 0.0 0.1", "end"])
      #expect(list.fetchedObjects == [notes[1], notes[0]])
    }
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }
}

@Suite struct `The index titles of a list` {
  private final class Titling: NSFetchedResultsControllerDelegate {
    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
      sectionIndexTitleForSectionName sectionName: String
    ) -> String? { "<\(sectionName)>" }
  }

  @Test func `index titles are first letters unless the delegate provides them`() {
    live {
      let view = Notes.container().viewContext
      for title in ["beta", "alpha"] { Note(context: view).title = title }
      try view.save()
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let list = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: view, sectionNameKeyPath: "title",
        cacheName: nil)
      try list.performFetch()
      #expect(list.sectionIndexTitles == ["A", "B"])
      let delegate = Titling()
      list.delegate = delegate
      #expect(list.sectionIndexTitles == ["<alpha>", "<beta>"])
      #expect(list.sections?.first?.indexTitle == "<alpha>")
    }
  }
}
