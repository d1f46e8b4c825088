import CoreData
import Foundation
import Testing

/// An initializer like that of a library which creates models for its users.
extension NSManagedObjectModel {
  fileprivate convenience init(of entity: NSEntityDescription) {
    self.init()
    entities = [entity]
  }
}

@Suite struct `A model built in code` {
  @Test func `an initializer can fill a model`() {
    live {
      let note = NSEntityDescription()
      note.name = "Note"
      let model = NSManagedObjectModel(of: note)
      #expect(note.managedObjectModel === model)
    }
  }

  @Test func `a model that is created twice opens the same rows`() {
    let outcome = live {
      let first = Notes.container()
      Note(context: first.viewContext).title = "kept"
      try first.viewContext.save()
      // The second container has another model object and another coordinator for the same file.
      let second = Notes.container()
      #expect(first.managedObjectModel !== second.managedObjectModel)
      let request = NSFetchRequest<Note>(entityName: "Note")
      #expect(try second.viewContext.fetch(request).map(\.title) == ["kept"])
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `a model of another version does not open the store`() {
    live {
      let first = Notes.container()
      try first.viewContext.save()
      let changed = Notes.model()
      let pages = NSAttributeDescription()
      pages.name = "pages"
      pages.type = .integer32
      pages.isOptional = true
      changed.entities[0].properties.append(pages)
      let second = NSPersistentContainer(name: "Notes", managedObjectModel: changed)
      second.persistentStoreDescriptions[0].shouldMigrateStoreAutomatically = false
      var error: (any Error)?
      second.loadPersistentStores { error = $1 }
      #expect((error as? CocoaError)?.code == .persistentStoreIncompatibleVersionHash)
      #expect(second.persistentStoreCoordinator.persistentStores.isEmpty)
    }
  }

  @Test func `an attribute has its type in both forms, and an entity has indexes`() {
    live {
      let title = NSAttributeDescription()
      title.name = "title"
      title.type = .string
      #expect(title.attributeType == .stringAttributeType)
      let element = NSFetchIndexElementDescription(property: title, collationType: .binary)
      let index = NSFetchIndexDescription(name: "byTitle", elements: [element])
      let note = NSEntityDescription()
      note.properties = [title]
      note.indexes = [index]
      #expect(index.entity === note)
      #expect(element.indexDescription === index)
      #expect(element.propertyName == "title")
      let hash = title.versionHash
      title.isOptional = false
      #expect(title.versionHash != hash)
    }
  }
}
