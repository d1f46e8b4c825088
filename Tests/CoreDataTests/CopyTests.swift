import CoreData
import Foundation
import Testing

@Suite struct `A copy` {
  @Test func `a copy of a request fetches the same, and is independent of the original`() {
    live { () throws in
      let view = Notes.container().viewContext
      for title in ["b", "a", "c"] { Note(context: view).title = title }
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let copy = request.copy() ~>! NSFetchRequest<any NSFetchRequestResult>.self
      copy.fetchLimit = 1
      #expect(request.fetchLimit == 0)
      #expect(try view.fetch(copy).compactMap { ($0 as? Note)?.title } == ["a"])
      let same = request.copy() ~>! NSFetchRequest<Note>.self
      #expect(same !== request && same.sortDescriptors?.count == 1)
      #expect((view ~>? NSFetchRequest<Note>.self) == nil)
    }
  }

  @Test func `a copy of a model has its own entities, which are related to each other`() throws {
    let model = Notes.model()
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    let (note, tag) = (
      try #require(copy.entitiesByName["Note"]), try #require(copy.entitiesByName["Tag"])
    )
    #expect(copy !== model && note !== model.entitiesByName["Note"])
    #expect(copy == model && note.managedObjectModel === copy)
    let tags = try #require(note.relationshipsByName["tags"])
    #expect(tags.destinationEntity === tag && tags.entity === note)
    #expect(tags.inverseRelationship === tag.relationshipsByName["note"])
    note.attributesByName["title"]?.isOptional = false
    #expect(model.entitiesByName["Note"]?.attributesByName["title"]?.isOptional == true)
  }

  @Test func `a copy of a model keeps inheritance and configurations`() throws {
    let (animal, dog, model) = (
      NSEntityDescription(), NSEntityDescription(), NSManagedObjectModel()
    )
    (animal.name, dog.name, animal.isAbstract) = ("Animal", "Dog", true)
    let name = NSAttributeDescription()
    (name.name, name.attributeType, name.defaultValue) = ("name", .stringAttributeType, "x")
    animal.properties = [name]
    animal.uniquenessConstraints = [["name"]]
    animal.subentities = [dog]
    model.entities = [animal, dog]
    model.setEntities([dog], forConfigurationName: "Dogs")
    let copy = try #require(model.copy() as? NSManagedObjectModel)
    let other = try #require(copy.entitiesByName["Dog"])
    #expect(other.superentity === copy.entitiesByName["Animal"] && other !== dog)
    #expect(other.superentity?.isAbstract == true)
    #expect(other.attributesByName["name"]?.defaultValue as? String == "x")
    #expect(copy.entities(forConfigurationName: "Dogs")?.first === other)
    #expect(other.superentity?.uniquenessConstraints.count == 1)
  }

  @Test func `a copied entity finds its relationships in the model that it is added to`() {
    live {
      let model = NSManagedObjectModel()
      model.entities = Notes.model().entities.compactMap { $0.copy() as? NSEntityDescription }
      let container = NSPersistentContainer(name: "Copied", managedObjectModel: model)
      container.loadPersistentStores { _, error in #expect(error == nil) }
      let note = Note(context: container.viewContext)
      let tag = NSEntityDescription.insertNewObject(
        forEntityName: "Tag", into: container.viewContext)
      tag.setValuesForKeys(["label": "x", "note": note])
      #expect(note.tags == [tag])
      try container.viewContext.save()
    }
  }

  @Test func `a copy of an attribute, index or store description has the same properties`() throws {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType) = ("due", .dateAttributeType)
    attribute.setValidationPredicates(
      [NSPredicate(format: "SELF != nil")], withValidationWarnings: ["none"])
    let copy = try #require(attribute.copy() as? NSAttributeDescription)
    #expect(copy !== attribute && copy.attributeType == .dateAttributeType)
    #expect(copy.validationWarnings as? [String] == ["none"] && copy.entity == nil)
    let element = NSFetchIndexElementDescription(property: attribute, collationType: .binary)
    let index = NSFetchIndexDescription(name: "byDue", elements: [element])
    let other = try #require(index.copy() as? NSFetchIndexDescription)
    #expect(other !== index && other.elements.first?.indexDescription === other)
    #expect(index.elements.first?.indexDescription === index)
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/a"))
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    let same = try #require(description.copy() as? NSPersistentStoreDescription)
    #expect(same !== description && same.url == description.url)
    #expect(same.options[NSPersistentHistoryTrackingKey] == true as NSNumber)
  }

  @Test func `an attribute has the class name of its values`() {
    let attribute = NSAttributeDescription()
    #expect(attribute.attributeValueClassName == nil)
    attribute.attributeType = .integer32AttributeType
    #expect(attribute.attributeValueClassName == "NSNumber")
    attribute.attributeType = .stringAttributeType
    #expect(attribute.attributeValueClassName == "NSString")
    attribute.attributeType = .transformableAttributeType
    attribute.attributeValueClassName = "Color"
    #expect(attribute.attributeValueClassName == "Color")
  }
}
