import CoreData
import Foundation
import Testing

/// The code that preparing generates for `@objc(CDNote) class RenamedNote`.
final class __FaultlineModules: SimulatedModules {
  override class var classes: [String: AnyClass] { ["CDNote": RenamedNote.self] }
  override class var resources: [String] { [ItemModel.path] }
}

/// A model whose entity has a class of the module that compiles the model.
enum ItemModel {
  static let path = FileManager.default.temporaryDirectory
    .appendingPathComponent("faultline-items/CoreDataTests/Items.xcdatamodel").path

  static func read() throws -> NSManagedObjectModel {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Item" representedClassName=".RenamedNote">
        <attribute name="title" optional="YES" attributeType="String"/>
      </entity>
    </model>
    """.write(toFile: path + "/contents", atomically: true, encoding: .utf8)
    return try #require(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: path)))
  }
}

final class RenamedNote: NSManagedObject {}

final class Colour: NSObject, NSSecureCoding {
  static let supportsSecureCoding = true
  let hue: Double

  init(hue: Double) { self.hue = hue }
  init?(coder: NSCoder) { hue = coder.decodeDouble(forKey: "hue") }
  func encode(with coder: NSCoder) { coder.encode(hue, forKey: "hue") }
}

final class ColourTransformer: NSSecureUnarchiveFromDataTransformer {
  override static var allowedTopLevelClasses: [AnyClass] { [Colour.self] }
}

@Suite struct `A class with an Objective-C name` {
  @Test func `a class is found by its Objective-C name, also for an entity`() {
    live {
      let model = Notes.model()
      model.entitiesByName["Note"]?.managedObjectClassName = "CDNote"
      let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
      container.loadPersistentStores { _, error in #expect(error == nil) }
      let note = RenamedNote(context: container.viewContext)
      #expect(note.entity.name == "Note")
      #expect(RenamedNote.entity().name == "Note")
      let other = NSEntityDescription.insertNewObject(
        forEntityName: "Note", into: container.viewContext)
      #expect(other is RenamedNote)
      #expect(SimulatedModules.anyClass(named: "CDNote") == RenamedNote.self)
      #expect(SimulatedModules.name(of: RenamedNote.self) == "CDNote")
      #expect(SimulatedModules.name(of: Note.self) == NSStringFromClass(Note.self))
    }
  }

  @Test func `a class name without a module is completed with the model's module`() {
    live {
      let entity = try #require(try ItemModel.read().entitiesByName["Item"])
      #expect(entity.managedObjectClassName == "CoreDataTests.RenamedNote")
    }
  }
}

/// Classes that are not at the top level of a module.
private final class HiddenNote: NSManagedObject {}
private enum Schema { final class InnerNote: NSManagedObject {} }

@Suite struct `A class within another declaration` {
  @Test func `a nested or local class is found by its name`() {
    final class LocalNote: NSManagedObject {}
    let classes = [HiddenNote.self, Schema.InnerNote.self, LocalNote.self]
    let names = classes.map { SimulatedModules.name(of: $0) }
    #expect(names.prefix(2) == ["CoreDataTests.HiddenNote", "CoreDataTests.Schema.InnerNote"])
    // Names contain no address, so they are the same in each process.
    #expect(!names.contains { $0.contains("$") || $0.contains("(") })
    for (type, name) in zip(classes, names) {
      #expect(SimulatedModules.name(of: type) == name)
      #expect(SimulatedModules.anyClass(named: name) == type)
      live {
        let model = Notes.model()
        model.entitiesByName["Note"]?.managedObjectClassName = name
        let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
        container.loadPersistentStores { _, error in #expect(error == nil) }
        let note = NSEntityDescription.insertNewObject(
          forEntityName: "Note", into: container.viewContext)
        #expect(Swift.type(of: note) == type)
      }
    }
  }

  @Test func `two local classes with the same name are distinguished`() {
    func first() -> AnyClass {
      final class Twin: NSManagedObject {}
      return Twin.self
    }
    func second() -> AnyClass {
      final class Twin: NSManagedObject {}
      return Twin.self
    }
    let names = [first(), second()].map { SimulatedModules.name(of: $0) }
    #expect(SimulatedModules.anyClass(named: names[0]) == first())
    #expect(SimulatedModules.anyClass(named: names[1]) == second())
  }
}

@Suite struct `A transformer that archives` {
  @Test func `a transformer restores the object that it has archived`() throws {
    let transformer = ColourTransformer()
    let data = try #require(transformer.reverseTransformedValue(Colour(hue: 0.25)) as? Data)
    #expect((transformer.transformedValue(data) as? Colour)?.hue == 0.25)
    #expect(transformer.transformedValue(nil) == nil)
    #expect(ColourTransformer.allowsReverseTransformation())
  }
}
