import CoreData
import Faultline
import Foundation
import Testing

/// The store of an app with a bug: a background block that writes what it read in an earlier one.
private final class NoteStore {
  let container = Notes.container()
  let id: NSManagedObjectID

  init() throws {
    let note = Note(context: container.viewContext)
    note.title = "old"
    try container.viewContext.save()
    id = note.objectID
  }

  func rename(to title: String, _ policy: NSMergePolicy) {
    let context = container.newBackgroundContext()
    context.mergePolicy = policy
    context.perform { [id] in
      (context.object(with: id) as? Note)?.title = title
      context.perform { try? context.save() }
    }
  }

  func tag(_ label: String) {
    container.performBackgroundTask { [id] context in
      let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      tag.setValue(label, forKey: "label")
      tag.setValue(context.object(with: id), forKey: "note")
      try? context.save()
    }
  }
}

@Suite struct `A campaign on code` {
  private static func report(runs: Int, _ policy: NSMergePolicy) -> CodeReport {
    CodeFuzzer(runs: runs).run { app in
      let store = try NoteStore()
      app.function("rename") { store.rename(to: "title \(app.number(below: 100))", policy) }
      app.function("tag") { store.tag("label \(app.number(below: 100))") }
    }
  }

  @Test func `finds a bug, and shrinks it to the calls that it takes`() throws {
    let report = Self.report(runs: 200, .overwrite)
    let failure = try #require(report.failures.first { $0.violation == .lostUpdateInTheStore })
    #expect(failure.count > 1)
    #expect(failure.trace.contains { $0.contains("  rename    ") && $0.hasSuffix("save") })
    #expect(failure.trace.contains { $0.contains("  rename 2  ") && $0.hasSuffix("save") })
    #expect(!failure.trace.contains { $0.contains("rename 3") || $0.contains("tag") })
    // The proof names steps by the numbers of the lines.
    let last = try #require(failure.trace.last?.split(separator: " ").first)
    #expect(failure.text.hasPrefix("after step \(last): "))
    #expect(failure.trace.contains { $0.contains("CampaignTests.swift") })
    #expect(failure.description.contains("title"))
    #expect(!report.failures.contains { $0.kind.contains("disagreement") })
    // The same once more, and nothing of it where conflicts are seen.
    #expect(Self.report(runs: 200, .overwrite).digest == report.digest)
    let careful = Self.report(runs: 200, .error)
    #expect(!careful.failures.contains { $0.violation == .lostUpdateInTheStore })
  }

  @Test func `throws what it does not expect, and what it misses`() throws {
    #expect(throws: UnexpectedCodeOutcome.self) {
      try CodeFuzzer(runs: 1, calls: 0).check { _ in throw CocoaError(.fileNoSuchFile) }
    }
    #expect(throws: UnexpectedCodeOutcome.self) {
      try CodeFuzzer(runs: 1, expected: [.lostUpdate]).check { _ in _ = try NoteStore() }
    }
    try CodeFuzzer(runs: 3).check { app in
      let store = try NoteStore()
      app.function("tag") { store.tag("red") }
    }
  }
}
