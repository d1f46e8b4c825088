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

  @Test func `runs the app's code before and after a step`() {
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

  @Test func `begins where the store is, and a new store needs none`() throws {
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

  @Test func `stops where a handler throws`() throws {
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

  @Test func `leaves a store alone whose version no stage names`() throws {
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

  @Test func `needs stages, and an option that asks for it`() throws {
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
      // Without stages, all is inferred.
      let context = try Catalog.open(try Catalog.model(2), self.options([]))
      #expect(try Catalog.values("Book", "name", context) == ["Emma"])
    }
  }

  @Test func `fails if a model is not there`() throws {
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

  @Test func `begins at a stage whose checksums were computed elsewhere`() throws {
    live {
      try Catalog.write(1, [["title": "Emma"]])
      let checksum = Data(repeating: 7, count: 32).base64EncodedString()
      let light = NSLightweightMigrationStage([checksum, checksum])
      let context = try Catalog.open(try Catalog.model(3), options([light]))
      #expect(try Catalog.values("Book", "name", context) == ["Emma"])
    }
  }
}
