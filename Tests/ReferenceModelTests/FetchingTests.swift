import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `Fetching` {
  @Test func `a fetch lays pending changes over what is saved (FE-01)`() {
    var world = World(parents: [nil])
    for (name, age) in [(world.ann, 1), (world.bob, 2), (world.other, 1)] {
      world.perform(0, .insert(world.owner, as: name))
      world.set(0, name, world.age, age)
    }
    world.save(0)
    world.set(0, world.ann, world.age, 2)
    world.set(0, world.bob, world.age, 1)
    world.perform(0, .delete(world.other))
    world.perform(0, .insert(world.owner, as: world.dog))
    world.set(0, world.dog, world.age, 1)
    var request = FetchRequest(entity: world.owner)
    request.predicate = [
      Comparison(property: world.age, relation: .equal, operand: .value(.integer(1)))
    ]
    #expect(
      world.perform(0, .fetch(request))
        == [.objects([world.permanent(world.owner, 2), world.temporary(world.owner, 4)])])
    request.includesPendingChanges = false
    #expect(world.perform(0, .count(request)) == [.count(2)])
  }

  @Test func `a fetch windows what is saved, then limits again (FE-06)`() {
    var world = World(parents: [nil])
    let saved = [(world.ann, 22), (world.bob, 25), (world.cat, 10)]
    for (name, salary) in saved {
      world.perform(0, .insert(world.owner, as: name))
      world.set(0, name, world.name, salary)
    }
    world.save(0)
    world.set(0, world.ann, world.name, 5)
    world.set(0, world.cat, world.name, 21)
    world.perform(0, .delete(world.bob))
    for (name, salary) in [(world.dog, 30), (world.other, 40)] {
      world.perform(0, .insert(world.owner, as: name))
      world.set(0, name, world.name, salary)
    }
    var request = FetchRequest(entity: world.owner)
    request.sortDescriptors = [
      FetchRequest.SortDescriptor(property: world.name, ascending: true)
    ]
    request.fetchOffset = 1
    request.fetchLimit = 2
    #expect(
      world.perform(0, .fetch(request))
        == [.objects([world.permanent(world.owner, 1), world.permanent(world.owner, 3)])])
  }

  @Test func `a fetch goes through every level and registers there (FE-09, FE-11)`() {
    var world = World(parents: [nil, 0, 1])
    world.insertSaved(world.owner, world.ann)
    world.perform(0, .release(world.ann))
    world.perform(0, .insert(world.owner, as: world.bob))
    let request = FetchRequest(entity: world.owner)
    let ids = [world.permanent(world.owner, 1), world.temporary(world.owner, 2)]
    #expect(world.perform(2, .fetch(request)) == [.objects(ids)])
    #expect(world.view(2).map(\.isFault) == [true, true])
    #expect(world.view(1).map(\.id) == ids)
    #expect(world.view(0).map(\.id) == ids)
    // Names hold the objects. Without names, no level keeps them.
    world.perform(2, .release(world.ann))
    #expect(world.view(1).map(\.id) == [ids[1]])
    #expect(world.view(0).map(\.id) == [ids[1]])
  }

  @Test func `an ancestor's old copy hides what is newer above it (FE-12)`() {
    for hides in [true, false] {
      var quirks = QuirkSet()
      if hides { quirks.insert(.ancestorCacheHidesUpdates) }
      var world = World(parents: [nil, 0, 1], quirks: quirks)
      world.insertSaved(world.owner, world.ann)
      world.hold(world.ann, from: 0, in: 1)
      _ = world.get(1, world.ann, world.age)
      world.set(0, world.ann, world.age, 7)
      world.hold(world.ann, from: 0, in: 2)
      #expect(world.get(2, world.ann, world.age) == (hides ? .value(.null) : .integer(7)))
    }
  }

  @Test func `a fault is filled from the row cache, however old (FL-05, FL-06)`() {
    var world = World(parents: [nil, nil])
    world.insertSaved(world.owner, world.ann)
    world.hold(world.ann, from: 0, in: 1)
    world.set(0, world.ann, world.age, 7)
    world.save(0)
    // The other context's save passed through the same cache.
    #expect(world.get(1, world.ann, world.age) == .integer(7))
  }

  @Test func `an object in a predicate is its row, or nil if it is not bound (ID-18)`() {
    for quirks in [Profile.current.quirks, Profile.legacy.quirks] {
      var world = World(parents: [nil, 0], quirks: quirks)
      world.perform(1, .insert(world.owner, as: world.ann))
      world.perform(1, .insert(world.pet, as: world.cat))
      world.perform(1, .insert(world.pet, as: world.dog))
      world.perform(1, .relate(world.cat, world.keeper, world.reference(1, world.ann)))
      world.save(1, 0)
      func count(_ name: ObjectName) -> Event? {
        var request = FetchRequest(entity: world.pet)
        request.predicate = [
          Comparison(
            property: world.keeper, relation: .equal,
            operand: .object(world.reference(1, name)))
        ]
        return world.perform(0, .count(request)).last
      }
      // The child still knows Ann by the temporary ID.
      #expect(count(world.ann) == .count(quirks.contains(.rowHasTwoInstances) ? 0 : 1))
      #expect(count(world.bob) == .count(1))
    }
  }
}
