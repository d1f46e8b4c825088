import CoreData
import Foundation
import Testing

@Suite struct `A migration in stages` {
  private func reference(_ version: Int) throws -> NSManagedObjectModelReference {
    let model = try Catalog.model(version)
    return NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
  }

  private func options(_ stages: [NSMigrationStage]) -> [AnyHashable: Any] {
    [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
      NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager(stages),
    ]
  }

  @Test func `a custom stage runs the app's code before and after its step`() {
    let outcome = live {
      try Catalog.write(1, [["title": "Emma", "author": "Austen"]])
      let light = NSLightweightMigrationStage(
        try [1, 2].map { try Catalog.model($0).versionChecksum })
      let custom = NSCustomMigrationStage(migratingFrom: try reference(2), to: try reference(3))
      var authors: [String] = []
      custom.willMigrateHandler = { manager, _ in
        let context = try #require(manager.container?.viewContext)
        authors = try Catalog.values("Book", "author", context)
      }
      custom.didMigrateHandler = { manager, stage in
        #expect(try Catalog.model(3) == stage.nextModel.resolvedModel)
        let context = try #require(manager.container?.viewContext)
        let writer = NSEntityDescription.insertNewObject(forEntityName: "Writer", into: context)
        writer.setValue(authors.first, forKey: "name")
        try context.save()
      }
      let context = try Catalog.open(try Catalog.model(3), options([light, custom]))
      #expect(try Catalog.values("Book", "name", context) == ["Emma"])
      #expect(try Catalog.values("Writer", "name", context) == ["Austen"])
    }
    #expect(outcome.disagreement == nil && outcome.violations.isEmpty)
  }

  @Test func `a migration begins at the store's version, and a new store needs no stage`() throws {
    live {
      var calls: [String] = []
      let first = NSCustomMigrationStage(migratingFrom: try reference(1), to: try reference(2))
      first.willMigrateHandler = { _, _ in calls.append("first") }
      let second = NSCustomMigrationStage(migratingFrom: try reference(2), to: try reference(3))
      second.willMigrateHandler = { _, _ in calls.append("second") }
      try Catalog.write(2, [["name": "Emma"]])
      let context = try Catalog.open(try Catalog.model(3), options([first, second]))
      #expect(calls == ["second"])
      #expect(try Catalog.values("Book", "name", context) == ["Emma"])
      _ = try Catalog.open(
        try Catalog.model(3), at: URL(fileURLWithPath: "/stores/New.sqlite"), options([first]))
      #expect(calls == ["second"])
    }
  }

