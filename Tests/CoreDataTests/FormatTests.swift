import CoreData
import Foundation
import Testing

@Suite struct `An advanced predicate format` {
  /// Checks the titles that each predicate finds, among unsaved and saved notes, in the context and
  /// in the store.
  private func expect(_ answers: [(NSPredicate, [String])]) {
    let outcome = live {
      let view = Notes.container().viewContext
      for (title, views, labels) in [
        ("Alpha", 1, ["red", "blue"]), ("beta", 2, ["red"]), ("gamma ray", 30, []),
      ] as [(String, Int64, [String])] {
        let note = Note(context: view)
        (note.title, note.views) = (title, views)
        for label in labels {
          let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: view)
          tag.setValuesForKeys(["label": label, "note": note])
        }
      }
      func check() throws {
        for (predicate, titles) in answers {
          let request = NSFetchRequest<Note>(entityName: "Note")
          request.predicate = predicate
          request.sortDescriptors = [NSSortDescriptor(key: "views", ascending: true)]
          #expect(try view.fetch(request).map(\.title) == titles, "\(predicate)")
          let all = try view.fetch(NSFetchRequest<Note>(entityName: "Note"))
            .sorted { $0.views < $1.views }
          let inMemory = all.filter { predicate.evaluate(with: $0) }.map(\.title)
          #expect(inMemory == titles, "\(predicate) in memory")
        }
      }
      try check()
      try view.save()
      try check()
      view.reset()
      try check()
    }
    #expect(outcome.stop == nil && outcome.disagreement == nil)
  }

  @Test func `a subquery counts the members that it finds`() {
    expect([
      (NSPredicate(format: "SUBQUERY(tags, $t, $t.label == 'blue').@count > 0"), ["Alpha"]),
      (
        NSPredicate(format: "SUBQUERY(tags, $t, $t.label IN %@).@count == 1", ["red"]),
        ["Alpha", "beta"]
      ),
      (
        NSPredicate(
          format: "SUBQUERY(tags, $t, $t.label == 'red' OR $t.label == 'blue').@count = 2"),
        ["Alpha"]
      ),
      (
        NSPredicate(format: "views < 9 AND SUBQUERY(tags, $x, $x.note.views == 2).@count == 0"),
        ["Alpha"]
      ),
    ])
  }

  @Test func `a format computes with numbers`() {
    expect([
      (NSPredicate(format: "views + 1 > 2"), ["beta", "gamma ray"]),
      (NSPredicate(format: "views*2 - 1 == 3"), ["beta"]),
      (NSPredicate(format: "(views + 1) * 2 == 4"), ["Alpha"]),
      (NSPredicate(format: "views > -1 AND views < 2.5"), ["Alpha", "beta"]),
      (NSPredicate(format: "title.length == 4"), ["beta"]),
      (NSPredicate(format: "tags.@count + views == 3"), ["Alpha", "beta"]),
    ])
  }

  @Test func `a format compares texts by functions and regular expressions`() {
    expect([
      (NSPredicate(format: "title MATCHES %@", "[a-z ]+"), ["beta", "gamma ray"]),
      (NSPredicate(format: "title MATCHES[c] 'ALPHA|BETA'"), ["Alpha", "beta"]),
      (NSPredicate(format: "NOT title MATCHES '.*a'"), ["gamma ray"]),
      (NSPredicate(format: "lowercase(title) == 'alpha'"), ["Alpha"]),
      (NSPredicate(format: "uppercase:(title) BEGINSWITH 'B'"), ["beta"]),
      (NSPredicate(format: "lowercase(title) == 'Alpha'"), []),
    ])
  }

  @Test func `a template's variables are replaced by values`() {
    let template = NSPredicate(format: "views > $LEAST AND title != $TITLE")
    expect([
      (template.withSubstitutionVariables(["LEAST": 1, "TITLE": "beta"]), ["gamma ray"]),
      (
        template.withSubstitutionVariables(["LEAST": 0, "TITLE": "x"]),
        ["Alpha", "beta", "gamma ray"]
      ),
    ])
    #expect(NSPredicate(format: "SELF == $A").evaluate(with: 3, substitutionVariables: ["A": 3]))
  }

  @Test func `a format aggregates the members of a relationship`() {
    let outcome = live {
      let view = Notes.container().viewContext
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: view)
      let other = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: view)
      let note = Note(context: view)
      note.views = 4
      tag.setValuesForKeys(["label": "a", "note": note])
      other.setValuesForKeys(["label": "bc", "note": note])
      try view.save()
      let request = NSFetchRequest<Note>(entityName: "Note")
      for (format, isFound) in [
        ("tags.@max.label == 'bc'", true), ("tags.@min.label == 'bc'", false),
        ("tags.@sum.note.views == 8", true), ("tags.@avg.note.views > 4", false),
      ] {
        request.predicate = NSPredicate(format: format)
        #expect(try view.count(for: request) == (isFound ? 1 : 0), "\(format)")
      }
    }
    #expect(outcome.stop == nil && outcome.disagreement == nil)
  }

  @Test func `a sum of decimals is compared with whole numbers and fractions`() {
    let outcome = live {
      let (order, line) = (NSEntityDescription(), NSEntityDescription())
      (order.name, line.name) = ("Order", "Line")
      let (lines, owner) = (NSRelationshipDescription(), NSRelationshipDescription())
      (lines.name, lines.destinationEntity, lines.inverseRelationship) = ("lines", line, owner)
      (owner.name, owner.destinationEntity, owner.inverseRelationship) = ("order", order, lines)
      (lines.isOptional, owner.isOptional, owner.maxCount) = (true, true, 1)
      let price = NSAttributeDescription()
      (price.name, price.attributeType) = ("price", .decimalAttributeType)
      (order.properties, line.properties) = ([lines], [price, owner])
      let model = NSManagedObjectModel()
      model.entities = [order, line]
      let container = NSPersistentContainer(name: "Orders", managedObjectModel: model)
      container.loadPersistentStores { _, error in #expect(error == nil) }
      let view = container.viewContext
      let bill = NSEntityDescription.insertNewObject(forEntityName: "Order", into: view)
      for text in ["1.25", "1.75"] {
        let line = NSEntityDescription.insertNewObject(forEntityName: "Line", into: view)
        line.setValue(NSDecimalNumber(string: text), forKey: "price")
        line.setValue(bill, forKey: "order")
      }
      try view.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Order")
      for (format, isFound) in [
        ("lines.@sum.price > 2", true), ("lines.@sum.price > 100", false),
        ("lines.@sum.price == 3", true), ("lines.@sum.price != 3", false),
        ("lines.@sum.price < 3.5", true), ("lines.@max.price < 1.7", false),
        ("lines.price.@min <= 1.25", true), ("lines.@min.price <= 1.25", true),
        ("ANY lines.price > 2", false),
      ] {
        request.predicate = NSPredicate(format: format)
        #expect(try view.count(for: request) == (isFound ? 1 : 0), "\(format)")
      }
    }
    #expect(outcome.stop == nil && outcome.disagreement == nil)
  }

  @Test func `a comparison with an entity excludes its subentities`() {
    let outcome = live {
      let model = NSManagedObjectModel()
      let names = ["Animal", "Dog"]
      let entities = names.map { name in
        let entity = NSEntityDescription()
        entity.name = name
        return entity
      }
      entities[0].subentities = [entities[1]]
      model.entities = entities
      let container = NSPersistentContainer(name: "Animals", managedObjectModel: model)
      container.loadPersistentStores { _, error in #expect(error == nil) }
      let view = container.viewContext
      for name in ["Animal", "Dog", "Dog"] {
        _ = NSEntityDescription.insertNewObject(forEntityName: name, into: view)
      }
      try view.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Animal")
      for (predicate, count) in [
        (NSPredicate(format: "entity == %@", entities[0]), 1),
        (NSPredicate(format: "SELF.entity != %@", entities[0]), 2),
        (NSPredicate(format: "entity IN %@", entities), 3),
        (NSPredicate(format: "entity.name == 'Dog'"), 2),
      ] {
        request.predicate = predicate
        #expect(try view.count(for: request) == count)
        #expect(try view.fetch(request).filter { predicate.evaluate(with: $0) }.count == count)
      }
    }
    #expect(outcome.stop == nil && outcome.disagreement == nil)
  }
}

@Suite struct `A predicate of a format` {
  @Test func `predicates of equivalent formats are equal`() {
    #expect(NSPredicate(format: "a == %@", "x") == NSPredicate(format: "a==\"x\""))
    #expect(NSPredicate(format: "a == 1") != NSPredicate(format: "a == 2"))
    #expect(
      NSPredicate(format: "a BEGINSWITH[cd] %@ AND (b == YES OR NOT c IN {1, 2})", "x\"")
        .description
        == "a BEGINSWITH[cd] \"x\\\"\" AND (b == 1 OR NOT c IN {1, 2})")
    let both = [NSPredicate(format: "a == 1"), NSPredicate(format: "b == 2")]
    #expect(
      SimulatedNSCompoundPredicate(andPredicateWithSubpredicates: both)
        == NSPredicate(format: "a == 1 AND b == 2"))
    #expect(
      SimulatedNSCompoundPredicate(orPredicateWithSubpredicates: both)
        != NSPredicate(format: "a == 1 AND b == 2"))
  }

  @Test func `a format yields a comparison predicate or a compound predicate`() throws {
    let comparison = try #require(
      NSPredicate(format: "ANY tags.label BEGINSWITH[cd] %@", "r")
        as? SimulatedNSComparisonPredicate)
    #expect(comparison.leftExpression.keyPath == "tags.label")
    #expect(comparison.rightExpression.constantValue as? String == "r")
    #expect(comparison.predicateOperatorType == .beginsWith)
    #expect(comparison.comparisonPredicateModifier == .any)
    #expect(comparison.options == [.caseInsensitive, .diacriticInsensitive])
    let compound = try #require(
      NSPredicate(format: "a == 1 OR NOT b IN {1, 2}") as? NSCompoundPredicate)
    #expect(compound.compoundPredicateType == .or && compound.subpredicates.count == 2)
  }
}
