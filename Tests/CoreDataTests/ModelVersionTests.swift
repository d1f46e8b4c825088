import CoreData
import Foundation
import Testing

@Suite struct `A model of several versions` {
  @Test func `versions of a model differ in their checksums and keep their identifiers`() {
    live {
      let models = try [1, 2, 3].map { try Catalog.model($0) }
      #expect(Set(models.map(\.versionChecksum)).count == 3)
      let identifiers = models.map { $0.versionIdentifiers.map { "\($0)" } }
      #expect(identifiers == [["1.0"], ["2.0"], ["3.0"]])
      #expect(models[1].entitiesByName["Book"]?.versionHash.count == 32)
      let book = try #require(models[1].entitiesByName["Book"])
      #expect(book["name"]?.renamingIdentifier == "title")
      #expect(book["isbn"]?.renamingIdentifier == "isbn")
      let current = NSManagedObjectModel(
        contentsOf: Catalog.folder.appendingPathComponent("Catalog.momd"))
      #expect(current == models[2] && current != models[1])
    }
  }

  @Test func `a model version is found by a store's metadata`() {
    live {
      try Catalog.write(2, [])
      let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        type: .sqlite, at: Catalog.url)
      #expect(metadata[NSStoreModelVersionIdentifiersKey] as? [String] == ["2.0"])
      let file = Catalog.folder.appendingPathComponent("App.swift").path
      let found = NSManagedObjectModel.mergedModel(
        from: nil, forStoreMetadata: metadata, file: file)
      let second = try Catalog.model(2)
      #expect(found == second)
      let first = try Catalog.model(1)
      let parts = try [3, 2].map { try Catalog.model($0) }
      #expect(
        NSManagedObjectModel(byMerging: parts, forStoreMetadata: metadata) == second)
      #expect(
        NSManagedObjectModel(byMerging: [first], forStoreMetadata: metadata) == nil)
    }
  }

  @Test func `a merged model has all entities, and its sources keep theirs`() {
    live {
      let (catalog, notes) = (try Catalog.model(1), Notes.model())
      notes.setEntities([notes.entities[0]], forConfigurationName: "Local")
      let merged = try #require(NSManagedObjectModel(byMerging: [catalog, notes]))
      #expect(merged.entities.map(\.name) == ["Book", "Note", "Tag"])
      #expect(merged.entities(forConfigurationName: "Local")?.map(\.name) == ["Note"])
      #expect(catalog.entities[0].managedObjectModel === catalog)
      #expect(merged.entities.allSatisfy { $0.managedObjectModel === merged })
      #expect(merged.versionIdentifiers == ["1.0"])
    }
  }

  @Test func `a relationship of a merged model leads to the shared entity`() throws {
    live {
      func part(_ name: String) -> NSManagedObjectModel {
        let (shared, own) = (NSEntityDescription(), NSEntityDescription())
        (shared.name, own.name) = ("Shared", name)
        let link = NSRelationshipDescription()
        (link.name, link.destinationEntity, link.maxCount) = ("link", shared, 1)
        own.properties = [link]
        let derived = NSEntityDescription()
        derived.name = "Shared" + name
        shared.subentities = [derived]
        let model = NSManagedObjectModel()
        model.entities = [shared, own, derived]
        return model
      }
      let merged = try #require(NSManagedObjectModel(byMerging: [part("A"), part("B")]))
      let shared = try #require(merged.entitiesByName["Shared"])
      #expect(
        merged.entities.compactMap(\.name).sorted() == ["A", "B", "Shared", "SharedA", "SharedB"])
      for name in ["A", "B"] {
        let link = merged.entitiesByName[name]?.relationshipsByName["link"]
        #expect(link?.destinationEntity === shared)
        #expect(merged.entitiesByName["Shared" + name]?.superentity === shared)
      }
    }
  }

  @Test func `a merge of three models unites equal entities and their configurations`() throws {
    live {
      func part(_ names: [String]) -> NSManagedObjectModel {
        let entities = names.map { name in
          let entity = NSEntityDescription()
          entity.name = name
          return entity
        }
        for entity in entities.dropFirst() {
          let link = NSRelationshipDescription()
          (link.name, link.destinationEntity, link.maxCount) = ("link", entities[0], 1)
          entity.properties = [link]
        }
        let model = NSManagedObjectModel()
        model.entities = entities
        model.setEntities(entities, forConfigurationName: names.count == 1 ? "First" : "Cloud")
        return model
      }
      let parts = [part(["S"]), part(["S", "T"]), part(["S", "T"])]
      let merged = try #require(NSManagedObjectModel(byMerging: parts))
      #expect(merged.entities.map(\.name) == ["S", "T"])
      let link = merged.entitiesByName["T"]?.relationshipsByName["link"]
      #expect(link?.destinationEntity === merged.entities[0])
      // The first model's entity also belongs to the configuration of the other models.
      #expect(merged.entities(forConfigurationName: "Cloud") == merged.entities)
      #expect(merged.entities(forConfigurationName: "First") == [merged.entities[0]])
    }
  }

  @Test func `models with different entities of the same name cannot be merged`() {
    let trap = live {
      let other = try Catalog.model(1)
      other.entitiesByName["Book"]?.properties.removeLast()
      _ = NSManagedObjectModel(byMerging: [try Catalog.model(1), other])
    }.trap
    #expect(
      trap?.contains("models with two different entities named 'Book' cannot be merged") == true,
      "\(trap ?? "")")
  }
}
