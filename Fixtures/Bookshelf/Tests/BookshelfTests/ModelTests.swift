import CoreData
import Foundation
import Testing

/// Builders of models, as in articles that make them in code.
extension NSEntityDescription {
  convenience init(
    _ name: String, class type: NSManagedObject.Type = NSManagedObject.self,
    _ properties: NSPropertyDescription...
  ) {
    self.init()
    self.name = name
    managedObjectClassName = NSStringFromClass(type)
    self.properties = properties
  }
}

extension NSAttributeDescription {
  convenience init(
    _ name: String, _ type: NSAttributeDescription.AttributeType, default value: Any? = nil
  ) {
    self.init()
    self.name = name
    self.type = type
    isOptional = value == nil
    defaultValue = value
  }
}

extension NSManagedObjectModel {
  convenience init(_ entities: NSEntityDescription...) {
    self.init()
    self.entities = entities
  }
}

private func container(_ model: NSManagedObjectModel, url: URL? = nil) throws
  -> NSPersistentContainer
{
  let container = NSPersistentContainer(name: "Store", managedObjectModel: model)
  let description = NSPersistentStoreDescription()
  if let url {
    description.url = url
  } else {
    description.type = NSInMemoryStoreType
  }
  description.shouldAddStoreAsynchronously = false
  container.persistentStoreDescriptions = [description]
  var failure: Error?
  container.loadPersistentStores { _, error in failure = error }
  if let failure { throw failure }
  return container
}

@objc(Place) final class Place: NSManagedObject {
  @NSManaged var name: String
  @NSManaged var visits: Int64
  @NSManaged private var primitiveName: String?
  @objc dynamic var shout: String { name.uppercased() }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "shout" ? ["name"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }

  static private(set) var log: [String] = []

  override func awakeFromInsert() {
    super.awakeFromInsert()
    setPrimitiveValue("unnamed", forKey: "name")
  }

  override func willSave() {
    super.willSave()
    if !isDeleted, visits < 0 { setPrimitiveValue(0, forKey: "visits") }
  }

  override func prepareForDeletion() {
    super.prepareForDeletion()
    managedObjectContext?.userInfo["deleted"] = name
  }

  override func validateForDelete() throws {
    try super.validateForDelete()
    if name == "Home" {
      throw NSError(domain: "Places", code: 7, userInfo: [NSLocalizedDescriptionKey: "Home stays."])
    }
  }
}

@Suite struct ModelsInCode {
  private func places() -> NSManagedObjectModel {
    NSManagedObjectModel(
      NSEntityDescription(
        "Place", class: Place.self, NSAttributeDescription("name", .string, default: ""),
        NSAttributeDescription("visits", .integer64, default: 0)))
  }

  @Test func hooksOfAClass() throws {
    let view = try container(places()).viewContext
    let place = Place(context: view)
    #expect(place.name == "unnamed")
    place.visits = -3
    try view.save()
    #expect(place.visits == 0)
    place.name = "Home"
    try view.save()
    view.delete(place)
    #expect(view.userInfo["deleted"] as? String == "Home")
    let error = #expect(throws: NSError.self) { try view.save() }
    #expect(error?.code == 7 && error?.domain == "Places")
  }

  @Test func aComputedPropertyIsObservedByItsDependencies() throws {
    let view = try container(places()).viewContext
    let place = Place(context: view)
    var seen: [String] = []
    let token = place.observe(\.shout, options: [.new]) { _, change in
      seen.append(change.newValue ?? "")
    }
    place.name = "quiet"
    token.invalidate()
    #expect(seen == ["QUIET"])
  }

