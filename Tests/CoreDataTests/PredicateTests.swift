import CoreData
import Foundation
import Testing

@Suite struct `A predicate` {
  /// Inserts five notes with views, four of them with titles. The first note has the tag "a0", the
  /// others with titles have two tags each.
  private func fill(_ context: NSManagedObjectContext) {
    for (index, title) in ["Ärger", "apple", "Banana", nil, "cherry"].enumerated() {
      let note = Note(context: context)
      note.title = title
      note.views = Int64(index)
      guard title != nil else { continue }
      for label in ["a", "b"].prefix(index == 0 ? 1 : 2) {
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        tag.setValue("\(label)\(index)", forKey: "label")
        tag.setValue(note, forKey: "note")
      }
    }
  }

  @Test func `a predicate evaluates list positions and subqueries in memory`() {
    live {
      let view = Notes.container().viewContext
      fill(view)
      let notes = try view.fetch(NSFetchRequest<Note>(entityName: "Note"))
      let banana = try #require(notes.first { $0.title == "Banana" })
      func holds(_ format: String, _ lists: [String: Any]) -> Bool {
        NSPredicate(format: format).evaluate(with: lists)
      }
      let lists: [String: Any] = ["list": ["a", "bc"], "empty": [String]()]
      #expect(holds("list[FIRST] == 'a' AND list[LAST].length == 2 AND list[1] == 'bc'", lists))
      #expect(holds("list[SIZE] == 2 AND empty[SIZE] == 0 AND empty[FIRST] == nil", lists))
      #expect(!holds("list[FIRST] == 'bc' OR list[2] != nil", lists))
      let subquery = SimulatedNSExpression(
        forSubquery: SimulatedNSExpression(forKeyPath: "tags"), usingIteratorVariable: "t",
        predicate: NSPredicate(format: "$t.label BEGINSWITH 'a'"))
      let members = subquery.expressionValue(with: banana, context: nil) as? [NSManagedObject]
      #expect(members?.map { $0.value(forKey: "label") as? String } == ["a2"])
      #expect(subquery.expressionType == .subquery)
      #expect(subquery.description == "SUBQUERY(tags, $t, $t.label BEGINSWITH \"a\")")
      // The store counts the matching tags of each note.
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = SimulatedNSComparisonPredicate(
        leftExpression: SimulatedNSExpression(forFunction: "count:", arguments: [subquery]),
        rightExpression: SimulatedNSExpression(forConstantValue: 1), modifier: .direct,
        type: .equalTo)
      #expect(try view.count(for: request) == 4)
    }
  }

  @Test func `a predicate takes Foundation objects from an argument list`() {
    live { () throws in
      let view = Notes.container().viewContext
      fill(view)
      func views(_ format: String, _ arguments: any CVarArg...) throws -> [Int64] {
        let request = NSFetchRequest<Note>(entityName: "Note")
        request.predicate = NSPredicate(
          format: format, arguments: SimulatedCVaListPointer(arguments))
        return try view.fetch(request).map(\.views).sorted()
      }
      #expect(try views("views IN %@", NSArray(array: [1, 3])) == [1, 3])
      #expect(try views("views > %@ AND title == %@", NSNumber(value: 2), "cherry") == [4])
      #expect(try views("tags.label CONTAINS %@", NSString(string: "b4")) == [4])
    }
  }

  private struct Case: @unchecked Sendable {
    let format: String
    let arguments: [Any]
    let views: [Int64]

    init(_ format: String, _ arguments: Any..., finds views: Int64...) {
      (self.format, self.arguments, self.views) = (format, arguments, views)
    }

    var predicate: NSPredicate { NSPredicate(format: format, argumentArray: arguments) }
  }

