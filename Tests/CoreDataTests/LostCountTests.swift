import CoreData
import Faultline
import Foundation
import Testing

/// Counts how often a note was opened and records the date, each time in a new context.
private final class OpenedNotes {
  let container: NSPersistentContainer
  let id: NSManagedObjectID

  init() throws {
    let model = Notes.model()
    let lastOpened = NSAttributeDescription()
    lastOpened.name = "lastOpened"
    lastOpened.attributeType = .dateAttributeType
    model.entities[0].properties.append(lastOpened)
    container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
    container.loadPersistentStores { _, error in #expect(error == nil) }
    let note = Note(context: container.viewContext)
    try container.viewContext.save()
    id = note.objectID
  }

  func open() {
    container.performBackgroundTask { [id] context in
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      guard let note = context.object(with: id) as? Note else { return }
      note.views += 1
      note.setValue(SimulatedValues.date, forKey: "lastOpened")
      try? context.save()
    }
  }

  func openByFetch(adding amount: Int64 = 1) {
    container.performBackgroundTask { context in
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      guard let note = try? context.fetch(NSFetchRequest<Note>(entityName: "Note")).first else {
        return
      }
      note.views += amount
      try? context.save()
    }
  }
}

@Suite struct `A function that counts and sets a date` {
  private static func report() -> CodeReport {
    CodeFuzzer(runs: 200).run { app in
      let notes = try OpenedNotes()
      app.function("open") { notes.open() }
    }
  }

  @Test func `the report names the lost count before the date`() throws {
    let failure = try #require(Self.report().failures.first).withScenario()
    #expect(failure.violation == .lostUpdateInTheStore)
    let sentence = try #require(failure.text.split(separator: "\n").first)
    let count = try #require(sentence.firstRange(of: "note1.views"))
    let date = try #require(sentence.firstRange(of: "note1.lastOpened"))
    #expect(count.lowerBound < date.lowerBound)
    #expect(sentence.contains("one count is lost"))
    #expect(sentence.contains(/saved 2025-01-01T00:00:00\.\d+Z over 2025-01-01T00:00:00\.\d+Z,/))
    #expect(failure.cause?.hasPrefix("merge policy mergeByPropertyObjectTrump of ") == true)
    #expect(
      failure.trace.contains { $0.contains("  open 2  ") && $0.contains("LostCountTests.swift:") })
    #expect(!failure.description.contains("757382400"))
  }

  @Test func `the scenario increments twice, and finds the note by its permanent ID`() throws {
    let failure = try #require(Self.report().failures.first).withScenario()
    let scenario = try #require(failure.scenario)
    let lines = scenario.split(separator: "\n")
    #expect(lines.count { $0.contains("  increment ") } == 2, "\(scenario)")
    let save = try #require(lines.firstIndex { $0.contains("viewContext  save") })
    let lookup = try #require(lines.firstIndex { $0.contains("  object ") })
    #expect(save < lookup, "\(scenario)")
    #expect(!scenario.contains("lastOpened 20"), "\(scenario)")
  }

  @Test(arguments: [1, -1])
  func `the scenario fetches if the code fetches`(amount: Int64) throws {
    let report = CodeFuzzer(runs: 200).run { app in
      let notes = try OpenedNotes()
      app.function("open") { notes.openByFetch(adding: amount) }
    }
    let failure = try #require(report.failures.first).withScenario()
    let scenario = try #require(failure.scenario)
    let lines = scenario.split(separator: "\n")
    let step = amount == 1 ? "note1.views" : "note1.views by -1"
    #expect(
      lines.count { $0.contains("  increment ") && $0.hasSuffix(step) } == 2, "\(scenario)")
    #expect(lines.count { $0.contains("  fetch ") } == 2, "\(scenario)")
    #expect(!lines.contains { $0.contains("  object ") }, "\(scenario)")
  }
}
