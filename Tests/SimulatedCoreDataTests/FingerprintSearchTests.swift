import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

/// Every program of a few steps, with each state once. States of equal fingerprints must answer
/// every next step alike, and show the same.
@Suite struct `Equal fingerprints` {
  struct Search: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var depth = 4
    var tellsHistory = false
    var start: @Sendable () -> Stage
    var steps: [(Int, Step)]
  }

  /// Returns two saved notes that context 0 holds, alike except for their IDs.
  private static func saved(_ parents: [Int?], _ settings: (inout Stack.Context) -> Void = { _ in })
    -> Stage
  {
    var stage = Stage(parents, settings: settings)
    stage.run(0, .insert(Note.entity, as: .n), .insert(Note.entity, as: .m))
    stage.run(0, .insert(Folder.entity, as: .f), .save)
    return stage
  }

  private static let searches = [
    Search(
      testDescription: "which objects a context keeps",
      start: {
        var stage = saved([nil, nil]) { $0.retainsRegisteredObjects = true }
        stage.run(0, .save)
        return stage
      },
      steps: [
        (1, .object(with: HeldInstance(0, .n), as: .twin)),
        (1, .object(with: HeldInstance(0, .m), as: .twin)),
        (1, .object(with: HeldInstance(0, .f), as: .f)), (1, .release(.twin)),
        (1, .get(.twin, Note.title)), (1, .registeredObject(for: HeldInstance(0, .n), as: .k)),
        (1, .refreshAllObjects), (1, .release(.f)),
      ]),
    Search(
      testDescription: "what a context lets go",
      start: { saved([nil, nil]) },
      steps: [
        (1, .object(with: HeldInstance(0, .n), as: .n)), (1, .get(.n, Note.title)),
        (1, .relate(.n, Note.folder, HeldInstance(1, .f))), (1, .release(.n)),
        (1, .object(with: HeldInstance(0, .f), as: .f)), (1, .release(.f)),
        (1, .registeredObject(for: HeldInstance(0, .n), as: .k)), (1, .save),
        (1, .fetch(FetchRequest(entity: Note.entity))), (1, .tick), (1, .refreshAllObjects),
      ]),
    Search(
      testDescription: "undoing",
      depth: 5,
      start: {
        var stage = Stage([nil], settings: { $0.hasUndoManager = true })
        stage.run(0, .disableUndoRegistration, .insert(Note.entity, as: .n))
        stage.run(0, .save, .enableUndoRegistration)
        return stage
      },
      steps: [
        (0, .set(.n, Note.title, .text(1))), (0, .set(.n, Note.title, .text(2))), (0, .undo),
        (0, .redo), (0, .processPendingChanges), (0, .disableUndoRegistration),
        (0, .enableUndoRegistration), (0, .save), (0, .rollback),
      ]),
    Search(
      testDescription: "a child and its parent",
      start: {
        var stage = saved([nil, 0])
        stage.load(.n, from: 0, in: 1)
        return stage
      },
      steps: [
        (0, .set(.n, Note.title, .text(1))), (1, .set(.n, Note.title, .text(1))),
        (1, .set(.n, Note.title, .null)), (0, .save), (1, .save), (1, .get(.n, Note.title)),
        (1, .refresh(.n, mergeChanges: false)), (1, .refresh(.n, mergeChanges: true)),
        (0, .delete(.n)), (1, .delete(.n)), (1, .rollback),
      ]),
    Search(
      testDescription: "two roots",
      start: {
        var stage = saved([nil, nil])
        stage.load(.n, from: 0, in: 1)
        return stage
      },
      steps: [
        (0, .set(.n, Note.title, .text(1))), (1, .set(.n, Note.title, .text(2))), (0, .save),
        (1, .save), (0, .refresh(.n, mergeChanges: false)), (0, .get(.n, Note.title)),
        (1, .refresh(.n, mergeChanges: false)), (1, .get(.n, Note.title)),
        (1, .detectConflicts(.n)), (1, .delete(.n)),
      ]),
    Search(
      testDescription: "two coordinators",
      tellsHistory: true,
      start: {
        var stage = Stage([nil, nil], elsewhere: [1])
        stage.run(0, .insert(Note.entity, as: .n), .save)
        stage.load(.n, from: 0, in: 1)
        return stage
      },
      steps: [
        (0, .set(.n, Note.title, .text(1))), (0, .save), (1, .mergeHistory),
        (1, .refresh(.n, mergeChanges: false)), (1, .get(.n, Note.title)),
        (0, .setMetadata(StoreID(0), 1)), (1, .metadata(StoreID(0))),
        (0, .metadata(StoreID(0))), (1, .save), (1, .release(.n)),
        (1, .object(with: HeldInstance(0, .n), as: .n)),
      ]),
    Search(
      testDescription: "new objects and their IDs",
      tellsHistory: true,
      start: { Stage([nil, 0]) },
      steps: [
        (1, .insert(Note.entity, as: .n)), (1, .insert(Note.entity, as: .m)), (1, .save),
        (0, .save), (1, .obtainPermanentIDs([.n])), (1, .uriRepresentation(.n)),
        (0, .object(with: HeldInstance(1, .n), as: .n)), (0, .delete(.n)),
        (0, .mergeChanges(.didSave(ContextID(1), ordinal: 0))), (1, .delete(.n)),
      ]),
    Search(
      testDescription: "writes that a store refuses",
      start: { saved([nil]) },
      steps: [
        (0, .refuseWrite(StoreID(0), after: 1)), (0, .refuseWrite(StoreID(0), after: 2)),
        (0, .set(.n, Note.title, .text(1))), (0, .set(.n, Note.title, .text(2))), (0, .save),
        (0, .rollback), (0, .set(.m, Note.title, .text(1))),
        (0, .changedValuesForCurrentEvent(.n)), (0, .processPendingChanges),
      ]),
  ]

  private func fingerprint(_ stage: Stage, _ search: Search) -> Int {
    var hasher = Hasher()
    stage.world.hashState(into: &hasher, tellsHistory: search.tellsHistory)
    return hasher.finalize()
  }

  /// Returns a hash of the next step's answer.
  private func answer(_ step: (Int, Step), after stage: Stage, tellsHistory: Bool) -> Int {
    var stage = stage
    var hasher = Hasher()
    for event in stage.run(step.0, step.1).events {
      // The number of earlier saves is not part of a state whose history nothing reads.
      switch event {
      case .didSave(let context, let sets, _) where !tellsHistory,
        .didSaveObjectIDs(let context, let sets, _) where !tellsHistory:
        hasher.combine(context)
        hasher.combine(sets)
      default: hasher.combine(event)
      }
    }
    for context in stage.world.stack.contextIDs.map(\.index) {
      hasher.combine(stage.view(context))
      hasher.combine(stage.hasChanges(context))
    }
    hasher.combine(stage.rows)
    return hasher.finalize()
  }

  @Test(arguments: searches) func `equal fingerprints have equal futures`(search: Search) {
    var answers: [Int: [Int]] = [:]
    var meetings = 0
    var frontier = [search.start()]
    for _ in 0..<search.depth {
      var next: [Stage] = []
      for stage in frontier {
        for step in search.steps {
          var stage = stage
          stage.run(step.0, step.1)
          let own = search.steps.map { answer($0, after: stage, tellsHistory: search.tellsHistory) }
          let fingerprint = fingerprint(stage, search)
          if let others = answers[fingerprint] {
            meetings += 1
            guard own == others else {
              let index = own.indices.first { own[$0] != others[$0] } ?? 0
              Issue.record("\(search.steps[index]) tells states of one fingerprint apart")
              return
            }
          } else {
            answers[fingerprint] = own
            next.append(stage)
          }
        }
      }
      frontier = next
    }
    #expect(answers.count > 100 && meetings > 100, "\(answers.count) states, \(meetings) meetings")
  }
}
