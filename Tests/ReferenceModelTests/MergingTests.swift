import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `Merging a DidSave` {
  /// Returns Ann and her cat, saved by the first root and loaded in the second.
  private func roots() -> World {
    var world = World(parents: [nil, nil])
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .insert(world.pet, as: world.cat))
    world.save(0)
    for name in [world.ann, world.cat] { world.hold(name, from: 0, in: 1) }
    _ = world.get(1, world.ann, world.name)
    return world
  }

  @Test func `a merge refreshes objects and registers inserts, clean (NT-12, NT-14)`() {
    var world = roots()
    world.set(0, world.ann, world.name, 1)
    world.perform(0, .insert(world.pet, as: world.dog))
    world.save(0)
    let events = world.merge(1, into: 1)
    let ann = world.permanent(world.owner, 1)
    let dog = world.permanent(world.pet, 3)
    let sets = events.objectsDidChange(1)
    #expect(sets?.refreshed == [ann])
    #expect(sets?.inserted == [dog])
    #expect(sets?.updated == [])
    // NT-13
    let merged = events.didMergeChanges(1)
    #expect(merged?.updated == [ann])
    #expect(merged?.refreshed == [ann])
    #expect(merged?.inserted == [dog])
    #expect(world.view(1).allSatisfy { !$0.isUpdated && !$0.isInserted && !$0.isDeleted })
    #expect(world.get(1, world.ann, world.name) == .integer(1))
  }

  @Test func `a merge marks a deleted object as deleted, readable and dirty (NT-15)`() {
    var world = roots()
    world.perform(0, .delete(world.ann))
    world.save(0)
    world.merge(1, into: 1)
    #expect(world.view(1).map(\.isDeleted) == [true, false])
    #expect(world.get(1, world.ann, world.name) == .value(.null))
    // NT-16, MP-17
    #expect(world.save(1).didSave(1)?.deleted == [world.permanent(world.owner, 1)])
  }

  @Test func `a merge ignores faults and what is not registered (NT-17, NT-18)`() {
    var world = roots()
    world.set(0, world.cat, world.title, 1)
    world.save(0)
    #expect(world.merge(1, into: 1) == [.didMergeChanges(ContextID(1), ChangeSets())])
    world.perform(1, .release(world.cat))
    world.set(0, world.cat, world.title, 2)
    world.save(0)
    #expect(world.merge(2, into: 1) == [.didMergeChanges(ContextID(1), ChangeSets())])
  }

  @Test func `a merge puts local edits on top and renews the version (NT-19, NT-20)`() {
    var world = roots()
    world.set(1, world.ann, world.name, 2)
    world.set(0, world.ann, world.name, 1)
    world.set(0, world.ann, world.age, 1)
    world.save(0)
    world.merge(1, into: 1)
    #expect(world.get(1, world.ann, world.name) == .integer(2))
    #expect(world.get(1, world.ann, world.age) == .integer(1))
    #expect(world.save(1).last == .saved)
  }

  @Test(arguments: [true, false])
  func `a merge keeps an insertion that no name holds, or releases it (C2)`(_ isKept: Bool) {
    var world = World(
      parents: [nil, nil], quirks: QuirkSet(isKept ? [.mergedInsertionIsKept] : []))
    world.insertSaved(world.owner, world.ann)
    let events = world.merge(0, into: 1)
    let ann = world.permanent(world.owner, 1)
    #expect(events.didMergeChanges(1)?.inserted == [ann])
    #expect(world.view(1).map(\.id) == (isKept ? [ann] : []))
    world.perform(1, .processPendingChanges)
    #expect(world.view(1).map(\.id) == (isKept ? [ann] : []))
  }

  @Test func `a kept insertion stays until it is a fault again, or all are gone (C2)`() {
    for end in [Step.refresh(ObjectName(0), mergeChanges: false), .reset, .discard] {
      var world = World(parents: [nil, nil], quirks: QuirkSet([.mergedInsertionIsKept]))
      world.insertSaved(world.owner, world.ann)
      world.merge(0, into: 1)
      world.hold(world.ann, from: 0, in: 1)
      // An object that is a fault already does not turn into one.
      world.perform(1, .refresh(world.ann, mergeChanges: false))
      world.perform(1, .release(world.ann))
      #expect(world.view(1).map(\.isFault) == [true])
      world.load(world.ann, in: 1)
      world.perform(1, .release(world.ann))
      #expect(world.view(1).map(\.isFault) == [false])
      world.hold(world.ann, from: 0, in: 1)
      world.perform(1, end)
      world.perform(1, .release(world.ann))
      #expect(world.view(1).isEmpty)
    }
  }
}
