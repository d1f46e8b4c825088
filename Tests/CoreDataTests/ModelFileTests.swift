import CoreData
import Foundation
import Testing

/// Details of a model file, such as fetch requests, derived attributes and indexes.
@Suite final class `A model in a file` {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("faultline-model-\(UUID().uuidString)")

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func model() throws -> NSManagedObjectModel {
    let url = folder.appendingPathComponent("Library.xcdatamodel")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    let content = """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Book" representedClassName="NSManagedObject">
          <attribute name="cover" optional="YES" attributeType="Binary"
            allowsExternalBinaryDataStorage="YES"/>
          <attribute name="isbn" optional="YES" attributeType="String"
            regularExpressionString="[0-9]+" preservesValueInHistoryOnDeletion="YES"/>
          <attribute name="plain" optional="YES" attributeType="String" derived="YES"
            derivationExpression="canonical:(title)"/>
          <attribute name="style" optional="YES" attributeType="Transformable"
            valueTransformerName="StyleTransformer"/>
          <attribute name="title" optional="YES" attributeType="String"/>
          <relationship name="shelf" optional="YES" maxCount="1" deletionRule="Nullify"
            destinationEntity="Shelf" inverseName="books" inverseEntity="Shelf"/>
          <fetchedProperty name="namesakes" optional="YES">
            <fetchRequest name="fetchedPropertyFetchRequest" entity="Book"
              predicateString="title == $FETCH_SOURCE.title"/>
          </fetchedProperty>
          <fetchIndex name="byTitle">
            <fetchIndexElement property="title" type="Binary" order="descending"/>
            <fetchIndexElement property="isbn" type="RTree" order="ascending"/>
          </fetchIndex>
        </entity>
        <entity name="Shelf" representedClassName="NSManagedObject">
          <attribute name="bookCount" optional="YES" attributeType="Integer 64" derived="YES"
            usesScalarValueType="YES" derivationExpression="books.@count"/>
          <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify"
            destinationEntity="Book" inverseName="shelf" inverseEntity="Book"/>
        </entity>
        <fetchRequest name="Titled" entity="Book" predicateString="title == $TITLE"
          fetchLimit="1" returnObjectsAsFaults="NO"/>
        <fetchRequest name="Beyond" entity="Book"
          predicateString="CAST(title, 'NSNumber') == 1"/>
      </model>
      """
    try content.write(
      to: url.appendingPathComponent("contents"), atomically: true, encoding: .utf8)
    return try #require(NSManagedObjectModel(contentsOf: url))
  }

  private func container(_ model: NSManagedObjectModel) -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
    container.loadPersistentStores { #expect($1 == nil) }
    return container
  }

  @Test func `a model file has named fetch requests and fetched properties`() {
    let outcome = live { [self] in
      let model = try model()
      for model in [model, try #require(model.copy() as? NSManagedObjectModel)] {
        let container = container(model)
        try withExtendedLifetime(container) {
          let view = container.viewContext
          let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: view)
          book.setValue("Emma", forKey: "title")
          try view.save()
          let request = try #require(
            model.fetchRequestFromTemplate(
              withName: "Titled", substitutionVariables: ["TITLE": "Emma"]))
          #expect(try view.count(for: request) == 1)
          #expect(request.fetchLimit == 1 && !request.returnsObjectsAsFaults)
          let namesakes = book.value(forKey: "namesakes") as? [NSManagedObject]
          #expect(namesakes?.contains(book) == true)
          view.delete(book)
          try view.save()
        }
      }
    }
    #expect(outcome.stop == nil && outcome.disagreement == nil)
  }

  @Test func `requests of a model file can be changed, and a copy keeps the changes`() {
    live { [self] in
      let model = try model()
      let order = [NSSortDescriptor(key: "title", ascending: true)]
      model.fetchRequestTemplate(forName: "Titled")?.sortDescriptors = order
      #expect(model.fetchRequestTemplate(forName: "Titled")?.sortDescriptors == order)
      let book = try #require(model.entitiesByName["Book"])
      let fetched = try #require(
        book.propertiesByName["namesakes"] as? NSFetchedPropertyDescription)
      fetched.fetchRequest?.sortDescriptors = order
      #expect(fetched.fetchRequest?.sortDescriptors == order)
      let derived = try #require(book.attributesByName["plain"] as? NSDerivedAttributeDescription)
      #expect(derived.derivationExpression != nil)
      #expect(derived.derivationExpression === derived.derivationExpression)
      // The copy has the changes, and separate fetch request templates.
      let copy = try #require(model.copy() as? NSManagedObjectModel)
      let template = copy.fetchRequestTemplate(forName: "Titled")
      #expect(template?.sortDescriptors == order)
      #expect(template !== model.fetchRequestTemplate(forName: "Titled"))
    }
  }

  @Test func `a model file has attributes with derivations, transformers and validation`() {
    let outcome = live { [self] in
      let container = container(try model())
      try withExtendedLifetime(container) {
        let view = container.viewContext
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: view)
        let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: view)
        book.setValuesForKeys(["title": "ÉMILE", "shelf": shelf])
        try view.save()
        #expect(book.value(forKey: "plain") as? String == "emile")
        #expect(shelf.value(forKey: "bookCount") as? Int == 1)
        let attributes = book.entity.attributesByName
        #expect(attributes["style"]?.valueTransformerName == "StyleTransformer")
        #expect(attributes["cover"]?.allowsExternalBinaryDataStorage == true)
        #expect(attributes["isbn"]?.preservesValueInHistoryOnDeletion == true)
        book.setValue("x", forKey: "isbn")
        let error = #expect(throws: NSError.self) { try view.save() }
        #expect(error?.code == NSValidationStringPatternMatchingError)
        book.setValue("12", forKey: "isbn")
        try view.save()
      }
    }
    #expect(outcome.stop == nil && outcome.disagreement == nil)
  }

  @Test func `a model file has indexes`() {
    live { [self] in
      let book = try #require(try model().entitiesByName["Book"])
      let index = try #require(book.indexes.first)
      #expect(book.indexes.count == 1 && index.name == "byTitle" && index.entity === book)
      #expect(index.elements.map(\.propertyName) == ["title", "isbn"])
      #expect(index.elements.map(\.collationType) == [.binary, .rTree])
      #expect(index.elements.map(\.isAscending) == [false, true])
      #expect(index.elements[0].property === book.propertiesByName["title"])
    }
  }
}