  @Test func `a migration stops if a handler throws`() throws {
    live {
      try Catalog.write(1, [["title": "Emma"]])
      let custom = NSCustomMigrationStage(migratingFrom: try reference(1), to: try reference(2))
      custom.willMigrateHandler = { _, _ in throw NSError(domain: "Stage", code: 1) }
      let error = #expect(throws: NSError.self) {
        try Catalog.open(try Catalog.model(2), options([custom]))
      }
      #expect(error?.domain == "Stage")
      let context = try Catalog.open(try Catalog.model(1))
      #expect(try Catalog.values("Book", "title", context) == ["Emma"])
    }
  }

  @Test func `a store with a version that no stage names is not migrated`() throws {
    live {
      try Catalog.write(1, [["title": "Emma"]])
      let custom = NSCustomMigrationStage(migratingFrom: try reference(2), to: try reference(3))
      let light = NSLightweightMigrationStage(
        try [2, 3].map { try Catalog.model($0).versionChecksum })
      for stages in [[custom], [light]] as [[NSMigrationStage]] {
        let error = #expect(throws: NSError.self) {
          try Catalog.open(try Catalog.model(3), options(stages))
        }
        #expect(error?.domain == NSCocoaErrorDomain)
        #expect(error?.code == NSManagedObjectModelReferenceNotFoundError)
        #expect(
          error?.localizedDescription
            == "Cannot use staged migration with an unknown model version.")
      }
      let context = try Catalog.open(try Catalog.model(1))
      #expect(try Catalog.values("Book", "title", context) == ["Emma"])
    }
  }

  @Test func `a migration needs its option, and infers a mapping if there are no stages`() throws {
    live {
      var calls = 0
      let custom = NSCustomMigrationStage(migratingFrom: try reference(1), to: try reference(2))
      custom.willMigrateHandler = { _, _ in calls += 1 }
      try Catalog.write(1, [["title": "Emma"]])
      var options = options([custom])
      options[NSMigratePersistentStoresAutomaticallyOption] = false
      let error = #expect(throws: NSError.self) {
        try Catalog.open(try Catalog.model(2), options)
      }
      #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError && calls == 0)
      // Without stages, the mapping is inferred.
      let context = try Catalog.open(try Catalog.model(2), self.options([]))
      #expect(try Catalog.values("Book", "name", context) == ["Emma"])
    }
  }

  @Test func `a migration fails if the model of a stage is missing`() throws {
    live {
      try Catalog.write(1, [["title": "Emma"]])
      let missing = NSManagedObjectModelReference(
        fileURL: Catalog.folder.appendingPathComponent("None.momd"), versionChecksum: "none")
      let custom = NSCustomMigrationStage(migratingFrom: missing, to: try reference(2))
      let error = #expect(throws: NSError.self) {
        try Catalog.open(try Catalog.model(2), options([custom]))
      }
      #expect(error?.code == NSManagedObjectModelReferenceNotFoundError)
    }
  }

  /// Returns the checksum of an unknown model, in the length of Apple's checksums or of
  /// Faultline's.
  private func checksum(bytes: Int) -> String {
    Data(repeating: 7, count: bytes).base64EncodedString()
  }

  @Test func `a migration may begin at a stage whose checksums match no known model`() throws {
    live {
      try Catalog.write(1, [["title": "Emma"]])
      let light = NSLightweightMigrationStage([checksum(bytes: 32), checksum(bytes: 32)])
      let custom = NSCustomMigrationStage(migratingFrom: try reference(2), to: try reference(3))
      var names: [String] = []
      custom.willMigrateHandler = { manager, _ in
        let context = try #require(manager.container?.viewContext)
        names = try Catalog.values("Book", "name", context)
      }
      let context = try Catalog.open(try Catalog.model(3), options([light, custom]))
      #expect(names == ["Emma"])
      #expect(try Catalog.values("Book", "name", context) == ["Emma"])
    }
  }

  @Test func `a migration traps if unknown checksums leave its first stage ambiguous`() {
    let trap = live {
      let unknown = Data(repeating: 7, count: 32).base64EncodedString()
      let references = try [2, 3].map { version in
        let model = try Catalog.model(version)
        return NSManagedObjectModelReference(
          model: model, versionChecksum: model.versionChecksum)
      }
      let manager = NSStagedMigrationManager([
        NSLightweightMigrationStage([unknown, unknown]),
        NSCustomMigrationStage(migratingFrom: references[0], to: references[1]),
        NSLightweightMigrationStage([unknown, unknown]),
      ])
      try Catalog.write(1, [["title": "Emma"]])
      _ = try Catalog.open(
        try Catalog.model(3),
        [
          NSMigratePersistentStoresAutomaticallyOption: true,
          NSInferMappingModelAutomaticallyOption: true,
          NSPersistentStoreStagedMigrationManagerOptionKey: manager,
        ])
    }.trap
    #expect(trap?.contains("state NSManagedObjectModel.versionChecksum") == true, "\(trap ?? "")")
  }

  /// Returns a model with an entity for each name, whose only attribute is a name.
  private func model(_ names: [String]) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = names.map { name in
      let (entity, attribute) = (NSEntityDescription(), NSAttributeDescription())
      (entity.name, attribute.name, attribute.attributeType) = (name, "name", .stringAttributeType)
      entity.properties = [attribute]
      return entity
    }
    return model
  }

  @Test func `a migration distinguishes a version from one that lacks an entity`() throws {
    live {
      let models = [["Book"], ["Book", "Shelf"], ["Book", "Shelf", "Writer"]].map(model)
      let references = models.map {
        NSManagedObjectModelReference(model: $0, versionChecksum: $0.versionChecksum)
      }
      var calls: [String] = []
      let first = NSCustomMigrationStage(migratingFrom: references[0], to: references[1])
      first.willMigrateHandler = { _, _ in calls.append("first") }
      let second = NSCustomMigrationStage(migratingFrom: references[1], to: references[2])
      second.willMigrateHandler = { _, _ in calls.append("second") }
      let writer = try Catalog.open(models[1])
      let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: writer)
      shelf.setValue("poems", forKey: "name")
      try writer.save()
      let coordinator = try #require(writer.persistentStoreCoordinator)
      for store in coordinator.persistentStores { try coordinator.remove(store) }
      let context = try Catalog.open(models[2], options([first, second]))
      #expect(calls == ["second"])
      #expect(try Catalog.values("Shelf", "name", context) == ["poems"])
    }
  }

  @Test func `a migration ends at the coordinator's version`() throws {
    live {
      var calls: [String] = []
      let stages = try [(1, 2), (2, 3)].map { old, new in
        let stage = NSCustomMigrationStage(
          migratingFrom: try reference(old), to: try reference(new))
        stage.willMigrateHandler = { _, _ in calls.append("\(old) to \(new)") }
        return stage
      }
      try Catalog.write(1, [["title": "Emma", "author": "Austen"]])
      let context = try Catalog.open(try Catalog.model(2), options(stages))
      #expect(calls == ["1 to 2"])
      #expect(try Catalog.values("Book", "author", context) == ["Austen"])
    }
  }

  @Test func `a migration ends within a stage that contains the coordinator's version`() throws {
    live {
      let light = NSLightweightMigrationStage(
        try [1, 2, 3].map { try Catalog.model($0).versionChecksum })
      let custom = NSCustomMigrationStage(
        migratingFrom: try reference(3), to: try reference(3))
      custom.willMigrateHandler = { _, _ in Issue.record("a stage behind the version is called") }
      try Catalog.write(1, [["title": "Emma", "author": "Austen"]])
      let context = try Catalog.open(try Catalog.model(2), options([light, custom]))
      #expect(try Catalog.values("Book", "author", context) == ["Austen"])
    }
  }

  @Test func `a migration skips a stage that begins with the coordinator's version`() throws {
    live {
      let light = NSLightweightMigrationStage([checksum(bytes: 32), checksum(bytes: 32)])
      let custom = NSCustomMigrationStage(migratingFrom: try reference(2), to: try reference(3))
      custom.willMigrateHandler = { _, _ in Issue.record("a stage behind the version is called") }
      try Catalog.write(1, [["title": "Emma", "author": "Austen"]])
      let context = try Catalog.open(try Catalog.model(2), options([light, custom]))
      #expect(try Catalog.values("Book", "author", context) == ["Austen"])
    }
  }

  @Test(arguments: [(2, 1), (3, 2), (3, 1)])
  func `a migration to an earlier version fails`(from: Int, to: Int) throws {
    live {
      try Catalog.write(from, [["name": "Emma"]])
      let steps = try [(1, 2), (2, 3)].map { old, new in
        NSCustomMigrationStage(migratingFrom: try reference(old), to: try reference(new))
      }
      let light = NSLightweightMigrationStage(
        try [1, 2, 3].map { try Catalog.model($0).versionChecksum })
      for stages in [steps, [light]] as [[NSMigrationStage]] {
        let error = #expect(throws: NSError.self) {
          try Catalog.open(try Catalog.model(to), options(stages))
        }
        #expect(error?.code == NSStagedMigrationBackwardMigrationError)
        #expect(
          error?.localizedDescription
            == "A store file cannot be migrated backwards with staged migration.")
      }
      let context = try Catalog.open(try Catalog.model(from))
      #expect(try Catalog.values("Book", "name", context) == ["Emma"])
    }
  }

  @Test func `a migration succeeds if the last version of a stage is unknown`() throws {
    live {
      let other = Notes.model()
      let before = NSCustomMigrationStage(
        migratingFrom: NSManagedObjectModelReference(
          model: other, versionChecksum: other.versionChecksum),
        to: try reference(1))
      let light = NSLightweightMigrationStage(
        try [1, 2].map { try Catalog.model($0).versionChecksum } + [checksum(bytes: 16)])
      try Catalog.write(2, [["name": "Emma", "isbn": "1"]])
      let context = try Catalog.open(try Catalog.model(3), options([before, light]))
      #expect(try Catalog.values("Book", "isbn", context) == ["1"])
    }
  }
}
