import CoreData
import Foundation
import Testing

@Suite struct `An expression` {
  /// Creates five notes: "a" with 1, 2 and 3 views, "b" with 4, and a note without a title with 5.
  private func notes() throws -> NSManagedObjectContext {
    let view = Notes.container().viewContext
    for (title, views) in [("a", 1), ("b", 4), ("a", 2), (nil, 5), ("a", 3)] {
      let note = Note(context: view)
      (note.title, note.views) = (title, Int64(views))
    }
    try view.save()
    return view
  }

  private func value(_ name: String, _ function: String, _ argument: SimulatedNSExpression)
    -> NSExpressionDescription
  {
    let description = NSExpressionDescription()
    description.name = name
    description.expression = SimulatedNSExpression(forFunction: function, arguments: [argument])
    description.expressionResultType = .integer64AttributeType
    return description
  }

  @Test func `an expression is computed over all rows`() {
    let outcome = live {
      let view = try notes()
      let request = NSFetchRequest<NSDictionary>(entityName: "Note")
      request.resultType = .dictionaryResultType
      let views = SimulatedNSExpression(forKeyPath: "views")
      request.propertiesToFetch = [
        value("least", "min:", views), value("most", "max:", views), value("all", "sum:", views),
        value("mean", "average:", views),
        value("rows", "count:", SimulatedNSExpression.expressionForEvaluatedObject()),
        value("titles", "count:", SimulatedNSExpression(forKeyPath: "title")),
      ]
      let row = try #require(try view.fetch(request).first)
      #expect(row["least"] as? Int64 == 1)
      #expect(row["most"] as? Int64 == 5)
      #expect(row["all"] as? Int64 == 15)
      #expect(row["mean"] as? Double == 3)
      #expect(row["rows"] as? Int == 5)
      #expect(row["titles"] as? Int == 4)
      let sum = NSExpressionDescription()
      (sum.name, sum.expressionResultType) = ("sum", .integer64AttributeType)
      sum.expression = SimulatedNSExpression(format: "@sum.views")
      request.propertiesToFetch?.append(sum)
      #expect(try view.fetch(request).first?["sum"] as? Int64 == 15)
      request.predicate = NSPredicate(format: "title == %@", "a")
      #expect(try view.fetch(request).first?["all"] as? Int64 == 6)
      // Without rows the minimum is nil and the sum is 0.
      request.predicate = NSPredicate(format: "title == %@", "c")
      let none = try #require(try view.fetch(request).first)
      #expect(none["least"] == nil)
      #expect(none["all"] as? Int64 == 0)
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `a sum and an average have the types of their expression descriptions`() {
    live {
      let price = NSAttributeDescription()
      price.name = "price"
      price.attributeType = .decimalAttributeType
      let item = NSEntityDescription()
      item.name = "Item"
      item.properties = [price]
      let model = NSManagedObjectModel()
      model.entities = [item]
      let container = NSPersistentContainer(name: "Items", managedObjectModel: model)
      container.loadPersistentStores { _, error in #expect(error == nil) }
      let view = container.viewContext
      for text in ["0.10", "0.20"] {
        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: view)
        item.setValue(NSDecimalNumber(string: text), forKey: "price")
      }
      try view.save()
      let prices = SimulatedNSExpression(forKeyPath: "price")
      let (exact, mean) = (value("all", "sum:", prices), value("mean", "average:", prices))
      exact.expressionResultType = .decimalAttributeType
      mean.expressionResultType = .doubleAttributeType
      let request = NSFetchRequest<NSDictionary>(entityName: "Item")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = [exact, mean]
      let row = try #require(try view.fetch(request).first)
      // The sum of the values as Doubles would be 0.30000000000000004.
      #expect(row["all"] as? Decimal == Decimal(string: "0.3"))
      #expect((row as? [String: Any])?["mean"] as? Double == 0.15)
    }
  }

  @Test func `a sum of integers is converted to the type of its description`() {
    live {
      let view = try notes()
      let all = value("all", "sum:", SimulatedNSExpression(forKeyPath: "views"))
      all.expressionResultType = .decimalAttributeType
      let request = NSFetchRequest<NSDictionary>(entityName: "Note")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = [all]
      #expect(try view.fetch(request).first?["all"] as? Decimal == 15)
    }
  }

  @Test func `an expression is computed for each group`() {
    live {
      let view = try notes()
      let request = NSFetchRequest<NSDictionary>(entityName: "Note")
      request.resultType = .dictionaryResultType
      request.propertiesToGroupBy = ["title"]
      request.propertiesToFetch = [
        "title", value("views", "sum:", SimulatedNSExpression(forKeyPath: "views")),
      ]
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      let rows = try view.fetch(request)
      #expect(rows.map { $0["title"] as? String } == [nil, "a", "b"])
      #expect(rows.map { $0["views"] as? Int64 } == [5, 6, 4])
      request.fetchOffset = 1
      request.fetchLimit = 1
      #expect(try view.fetch(request).map { $0["title"] as? String } == ["a"])
    }
  }

  @Test func `a request can return each distinct row once`() {
    live {
      let view = try notes()
      let request = NSFetchRequest<NSDictionary>(entityName: "Note")
      request.resultType = .dictionaryResultType
      request.propertiesToFetch = ["title"]
      #expect(try view.fetch(request).count == 5)
      request.returnsDistinctResults = true
      #expect(try view.fetch(request).count == 3)
    }
  }

  @Test func `an expression reports its type`() {
    let kinds = [
      ("title", SimulatedNSExpression.ExpressionType.keyPath), ("SELF", .evaluatedObject),
      ("$a", .variable), ("1", .constantValue), ("{1, 2}", .aggregate), ("tags.@count", .keyPath),
    ]
    for (format, kind) in kinds {
      #expect(SimulatedNSExpression(format: format).expressionType == kind, "\(format)")
    }
    let sum = SimulatedNSExpression(forFunction: "sum:", arguments: [1])
    #expect(sum.expressionType == .function)
  }

  @Test func `a comparison predicate compares two expressions`() {
    live {
      let view = try notes()
      let request = NSFetchRequest<Note>(entityName: "Note")
      func count(
        _ path: String, _ type: SimulatedNSComparisonPredicate.Operator, _ value: Any?,
        _ options: SimulatedNSComparisonPredicate.Options = []
      ) throws -> Int {
        request.predicate = SimulatedNSComparisonPredicate(
          leftExpression: SimulatedNSExpression(forKeyPath: path),
          rightExpression: SimulatedNSExpression(forConstantValue: value), modifier: .direct,
          type: type, options: options)
        return try view.count(for: request)
      }
      #expect(try count("title", .equalTo, "A") == 0)
      #expect(try count("title", .equalTo, "A", .caseInsensitive) == 3)
      #expect(try count("title", .equalTo, nil) == 1)
      #expect(try count("views", .between, [2, 4]) == 3)
      #expect(try count("views", .in, [1, 5, 9]) == 2)
      #expect(try count("views", .greaterThanOrEqualTo, 4) == 2)
    }
  }
}
