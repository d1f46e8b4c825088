import CoreData
import Execution
import Foundation
import LiveCode
import Scenario
import ScenarioChecking
import Testing
import Vocabulary

/// Requests of code are printed with the recorded program of the run, and parsed again.
@Suite struct `A recorded request` {
  private static func ask() throws {
    let view = Notes.container().viewContext
    for (title, views, label) in [("plan", 1, "b"), ("list", 5, "a"), ("plan", 4, "c")] {
      let note = Note(context: view)
      (note.title, note.views) = (title, Int64(views))
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: view)
      tag.setValue(label, forKey: "label")
      tag.setValue(note, forKey: "note")
    }
    try view.save()
    let notes = NSFetchRequest<Note>(entityName: "Note")
    notes.predicate = NSPredicate(
      format: "ANY tags.label IN {'a', 'b'} AND (title LIKE[cd] 'L*' OR NOT views > 3)")
    #expect(try view.fetch(notes).count == 2)
    let tags = NSFetchRequest<NSManagedObject>(entityName: "Tag")
    tags.sortDescriptors = [
      NSSortDescriptor(key: "note.title", ascending: true),
      NSSortDescriptor(key: "note.views", ascending: false),
    ]
    tags.fetchLimit = 2
    #expect(try view.fetch(tags).map { $0.value(forKey: "label") as? String } == ["a", "c"])
    let sums = NSFetchRequest<NSDictionary>(entityName: "Note")
    sums.resultType = .dictionaryResultType
    let sum = NSExpressionDescription()
    sum.name = "all"
    sum.expression = SimulatedNSExpression(
      forFunction: "sum:", arguments: [SimulatedNSExpression(forKeyPath: "views")])
    sums.propertiesToFetch = ["title", sum]
    sums.propertiesToGroupBy = ["title"]
    sums.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    #expect(try view.fetch(sums).map { $0["all"] as? Int64 } == [5, 5])
  }

  @Test func `a recorded request is printed, parsed and replayed without changes`() throws {
    var campaign = LiveCampaign { (_: LiveApp) throws -> Void in try Self.ask() }
    campaign.isInOrder = true
    campaign.actionCount = 0
    let recorded = try #require(campaign.record(0))
    #expect(recorded.isExact)
    let scenario = Scenario(
      recorded.program, name: "recorded", source: "code", profile: .current,
      quirks: Profile.current.quirks)
    let text = ScenarioText.print(scenario)
    for line in [
      "where ANY tags.label IN {\"a\", \"b\"} and (title LIKE[cd] \"L*\" or not (views > 3))",
      "fetch Tag sort note.title -note.views limit 2",
      "fetch Note sort title dictionaries title sum(views) group title",
      "> viewContext  found [{title: \"list\", sum(views): 5} {title: \"plan\", sum(views): 5}]",
    ] {
      #expect(text.contains(line), "\(text)")
    }
    let read = try ScenarioText.parse(text) { _ in
      .failure(UnreadableModel(message: "there is no file"))
    }
    var replayed = read
    replayed.record()
    #expect(ScenarioText.print(replayed) == text)
  }
}
