import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Testing
import Vocabulary

@Suite struct `A set of IDs` {
  private let set = IDSetID(0)

  private func stage(_ parents: [Int?] = [nil, nil], observers: [Stack.Observer] = []) -> Stage {
    Stage(
      parents, observers: observers, app: { $0.idSets = [Stack.IDSet(name: "changed")] })
  }

  @Test func `a set has each ID once, and answers the new ones`() {
    var stage = stage()
    stage.run(0, .insert(Note.entity, as: .n))
    let first = stage.id(0, .n)
    #expect(
      stage.run(0, .remember(set, .inserted)).events == [.objectIDs([first].compactMap(\.self))])
    stage.run(0, .insert(Note.entity, as: .m))
    let second = stage.id(0, .m)
    #expect(
      stage.run(0, .remember(set, .inserted)).events == [.objectIDs([second].compactMap(\.self))])
    #expect(stage.run(0, .forget(set)).events == [])
    #expect(stage.run(0, .forEach(.remembered(set), .touch)).events == [])
  }

  @Test func `a set has IDs as they were`() throws {
    var stage = stage([nil, nil, nil])
    stage.run(0, .insert(Note.entity, as: .n), .remember(set, .inserted))
    let temporary = try #require(stage.id(0, .n))
    let early = stage.run(1, .forEach(.remembered(set), .touch)).events
    #expect(early.first == .object(temporary), "it means nothing there, and is another object")
    stage.run(0, .save, .remember(set, .registered))
    let permanent = try #require(stage.id(0, .n))
    #expect(temporary != permanent)
    let late = stage.run(2, .forEach(.remembered(set), .touch)).events
    let answers = late.filter { if case .object = $0 { true } else { false } }
    #expect(answers == [.object(permanent), .object(permanent)], "two IDs of one row")
  }

  @Test func `a set is filled by what a notification lists`() {
    let observer = Stack.Observer(
      notification: .didSave, context: ContextID(0),
      steps: [AddressedStep(0, .remember(set, .delivered))])
    var stage = stage(observers: [observer])
    stage.run(0, .insert(Note.entity, as: .n), .save)
    let id = stage.id(0, .n)
    #expect(stage.run(1, .forEach(.remembered(set), .touch)).events.first == id.map { .object($0) })
    #expect(stage.view(1).count == 1)
  }

  @Test func `the objects of a set are deleted as far as they exist`() {
    var stage = stage()
    stage.run(0, .insert(Note.entity, as: .n), .insert(Note.entity, as: .m), .save)
    stage.run(0, .remember(set, .registered), .delete(.n), .save)
    let events = stage.run(1, .forEach(.remembered(set), .delete)).events
    #expect(events.contains { $0 == stage.id(0, .m).map { .object($0) } })
    #expect(events.count { if case .object = $0 { true } else { false } } == 1)
    #expect(stage.run(1, .forEach(.remembered(set), .delete)).events == [])
    stage.run(1, .save)
    #expect(stage.world.graph.rowCount(of: StoreID(0)) == 0)
  }

  @Test func `a set is empty after a kill, and tells worlds apart`() {
    var stage = stage()
    stage.run(0, .insert(Note.entity, as: .n), .save)
    let before = hash(stage)
    stage.run(0, .remember(set, .registered))
    #expect(hash(stage) != before)
    stage.run(0, .kill)
    #expect(stage.run(0, .forEach(.remembered(set), .touch)).events == [])
  }

  private func hash(_ stage: Stage) -> Int {
    var hasher = Hasher()
    stage.world.hashState(into: &hasher, tellsHistory: false)
    return hasher.finalize()
  }
}
