import CoreData
import Foundation
import Testing

@Suite struct `An undo manager` {
  private func withManager(
    _ body: @escaping (UndoManager, NSManagedObjectContext) throws -> Void
  ) {
    let outcome = live {
      let view = Notes.container().viewContext
      let manager = UndoManager()
      view.undoManager = manager
      try body(manager, view)
    }
    #expect(outcome.stop == nil && outcome.disagreement == nil)
  }

  @Test func `an undo manager undoes and redoes a named group at once`() {
    withManager { manager, view in
      let note = Note(context: view)
      note.title = "first"
      view.processPendingChanges()
      manager.beginUndoGrouping()
      #expect(manager.groupingLevel == 1)
      note.title = "second"
      view.processPendingChanges()
      note.title = "third"
      manager.setActionName("Rename")
      manager.endUndoGrouping()
      #expect(manager.undoActionName == "Rename" && manager.undoMenuItemTitle == "Undo Rename")
      view.undo()
      #expect(note.title == "first")
      #expect(manager.redoActionName == "Rename" && manager.canRedo)
      view.redo()
      #expect(note.title == "third")
      manager.undo()
      manager.undo()
      #expect(!manager.canUndo)
      #expect(view.insertedObjects.isEmpty)
    }
  }

  @Test func `an undo manager keeps only its levels, and can forget all actions`() {
    withManager { manager, view in
      manager.levelsOfUndo = 2
      let note = Note(context: view)
      for title in ["a", "b", "c", "d"] {
        note.title = title
        view.processPendingChanges()
      }
      manager.undo()
      manager.undo()
      manager.undo()
      #expect(note.title == "b" && !manager.canUndo)
      manager.removeAllActions()
      #expect(!manager.canRedo)
      manager.redo()
      #expect(note.title == "b")
    }
  }

  @Test func `an undo manager calls registered actions and posts notifications`() {
    withManager { manager, view in
      let log = EventLog()
      let names: [Notification.Name] = [.NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange]
      let tokens = names.map { name in
        SimulatedNotificationCenter.default.addObserver(forName: name, object: manager, queue: nil)
        {
          _ in log.note(manager.isUndoing ? "undoing" : "not undoing")
        }
      }
      func set(_ title: String, _ note: Note) {
        let old = note.title ?? ""
        manager.registerUndo(withTarget: note) { set(old, $0) }
        log.note(title)
      }
      manager.disableUndoRegistration()
      let note = Note(context: view)
      view.processPendingChanges()
      manager.enableUndoRegistration()
      set("new", note)
      manager.undo()
      #expect(log.events == ["new", "not undoing", "", "not undoing"])
      #expect(manager.canRedo && !manager.canUndo)
      manager.redo()
      #expect(manager.canUndo)
      manager.removeAllActions(withTarget: note)
      #expect(!manager.canUndo)
      withExtendedLifetime(tokens) {}
    }
  }

  @Test func `a rollback or reset removes a context's undo actions`() {
    withManager { manager, view in
      let note = Note(context: view)
      try view.save()
      #expect(manager.canUndo)
      note.title = "x"
      view.processPendingChanges()
      view.rollback()
      #expect(!manager.canUndo)
      note.title = "y"
      view.processPendingChanges()
      #expect(manager.canUndo)
      view.reset()
      #expect(!manager.canUndo)
    }
  }
}
