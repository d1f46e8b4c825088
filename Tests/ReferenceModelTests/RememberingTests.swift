import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `Remembered IDs` {
  private let set = IDSetID(0)

  @Test func `remembered IDs are kept as they were, each once`() {
    var world = World(parents: [nil, nil, nil])
    world.perform(0, .insert(world.owner, as: world.ann))
    let temporary = world.temporary(world.owner, 1)
    #expect(world.perform(0, .remember(set, .inserted)) == [.objectIDs([temporary])])
    #expect(world.perform(0, .remember(set, .inserted)) == [.objectIDs([])])
    #expect(world.perform(1, .forEach(.remembered(set), .touch)).first == .object(temporary))
    world.save(0)
    #expect(
      world.perform(0, .remember(set, .registered)) == [
        .objectIDs([world.permanent(world.owner, 1)])
      ])
    let events = world.perform(2, .forEach(.remembered(set), .refresh(mergeChanges: false)))
    let row = Event.object(world.permanent(world.owner, 1))
    #expect(events == [row, row])
    world.perform(2, .forget(set))
    #expect(world.perform(2, .forEach(.remembered(set), .touch)) == [])
  }

  @Test func `remembered IDs are deleted as far as they lead to objects`() {
    var world = World(parents: [nil, nil])
    world.insertSaved(world.owner, world.ann)
    world.insertSaved(world.owner, world.bob)
    world.perform(0, .remember(set, .registered))
    world.perform(0, .delete(world.ann))
    world.save(0)
    let events = world.perform(1, .forEach(.remembered(set), .delete))
    #expect(events.contains(.object(world.permanent(world.owner, 2))))
    #expect(!events.contains(.object(world.permanent(world.owner, 1))))
    #expect(world.perform(1, .forEach(.remembered(set), .delete)) == [])
    #expect(world.save(1).last == .saved)
    #expect(world.reference.rows(of: StoreID(0)).isEmpty)
    #expect(world.reference.brokenInvariants().isEmpty)
  }

  @Test func `remembered IDs go with the app`() {
    var world = World(parents: [nil])
    world.insertSaved(world.owner, world.ann)
    world.perform(0, .remember(set, .registered))
    world.perform(0, .kill)
    #expect(world.perform(0, .forEach(.remembered(set), .touch)) == [])
  }
}