  @Test func lightweightMigrationWithARenamedAttribute() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("Old.sqlite")
    try {
      let old = try container(places(), url: url)
      let place = Place(context: old.viewContext)
      place.name = "Kept"
      try old.viewContext.save()
      for store in old.persistentStoreCoordinator.persistentStores {
        try old.persistentStoreCoordinator.remove(store)
      }
    }()
    let title = NSAttributeDescription("title", .string, default: "")
    title.renamingIdentifier = "name"
    let new = NSManagedObjectModel(
      NSEntityDescription(
        "Place", title, NSAttributeDescription("visits", .integer64, default: 0),
        NSAttributeDescription("stars", .integer16, default: 3)))
    let view = try container(new, url: url).viewContext
    let kept = try view.fetch(NSFetchRequest<NSManagedObject>(entityName: "Place"))
    #expect(kept.map { $0.value(forKey: "title") as? String } == ["Kept"])
    #expect(kept.first?.value(forKey: "stars") as? Int == 3)
  }

  @Test func aStoreOfAnotherModelIsRefused() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("Refused.sqlite")
    try {
      let old = try container(places(), url: url)
      try old.persistentStoreCoordinator.remove(old.persistentStoreCoordinator.persistentStores[0])
    }()
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: NSManagedObjectModel(
        NSEntityDescription("Other", NSAttributeDescription("a", .string))))
    let error = #expect(throws: NSError.self) {
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
    }
    #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
  }

  @Test func oneContainerWithTwoStoresByConfiguration() throws {
    let a = NSEntityDescription("A", NSAttributeDescription("x", .integer32, default: 0))
    let b = NSEntityDescription("B", NSAttributeDescription("y", .boolean, default: false))
    let model = NSManagedObjectModel(a, b)
    model.setEntities([a], forConfigurationName: "Local")
    model.setEntities([b], forConfigurationName: "Cloud")
    let container = NSPersistentContainer(name: "Two", managedObjectModel: model)
    let directory = NSPersistentContainer.defaultDirectoryURL()
    container.persistentStoreDescriptions = ["Local", "Cloud"].map {
      let description = NSPersistentStoreDescription(
        url: directory.appendingPathComponent("\($0).sqlite"))
      description.configuration = $0
      return description
    }
    var loaded = 0
    container.loadPersistentStores { _, error in
      #expect(error == nil)
      loaded += 1
    }
    #expect(loaded == 2)
    let view = container.viewContext
    let (first, second) = (
      NSManagedObject(entity: a, insertInto: view), NSManagedObject(entity: b, insertInto: view)
    )
    try view.save()
    #expect(first.objectID.persistentStore?.configurationName == "Local")
    #expect(second.objectID.persistentStore?.configurationName == "Cloud")
    #expect(container.persistentStoreCoordinator.persistentStores.count == 2)
  }

  @Test func assignAndInsertIntoAChosenStore() throws {
    let model = places()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let first = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let second = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let place = Place(context: context)
    context.assign(place, to: second)
    try context.save()
    #expect(place.objectID.persistentStore === second)
    let request = NSFetchRequest<Place>(entityName: "Place")
    request.affectedStores = [first]
    #expect(try context.count(for: request) == 0)
    request.affectedStores = [second]
    #expect(try context.count(for: request) == 1)
  }

  @Test func valuesOfUndefinedKeys() throws {
    final class Open: NSManagedObject {
      override func value(forUndefinedKey key: String) -> Any? { "no \(key)" }
      override func setValue(_ value: Any?, forUndefinedKey key: String) {}
    }
    let model = NSManagedObjectModel(
      NSEntityDescription("Open", class: Open.self, NSAttributeDescription("a", .string)))
    let view = try container(model).viewContext
    let open = Open(context: view)
    #expect(open.value(forKey: "nothing") as? String == "no nothing")
    open.setValue(1, forKey: "nothing")
    #expect(!view.hasChanges || open.isInserted)
  }

  @Test func primitiveAccessorsWithWillAccess() throws {
    final class Lazy: NSManagedObject {
      var state: Int {
        get {
          willAccessValue(forKey: "state")
          defer { didAccessValue(forKey: "state") }
          return primitiveValue(forKey: "state") as? Int ?? 0
        }
        set {
          willChangeValue(forKey: "state")
          setPrimitiveValue(newValue, forKey: "state")
          didChangeValue(forKey: "state")
        }
      }
    }
    let model = NSManagedObjectModel(
      NSEntityDescription(
        "Lazy", class: Lazy.self, NSAttributeDescription("state", .integer32, default: 1)))
    let view = try container(model).viewContext
    let object = Lazy(context: view)
    try view.save()
    object.state += 4
    #expect(object.hasChanges)
    try view.save()
    view.refresh(object, mergeChanges: false)
    #expect(object.state == 5)
  }

  @Test func archivedTransformables() throws {
    let tags = NSAttributeDescription("tags", .transformable)
    tags.valueTransformerName =
      NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue
    tags.attributeValueClassName = "NSArray"
    let view = try container(NSManagedObjectModel(NSEntityDescription("Item", tags))).viewContext
    let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: view)
    item.setValue(["red", "blue"], forKey: "tags")
    try view.save()
    view.reset()
    let again = try view.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")).first
    #expect(again?.value(forKey: "tags") as? [String] == ["red", "blue"])
  }

  @Test func entitiesAreCopiedAndMerged() throws {
    let (first, second) = (
      places(),
      NSManagedObjectModel(NSEntityDescription("Other", NSAttributeDescription("a", .date)))
    )
    let merged = try #require(NSManagedObjectModel(byMerging: [first, second]))
    #expect(merged.entities.compactMap(\.name).sorted() == ["Other", "Place"])
    let copy = first.copy() as? NSManagedObjectModel
    #expect(copy == first)
    #expect(
      first.entitiesByName["Place"]?.versionHash == copy?.entitiesByName["Place"]?.versionHash)
    first.entitiesByName["Place"]?.versionHashModifier = "2"
    #expect(
      first.entitiesByName["Place"]?.versionHash != copy?.entitiesByName["Place"]?.versionHash)
  }

  @Test func inMemoryAndBinaryStoresAreThere() throws {
    #expect(NSPersistentStore.StoreType.inMemory.rawValue == NSInMemoryStoreType)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: places())
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("b.store")
    let store = try coordinator.addPersistentStore(
      type: .binary, configuration: nil, at: url, options: nil)
    let context = NSManagedObjectContext(.mainQueue)
    context.persistentStoreCoordinator = coordinator
    _ = Place(context: context)
    try context.save()
    try coordinator.remove(store)
    let readOnly = try coordinator.addPersistentStore(
      type: .binary, configuration: nil, at: url, options: [NSReadOnlyPersistentStoreOption: true])
    #expect(readOnly.isReadOnly)
    #expect(try context.count(for: NSFetchRequest<Place>(entityName: "Place")) == 1)
  }
}
