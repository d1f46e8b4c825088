import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Testing
import Vocabulary

@Suite struct `A footprint` {
  private func footprint(_ build: (inout Footprint) -> Void) -> Footprint {
    var footprint = Footprint()
    build(&footprint)
    return footprint
  }

  @Test func `a footprint meets another where one writes what the other touches`() {
    let reader = footprint { $0.read(.serials) }
    let writer = footprint { $0.write(.serials) }
    let other = footprint { $0.write(.didSaves) }
    #expect(!reader.meets(reader))
    #expect(reader.meets(writer))
    #expect(writer.meets(reader))
    #expect(writer.meets(writer))
    #expect(!writer.meets(other))
    #expect(Footprint.everything.meets(Footprint()))
    #expect(Footprint().meets(.everything))
  }

  /// Every part of a world is compared by `noteDifferences`, or does not change, or belongs to the
  /// running action alone. A new part must be added to one of these lists.
  @Test func `footprints know every part of a world`() {
    let compared = [
      "stores", "metadata", "refusals", "coordinators", "contexts", "controllers", "identities",
      "temporaryIDs", "didSaves", "nextHookNumber", "dispatcher", "queues", "flags",
      "idSets", "calls",
    ]
    let fixed = ["setting", "inPlace", "notesWrites", "notesAnswers", "holdsResults", "code"]
    // Only the lane itself reads its answer.
    let passing = [
      "result", "marks", "enqueuedOn", "begunStep", "savesCutShort", "lanesThatFound",
    ]
    #expect(Stage([nil]).world.parts == (compared + fixed + passing).sorted())
  }

  /// Returns the footprint of the one submitted step, from its first turn to its last.
  private func footprint(of step: Step, in context: ContextID, after stage: Stage) -> Footprint {
    var world = stage.world
    let before = world
    return footprint { footprint in
      world.noteStart(AddressedStep(context, step), in: &footprint)
      world.submit(AddressedStep(context, step))
      while let lane = world.dispatcher.runnable.first {
        world.noteTurn(of: lane, in: &footprint)
        world.noteTurnTaken(by: lane, world.advance(lane), in: &footprint)
      }
      world.noteDifferences(from: before, in: &footprint)
    }
  }

  private func stage() -> Stage {
    var stage = Stage([nil, nil, 0])
    stage.run(0, .insert(Note.entity, as: .n), .save)
    stage.load(.n, from: 0, in: 1)
    stage.load(.n, from: 0, in: 2)
    return stage
  }

  @Test func `the footprint of a change is its context and the object`() {
    let change = footprint(of: .set(.n, Note.title, .text(1)), in: ContextID(1), after: stage())
    #expect(change.writes.contains(.context(ContextID(1))))
    #expect(!change.writes.contains(.context(ContextID(0))))
    #expect(change.writes.contains(.object(1)))
    #expect(!change.writes.contains(.store(StoreID(0))))
    #expect(!change.isEverything)
  }

  @Test func `the footprint of an insert is the next serial number`() {
    let insert = footprint(of: .insert(Note.entity, as: .m), in: ContextID(1), after: stage())
    #expect(insert.writes.contains(.serials))
    #expect(!insert.isEverything)
  }

  @Test func `the footprint of a save is its store, its number and its objects`() {
    var stage = stage()
    stage.run(1, .set(.n, Note.title, .text(1)))
    let save = footprint(of: .save, in: ContextID(1), after: stage)
    for resource: Footprint.Resource in [
      .store(StoreID(0)), .didSaves, .object(1), .coordinator(CoordinatorID(0)),
    ] {
      #expect(save.writes.contains(resource), "\(resource)")
    }
    #expect(!save.writes.contains(.context(ContextID(0))))
  }

  /// Every context that holds the object may read its ID.
  @Test func `the footprint of a save that gives out IDs is every context`() {
    var stage = stage()
    stage.run(1, .insert(Note.entity, as: .m))
    let save = footprint(of: .save, in: ContextID(1), after: stage)
    for context in 0..<3 { #expect(save.writes.contains(.context(ContextID(context)))) }
  }

  @Test func `the footprint of a refusal is the store, which its saves share`() {
    let refusal = footprint(
      of: .refuseWrite(StoreID(0), after: 2), in: ContextID(1), after: stage())
    #expect(refusal.writes.contains(.store(StoreID(0))))
    var stage = stage()
    stage.run(1, .set(.n, Note.title, .text(1)), .refuseWrite(StoreID(0), after: 2))
    let save = footprint(of: .save, in: ContextID(1), after: stage)
    #expect(refusal.meets(save) && !save.isEverything)
  }

  @Test func `the footprint of a suspension is the queue`() {
    let suspension = footprint(of: .suspend(nil), in: ContextID(1), after: stage())
    #expect(suspension.writes.contains(.queue(stage().queue(1))))
    let change = footprint(of: .set(.n, Note.title, .text(1)), in: ContextID(1), after: stage())
    #expect(suspension.meets(change) && !suspension.isEverything)
  }

  /// The caller has requested the save of earlier changes.
  @Test func `the footprint of a call meets changes, blocks and saves, but no read`() {
    var stage = Stage(
      [nil, nil], app: { $0.entryPoints = [Stack.EntryPoint(name: "sync", steps: [])] })
    stage.world.notesWrites = true
    stage.run(1, .insert(Note.entity, as: .n))
    let call = footprint(of: .call(EntryPointID(0)), in: ContextID(0), after: stage)
    #expect(call.writes.contains(.calls))
    for step: Step in [.set(.n, Note.title, .text(1)), .perform([]), .save] {
      #expect(footprint(of: step, in: ContextID(1), after: stage).reads.contains(.calls))
    }
    let read = footprint(of: .get(.n, Note.title), in: ContextID(1), after: stage)
    #expect(!read.reads.contains(.calls) && !read.writes.contains(.calls))
  }

  @Test func `the footprint of a kill is everything`() {
    #expect(footprint(of: .kill, in: ContextID(0), after: stage()).isEverything)
  }
}
