import CoreData
import Foundation

/// The notes of an app: a list on the main queue, an editor, and imports in the background.
public final class NoteLibrary {
  private let container: NSPersistentContainer

  /// What the list shows.
  public var list: NSManagedObjectContext { container.viewContext }

  public init() throws {
    container = NSPersistentContainer(name: "Notes")
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    list.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    NotificationCenter.default.addObserver(
      self, selector: #selector(contextDidSave(_:)), name: .NSManagedObjectContextDidSave,
      object: nil)
  }

  @objc private func contextDidSave(_ notification: Notification) {
    guard let saved = notification.object as? NSManagedObjectContext, saved !== list,
      saved.parent == nil
    else { return }
    list.perform { self.list.mergeChanges(fromContextDidSave: notification) }
  }

  /// Adds a note to the list, and saves.
  public func add(_ title: String) throws -> NSManagedObjectID {
    let note = Note(context: list)
    note.title = title
    try list.save()
    return note.objectID
  }

  /// Takes over titles that a server has sent.
  public func importTitle(_ title: String, for id: NSManagedObjectID) {
    container.performBackgroundTask { context in
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      guard let note = try? context.existingObject(with: id) as? Note else { return }
      note.title = title
      try? context.save()
    }
  }

  /// Translates titles.
  public func translator() -> Translator { Translator(container) }

  /// An editor for one note: a context of its own, whose changes reach the list when it is done.
  public func edit(_ id: NSManagedObjectID) throws -> Editor { try Editor(id, above: list) }

  public final class Editor {
    private let context: NSManagedObjectContext
    private let note: Note

    fileprivate init(_ id: NSManagedObjectID, above parent: NSManagedObjectContext) throws {
      context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      context.parent = parent
      guard let note = try context.existingObject(with: id) as? Note else {
        throw NoteIsGone()
      }
      self.note = note
    }

    public func type(_ title: String) { note.title = title }

    /// Hands the changes to the list, and saves that.
    public func done() throws {
      try context.save()
      try context.parent?.save()
    }
  }
}

/// Another part of the app has deleted the note.
public struct NoteIsGone: Error {}
