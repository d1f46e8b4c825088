import CoreData
import Foundation
import Testing

@Suite struct `A part of a model` {
  private func container(
    _ change: (NSManagedObjectModel) throws -> Void
  ) throws -> NSPersistentContainer {
    let model = Notes.model()
    try change(model)
    let container = NSPersistentContainer(name: "Parts", managedObjectModel: model)
    container.loadPersistentStores { _, error in #expect(error == nil) }
    return container
  }

  @Test func `a request template takes values for its variables`() {
    let outcome = live {
      let container = try container { model in
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
        request.predicate = NSPredicate(format: "views > $LEAST")
        model.setFetchRequestTemplate(request, forName: "seen")
      }
      let (view, model) = (container.viewContext, container.managedObjectModel)
      for views in 1...3 { Note(context: view).views = Int64(views) }
      let request = try #require(
        model.fetchRequestFromTemplate(withName: "seen", substitutionVariables: ["LEAST": 1]))
      #expect(try view.count(for: request) == 2)
      #expect(model.fetchRequestTemplate(forName: "seen")?.entityName == "Note")
      #expect(model.fetchRequestTemplate(forName: "none") == nil)
      #expect(model.fetchRequestTemplatesByName.count == 1)
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `a fetched property returns the results of its request`() {
    let outcome = live {
      let container = try container { model in
        let property = NSFetchedPropertyDescription()
        property.name = "namesakes"
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
        request.predicate = NSPredicate(
          format: "title == $FETCH_SOURCE.title AND SELF != $FETCH_SOURCE")
        property.fetchRequest = request
        model.entitiesByName["Note"]?.properties.append(property)
      }
      let view = container.viewContext
      let notes = ["a", "a", "b"].map { title in
        let note = Note(context: view)
        note.title = title
        return note
      }
      try view.save()
      #expect(notes[0].value(forKey: "namesakes") as? [Note] == [notes[1]])
      #expect((notes[2].value(forKey: "namesakes") as? [Note])?.isEmpty == true)
      #expect(notes[0].entity.propertiesByName["namesakes"] is NSFetchedPropertyDescription)
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `a save computes derived attributes`() {
    let outcome = live {
      let container = try container { model in
        for (name, type, expression) in [
          ("plain", .stringAttributeType, "canonical:(title)"),
          ("tagCount", .integer64AttributeType, "tags.@count"),
          ("saved", .dateAttributeType, "now()"),
        ] as [(String, NSAttributeType, String)] {
          let attribute = NSDerivedAttributeDescription()
          (attribute.name, attribute.attributeType) = (name, type)
          attribute.derivationExpression = SimulatedNSExpression(format: expression)
          model.entitiesByName["Note"]?.properties.append(attribute)
        }
      }
      let view = container.viewContext
      let note = Note(context: view)
      note.title = "ÉMILE"
      try view.save()
      view.reset()
      let kept = try #require(try view.fetch(NSFetchRequest<Note>(entityName: "Note")).first)
      #expect(kept.value(forKey: "plain") as? String == "emile")
      #expect(kept.value(forKey: "tagCount") as? Int == 0)
      #expect(kept.value(forKey: "saved") is Date)
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: view)
      tag.setValuesForKeys(["label": "x", "note": kept])
      try view.save()
      #expect(kept.value(forKey: "tagCount") as? Int == 1)
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `an entity has the same hash alone and in its model`() throws {
    let (first, second) = (Notes.model(), Notes.model())
    let entity = try #require(first.entitiesByName["Note"])
    #expect(entity.versionHash == second.entityVersionHashesByName["Note"])
    #expect(entity["title"] is NSAttributeDescription && entity["none"] == nil)
  }
}
