import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `Writes that a store refuses` {
  private let first = StoreID(0)
  private let second = StoreID(1)

  @Test func `a refused write leaves everything pending`() {
    var world = World(parents: [nil])
    world.insertSaved(world.owner, world.ann)
    world.set(0, world.ann, world.age, 7)
    world.perform(0, .insert(world.owner, as: world.bob))
    world.perform(0, .refuseWrite(first, after: 1))
    let (view, rows) = (world.view(0), world.rows)
    #expect(world.save(0).failure == .refusedWrite(first))
    #expect(world.view(0) == view && world.rows == rows)
    #expect(world.save(0).last == .saved)
    #expect(world.rows.map(\.version) == [2, 1])
  }

  @Test func `writes are counted where something is to be written`() {
    var world = World(
      parents: [nil], stores: [Stack.Store(name: "a"), Stack.Store(name: "b")])
    world.perform(0, .refuseWrite(first, after: 2))
    world.perform(0, .refuseWrite(second, after: 1))
    world.insertSaved(world.owner, world.ann)
    #expect(world.rows.count == 1)
    // Both stores refuse the next write. The save names the first, and both refusals are used up.
    world.perform(0, .insert(world.owner, as: world.bob))
    world.perform(0, .insert(world.owner, as: world.other))
    world.perform(0, .assign(world.bob, second))
    #expect(world.save(0).failure == .refusedWrite(first))
    #expect(world.save(0).last == .saved)
  }

  @Test func `writes of batch requests are refused, too`() {
    var world = World(parents: [nil])
    world.insertSaved(world.owner, world.ann)
    world.perform(0, .refuseWrite(first, after: 1))
    let none = BatchRequest(
      entity: world.owner, kind: .delete,
      predicate: [.init(property: world.age, relation: .equal, operand: .value(.integer(5)))])
    #expect(world.perform(0, .batch(none)).failure == nil)
    let all = BatchRequest(entity: world.owner, kind: .delete)
    #expect(world.perform(0, .batch(all)).failure == .refusedWrite(first))
    #expect(world.rows.count == 1)
  }

  @Test func `a refused write keeps metadata waiting, unless a quirk leaves it anyway`() {
    for quirks in [[], [Quirk.emptySaveLeavesMetadata]] {
      var world = World(parents: [nil], quirks: QuirkSet(quirks))
      world.perform(0, .setMetadata(first, 3))
      world.perform(0, .refuseWrite(first, after: 1))
      let failure = world.save(0).failure
      #expect(failure == (quirks.isEmpty ? .refusedWrite(first) : nil))
      #expect(world.perform(0, .metadata(first)) == [.count(0)])
    }
  }

  @Test func `only attached stores refuse writes`() {
    var world = World(parents: [nil])
    world.perform(0, .removeStore(first))
    #expect(world.perform(0, .refuseWrite(first, after: 1)) == [.nothing])
  }
}
