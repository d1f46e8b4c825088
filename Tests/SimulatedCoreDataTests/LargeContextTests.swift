import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

@Suite struct `A context with many objects` {
  /// A debug build checks the invariants of the whole world after each action.
  private static var count: Int {
    #if DEBUG
      300
    #else
      100_000
    #endif
  }

  /// The test would take hours if an action examined registered objects rather than changed ones.
  @Test func `a context with many objects saves what is changed`() throws {
    var stage = Stage(
      [nil],
      model: { note, folder in
        note.properties.removeLast()
        folder.properties.removeLast()
      })
    for name in 0..<Self.count { stage.run(0, .insert(Note.entity, as: ObjectName(name))) }
    stage.run(0, .save)
    #expect(stage.world.graph.rowCount(of: StoreID(0)) == Self.count)
    for number in 0..<Self.count / 10 {
      let name = ObjectName(number * 7 % Self.count)
      stage.run(0, .set(name, Note.stamp, .integer(Int64(number))))
      #expect(stage.hasChanges(0))
      let sets = stage.run(0, .save).events.compactMap { event in
        if case .didSave(_, let sets, number: _) = event { sets } else { nil }
      }
      #expect(sets.map(\.updated.count) == [1])
      #expect(!stage.hasChanges(0))
    }
    let id = try #require(stage.id(0, ObjectName(1)))
    stage.run(0, .delete(ObjectName(1)), .save)
    #expect(stage.world.graph.row(id, of: StoreID(0)) == nil)
    #expect(stage.world.graph.instanceCount(of: ContextID(0)) == Self.count - 1)
    stage.world.checkInvariants()
  }

  /// An object that no name and no change holds is released, in whatever order names are released.
  @Test func `a context with many objects releases those that nothing holds`() {
    var stage = Stage([nil])
    let names = (0..<50).map(ObjectName.init)
    for name in names { stage.run(0, .insert(Note.entity, as: name)) }
    stage.run(0, .save)
    for name in names.reversed() where name.index % 3 != 0 { stage.run(0, .release(name)) }
    #expect(stage.view(0).count == 17)
    #expect(stage.world.brokenInvariants() == [])
    for name in names where name.index % 3 == 0 { stage.run(0, .delete(name)) }
    stage.run(0, .rollback)
    for name in names { stage.run(0, .release(name)) }
    #expect(stage.view(0).isEmpty)
    #expect(stage.world.brokenInvariants() == [])
  }
}
