import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

@Suite struct `Fingerprints` {
  private func fingerprint(_ stage: Stage) -> Int {
    var hasher = Hasher()
    stage.world.hashState(into: &hasher, tellsHistory: false)
    return hasher.finalize()
  }

  /// For each new part of the world, this test must state whether a future depends on it.
  @Test func `fingerprints take in every part of the world that is not fixed, derived, or over`() {
    let hashed = [
      "contexts", "stores", "metadata", "refusals", "coordinators", "controllers", "identities",
      "temporaryIDs", "nextHookNumber", "queues", "didSaves", "dispatcher", "flags", "idSets",
      "lanesThatFound",
    ]
    let fixed = ["setting", "inPlace", "notesWrites", "notesAnswers", "holdsResults", "code"]
    let over = [
      "result", "marks", "enqueuedOn", "begunStep", "savesCutShort", "calls",
    ]
    #expect(Stage([nil]).world.parts == (hashed + fixed + over).sorted())
  }

  @Test func `fingerprints do not depend on the slots in which instances sit`() {
    var one = Stage([nil])
    one.run(0, .insert(Note.entity, as: .n), .insert(Note.entity, as: .m), .save)
    var other = one
    one.run(0, .release(.n), .release(.m))
    other.run(0, .release(.m), .release(.n))
    one.load(.n, from: 0, in: 0)
    other.load(.n, from: 0, in: 0)
    #expect(fingerprint(one) == fingerprint(other))
  }

  @Test func `fingerprints tell apart what the next step shows`() {
    var one = Stage([nil])
    one.run(0, .insert(Note.entity, as: .n))
    let inserted = fingerprint(one)
    one.run(0, .set(.n, Note.title, .text(1)))
    let set = fingerprint(one)
    one.run(0, .save)
    let saved = fingerprint(one)
    one.run(0, .refuseWrite(StoreID(0), after: 1))
    #expect(Set([inserted, set, saved, fingerprint(one)]).count == 4)
  }
}