  private static let cases = [
    Case("views <= 1", finds: 0, 1), Case("views >= %d", 3, finds: 3, 4),
    Case("views == 1 OR views == 3", finds: 1, 3), Case("NOT (views > 1)", finds: 0, 1),
    Case("!(views > 1) && title != nil", finds: 0, 1),
    Case("views BETWEEN {1, 3}", finds: 1, 2, 3), Case("views IN %@", [0, 4, 9], finds: 0, 4),
    Case("title IN {'apple', 'cherry'}", finds: 1, 4),
    Case("title BEGINSWITH 'b'"), Case("title BEGINSWITH[c] 'b'", finds: 2),
    Case("title CONTAINS[cd] %@", "ARG", finds: 0), Case("title ENDSWITH 'y'", finds: 4),
    Case("title LIKE '?pp*'", finds: 1), Case("title LIKE[c] 'B*'", finds: 2),
    Case("title == nil", finds: 3), Case("%K == %@", "title", "apple", finds: 1),
    Case("ANY tags.label == 'b2'", finds: 2), Case("tags.@count == 1", finds: 0),
    Case("tags.@count == 0 OR NONE tags.label BEGINSWITH 'b'", finds: 0, 3),
    Case("ALL tags.label ENDSWITH '4' AND tags.@count > 0", finds: 4),
    Case("ALL tags.label BEGINSWITH 'a'", finds: 0, 3),
    Case("TRUEPREDICATE AND views > 3", finds: 4), Case("FALSEPREDICATE"),
  ]

  private func check(_ context: NSManagedObjectContext, _ comment: Comment) throws {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "views", ascending: true)]
    for test in Self.cases {
      request.predicate = test.predicate
      let found = try context.fetch(request).map(\.views)
      #expect(found == test.views, "\(test.format), \(comment)")
      #expect(try context.count(for: request) == test.views.count)
    }
  }

  @Test func `a predicate finds unsaved and saved objects`() {
    let outcome = live {
      let container = Notes.container()
      fill(container.viewContext)
      try check(container.viewContext, "unsaved")
      try container.viewContext.save()
      try check(container.viewContext, "saved")
      let other = container.newBackgroundContext()
      try other.performAndWait { try check(other, "in another context") }
      let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
      child.parent = container.viewContext
      try check(child, "in a child")
    }
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a predicate evaluates objects in memory like a fetch`() {
    let outcome = live {
      let context = Notes.container().viewContext
      fill(context)
      let notes = try context.fetch(NSFetchRequest<Note>(entityName: "Note"))
      for test in Self.cases {
        let found = notes.filter { test.predicate.evaluate(with: $0) }.map(\.views).sorted()
        #expect(found == test.views, "\(test.format)")
      }
    }
    #expect(outcome.disagreement == nil)
  }

  @Test func `a predicate uses unsaved changes, and stored values for unchanged objects`() {
    let outcome = live {
      let container = Notes.container()
      let view = container.viewContext
      fill(view)
      try view.save()
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = NSPredicate(format: "title CONTAINS[c] 'AN' OR views > 100")
      let banana = try #require(try view.fetch(request).first)
      banana.title = "pear"
      #expect(try view.fetch(request).isEmpty)
      banana.views = 200
      #expect(try view.fetch(request) == [banana])
      view.rollback()

      let other = container.newBackgroundContext()
      try other.performAndWait {
        let note = try #require(try other.fetch(request).first)
        note.title = "pear"
        try other.save()
      }
      // The view context still shows the old title, but the predicate is evaluated in the store.
      #expect(banana.title == "Banana")
      #expect(try view.fetch(request).isEmpty)
    }
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a predicate compares objects and follows relationships`() {
    let outcome = live {
      let context = Notes.container().viewContext
      fill(context)
      let notes = try context.fetch(NSFetchRequest<Note>(entityName: "Note"))
      let apple = try #require(notes.first { $0.title == "apple" })
      let request = NSFetchRequest<Note>(entityName: "Note")
      for predicate in [
        NSPredicate(format: "SELF == %@", apple), NSPredicate(format: "SELF IN %@", [apple]),
        NSPredicate(format: "self == %@", apple.objectID),
        NSPredicate(format: "objectID IN %@", [apple.objectID]),
        NSCompoundPredicate(andPredicateWithSubpredicates: [
          NSPredicate(format: "views < 3"),
          NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(format: "views != 1")),
        ]),
      ] {
        request.predicate = predicate
        #expect(try context.fetch(request) == [apple])
      }
      let tags = NSFetchRequest<NSManagedObject>(entityName: "Tag")
      tags.predicate = NSPredicate(format: "note.title ==[c] 'APPLE' AND note.views < 5")
      tags.sortDescriptors = [NSSortDescriptor(key: "label", ascending: false)]
      #expect(try context.fetch(tags).map { $0.value(forKey: "label") as? String } == ["b1", "a1"])
    }
    #expect(outcome.disagreement == nil)
  }
}
