import Combine
import CoreData
import Faultline
import Foundation
import Testing

/// A list of an app, which follows the saves of other contexts.
private final class NotesModel: ObservableObject {
  enum Delivery {
    case onTheQueueOfTheSave
    case onTheMainQueue
    case onAnotherQueue
  }

  @Published private(set) var titles: [String] = []
  let container = Notes.container()
  /// The objects that the list shows.
  private(set) var notes: [Note] = []
  private var cancellables: Set<AnyCancellable> = []

  init(_ delivery: Delivery, merges: Bool, reload: @escaping (NotesModel) -> Void) throws {
    let view = container.viewContext
    view.automaticallyMergesChangesFromParent = merges
    let note = Note(context: view)
    note.title = "first"
    try view.save()
    let saves = SimulatedNotificationCenter.default
      .publisher(for: .NSManagedObjectContextDidSave)
      .filter { $0.object as? NSManagedObjectContext !== view }
    switch delivery {
    case .onTheQueueOfTheSave:
      saves.sink { [weak self] _ in self.map(reload) }.store(in: &cancellables)
    case .onTheMainQueue:
      saves.receive(on: SimulatedDispatchQueue.main)
        .sink { [weak self] _ in self.map(reload) }.store(in: &cancellables)
    case .onAnotherQueue:
      let saves = saves.receive(on: SimulatedDispatchQueue(label: "work"))
      saves.sink { [weak self] _ in self.map(reload) }.store(in: &cancellables)
    }
    fetch()
  }

  func fetch() {
    notes = (try? container.viewContext.fetch(NSFetchRequest<Note>(entityName: "Note"))) ?? []
    read()
  }

  func read() { titles = notes.compactMap(\.title) }

  func rename() {
    guard let id = notes.first?.objectID else { return }
    container.performBackgroundTask { context in
      (try? context.existingObject(with: id) as? Note)?.title = "renamed"
      try? context.save()
    }
  }
}

@Suite struct `A view model that follows saves` {
  private func report(
    _ delivery: NotesModel.Delivery, merges: Bool, _ reload: @escaping (NotesModel) -> Void
  ) -> CodeReport {
    CodeFuzzer(runs: 200, calls: 5).run { app in
      let model = try NotesModel(delivery, merges: merges, reload: reload)
      app.function("rename") { model.rename() }
    }
  }

  @Test func `a view model called at the save reads its context on a wrong queue`() throws {
    let report = report(.onTheQueueOfTheSave, merges: true) { $0.fetch() }
    #expect(report.failures.map(\.violation) == [.wrongQueueAccess])
  }

  /// The block that a report names is the closure of the sink, and not the call of `receive`.
  @Test func `a report of a wrong queue names the block of the sink`() throws {
    let report = report(.onAnotherQueue, merges: true) { $0.fetch() }
    let failure = try #require(report.failures.first)
    let sink = try #require(lines(of: "saves.sink { [weak self]").last)
    #expect(failure.violation == .wrongQueueAccess)
    #expect(failure.text.contains("ViewModelTests.swift:\(sink);"), "\(failure)")
  }

  @Test func `a view model shows old values if its context does not merge`() {
    let log = Log()
    live {
      let model = try NotesModel(.onTheMainQueue, merges: false) {
        $0.fetch()
        log.note($0.titles)
      }
      model.rename()
      goOn()
    }
    #expect(log.events == [#"["first"]"#])
  }

  private func lines(of text: String, file: String = #filePath) throws -> [Int] {
    let lines = try String(contentsOfFile: file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.filter { lines[$0].contains(text) && !lines[$0].contains("lines(") }
      .map { $0 + 1 }
  }

  /// A save enqueues the merge before its observers enqueue anything (NT-23), and the main queue
  /// keeps the order. So in no schedule does the sink read before the merge.
  @Test func `a view model on the main queue reads an object after the merge`() {
    for seed in 0..<200 as Range<UInt64> {
      let log = Log()
      let violations = live(seed: seed) {
        let model = try NotesModel(.onTheMainQueue, merges: true) {
          $0.read()
          log.note($0.titles)
        }
        model.rename()
        goOn()
      }
      #expect(violations.isEmpty)
      #expect(log.events == [#"["renamed"]"#])
    }
    let report = report(.onTheMainQueue, merges: true) { $0.read() }
    #expect(report.failures.isEmpty)
  }
}
