import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `Batch requests` {
  private func aging(_ world: World, _ age: Int, where predicate: [Comparison] = []) -> Step {
    .batch(
      BatchRequest(
        entity: world.owner,
        kind: .update([PropertyValue(world.age, .integer(Int64(age)))]), predicate: predicate))
  }

  private func sets(
    inserted: [ObjectID] = [], updated: [ObjectID] = [], deleted: [ObjectID] = []
  ) -> ChangeSets {
    var sets = ChangeSets()
    sets.inserted = inserted
    sets.updated = updated
    sets.deleted = deleted
    return sets
  }

  @Test func `batch requests write past all contexts, and make conflicts (FE-17, MP-28)`() {
    var world = World(parents: [nil, 0])
    world.insertSaved(world.owner, world.ann)
    world.set(0, world.ann, world.name, 1)
    let id = world.permanent(world.owner, 1)
    // Batch requests check no maximum, and no parent is involved.
    #expect(
      world.perform(1, aging(world, 200)) == [.batched(sets(updated: [id]), number: 1)])
    #expect(world.rows.map(\.version) == [2])
    #expect(world.rows[0].values[1] == .integer(200))
    #expect(world.get(0, world.ann, world.age) == .value(.null))
    guard case .mergeConflicts = world.save(0).failure else {
      Issue.record("the save should have found another version")
      return
    }
  }

  @Test func `batch requests find objects by what is stored`() {
    var world = World(parents: [nil])
    world.insertSaved(world.owner, world.ann)
    world.insertSaved(world.owner, world.bob)
    world.set(0, world.ann, world.name, 1)
    let isNull = Comparison(property: world.name, relation: .equal, operand: .value(.null))
    let both = [1, 2].map { world.permanent(world.owner, $0) }
    #expect(
      world.perform(0, aging(world, 1, where: [isNull]))
        == [.batched(sets(updated: both), number: 2)])
  }

  @Test func `batch requests delete rows out of collections, and insert new ones`() {
    var world = World(parents: [nil])
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .insert(world.pet, as: world.cat))
    world.perform(0, .relate(world.cat, world.keeper, world.reference(0, world.ann)))
    world.save(0)
    #expect(
      world.perform(0, .batch(BatchRequest(entity: world.pet, kind: .delete)))
        == [.batched(sets(deleted: [world.permanent(world.pet, 2)]), number: 1)])
    #expect(world.rows.map(\.collections) == [[[], []]])
    #expect(world.rows.map(\.version) == [1])
    let record = [PropertyValue(world.title, .integer(4))]
    #expect(
      world.perform(0, .batch(BatchRequest(entity: world.pet, kind: .insert([record, []]))))
        == [
          .batched(
            sets(inserted: [world.permanent(world.pet, 3), world.permanent(world.pet, 4)]),
            number: 2)
        ])
    #expect(world.rows.map(\.values[0]) == [.null, .integer(4), .null])
    // No name of the program is bound to the inserted row.
    #expect(
      world.perform(0, .fetch(FetchRequest(entity: world.pet)))
        == [.objects([world.permanent(world.pet, 3), world.permanent(world.pet, 4)])])
  }

  @Test func `stores in memory, and coordinators without stores, refuse them (FE-18)`() {
    var memory = Stack.Store(name: "memory", entities: [EntityID(1)])
    memory.isInMemory = true
    var world = World(
      parents: [nil], stores: [memory, Stack.Store(name: "file", entities: [EntityID(0)])])
    let request = BatchRequest(entity: world.pet, kind: .delete)
    #expect(world.perform(0, .batch(request)) == [.failed(.unsupportedRequest(.batch(world.pet)))])
    #expect(world.perform(0, aging(world, 1)) == [.batched(ChangeSets(), number: 0)])
    world.perform(0, .removeStore(StoreID(1)))
    #expect(
      world.perform(0, aging(world, 1)) == [.failed(.unsupportedRequest(.batch(world.owner)))])
    #expect(world.perform(0, .executeSaveRequest) == [.failed(.unsupportedRequest(.saveChanges))])
  }

  @Test func `batch requests are merged past the cache only as remote (NT-30, FL-05)`() {
    for isRemote in [false, true] {
      var world = World(parents: [nil, 0])
      world.insertSaved(world.owner, world.ann)
      world.load(world.ann, in: 1)
      world.perform(1, aging(world, 9))
      let events = isRemote ? world.mergeRemote(1, into: 1) : world.merge(1, into: 1)
      #expect(events.didMergeChanges(1)?.updated == [world.permanent(world.owner, 1)])
      #expect((events.didMergeChanges(0) != nil) == isRemote)
      let age: Event = isRemote ? .integer(9) : .value(.null)
      #expect(world.get(0, world.ann, world.age) == age)
      #expect(world.get(1, world.ann, world.age) == age)
    }
  }

  /// Returns Ann, saved with name 1 and age 30. Owners have unique names.
  private func unique(_ policy: MergePolicy) -> World {
    var world = World(
      parents: [nil, 0], policies: [policy, policy], constraints: [[PropertyID(0)]])
    world.perform(0, .insert(world.owner, as: world.ann))
    world.set(0, world.ann, world.name, 1)
    world.set(0, world.ann, world.age, 30)
    world.save(0)
    return world
  }

  private func insertion(_ world: World, named names: [Int64?]) -> Step {
    let records = names.map { $0.map { [PropertyValue(world.name, .integer($0))] } ?? [] }
    return .batch(BatchRequest(entity: world.owner, kind: .insert(records)))
  }

  @Test(arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite], [0, 1])
  func `a record overwrites the row with its unique values (FE-28)`(
    policy: MergePolicy, context: Int
  ) {
    var world = unique(policy)
    let (ann, new) = (
      world.permanent(world.owner, 1), (2...4).map { world.permanent(world.owner, $0) }
    )
    #expect(
      world.perform(context, insertion(world, named: [2, 1, 2, nil, nil]))
        == [.batched(sets(inserted: new, updated: [ann]), number: 1)])
    // The age is overwritten, although the record leaves it out.
    #expect(world.rows.map { $0.values[0] } == [.integer(1), .integer(2), .null, .null])
    #expect(world.rows.map { $0.values[1] } == [.null, .null, .null, .null])
    #expect(world.rows.map(\.version) == [2, 2, 1, 1])
  }

  @Test(arguments: [MergePolicy.error, .mergeByPropertyStoreTrump, .rollback])
  func `a record with the unique values of a row is ignored (FE-28)`(policy: MergePolicy) {
    var world = unique(policy)
    #expect(
      world.perform(0, insertion(world, named: [1, 2, 2])) == [
        .batched(sets(inserted: [world.permanent(world.owner, 2)]), number: 1)
      ])
    #expect(world.rows.map { $0.values[1] } == [.integer(30), .null])
    #expect(world.rows.map(\.version) == [1, 1])
  }
}

@Suite struct `Histories` {
  @Test func `histories have the changes of others, once, and no store in memory`() {
    var memory = Stack.Store(name: "memory", entities: [EntityID(1)])
    memory.isInMemory = true
    var world = World(
      parents: [nil, nil, 1], stores: [Stack.Store(name: "file", entities: [EntityID(0)]), memory]
    )
    world.insertSaved(world.owner, world.ann)
    world.load(world.ann, in: 1)
    world.load(world.ann, from: 1, in: 2)
    world.insertSaved(world.pet, world.cat)
    world.set(0, world.ann, world.age, 7)
    world.save(0)
    let id = world.permanent(world.owner, 1)
    let events = world.perform(2, .mergeHistory)
    // The history has Ann's insertion, which is known, and her age. The pet is in memory.
    var age = ChangeSets()
    age.updated = [id]
    age.refreshed = [id]
    let merges = events.filter { if case .didMergeChanges = $0 { true } else { false } }
    #expect(
      merges
        == [
          .didMergeChanges(ContextID(1), ChangeSets()),
          .didMergeChanges(ContextID(2), ChangeSets()),
          .didMergeChanges(ContextID(1), age), .didMergeChanges(ContextID(2), age),
        ])
    #expect(world.perform(2, .mergeHistory) == [])
    #expect(world.perform(1, .mergeHistory) != [])
    // A context that replaces another has seen nothing.
    world.perform(2, .discard)
    #expect(world.perform(2, .mergeHistory) != [])
    #expect(world.perform(0, .mergeHistory) == [])
  }
}

@Suite struct `Contested merges` {
  @Test func `a merge without objects in its notification is still reported (X-08)`() {
    var world = World(parents: [nil, nil], quirks: QuirkSet([.mergeNotificationLacksObjects]))
    world.insertSaved(world.owner, world.ann)
    let events = world.merge(0, into: 1)
    #expect(events.objectsDidChange(1) == ChangeSets())
    #expect(events.didMergeChanges(1)?.inserted == [world.permanent(world.owner, 1)])
    world.hold(world.ann, from: 0, in: 1)
    #expect(world.merge(0, into: 1).objectsDidChange(1) == nil)
  }

  @Test func `a merge reaches the children that merge automatically (X-11)`() {
    for quirks in [[], [Quirk.mergeReachesChildren]] {
      var world = World(parents: [nil, nil, 1, 1], quirks: QuirkSet(quirks), merging: [3])
      world.insertSaved(world.owner, world.ann)
      #expect(world.reference.awaitedMerges == [])
      world.merge(0, into: 1)
      let awaited = AwaitedMerge(context: ContextID(3), number: 0)
      #expect(world.reference.awaitedMerges == (quirks.isEmpty ? [] : [awaited]))
    }
  }
}

@Suite struct `Fetch results` {
  /// Returns a stack in which Ann and Bob are saved, and Bob is older. A child makes Ann the
  /// oldest, and inserts another owner.
  private func family() -> World {
    var world = World(parents: [nil, 0])
    for (name, age) in [(world.ann, 1), (world.bob, 2)] {
      world.perform(0, .insert(world.owner, as: name))
      world.set(0, name, world.age, age)
    }
    world.save(0)
    world.hold(world.ann, from: 0, in: 1)
    world.set(1, world.ann, world.age, 3)
    world.perform(1, .insert(world.owner, as: world.other))
    world.perform(0, .release(world.bob))
    return world
  }

  private func byAge(_ world: World, _ type: FetchRequest.ResultType) -> FetchRequest {
    var request = FetchRequest(entity: world.owner)
    request.sortDescriptors = [FetchRequest.SortDescriptor(property: world.age, ascending: true)]
    request.resultType = type
    return request
  }

  @Test func `fetched IDs are unsorted if pending, and register nothing (FE-05, FE-16)`() {
    var world = family()
    let ids = [
      world.permanent(world.owner, 1), world.permanent(world.owner, 2),
      world.temporary(world.owner, 3),
    ]
    let request = byAge(world, .managedObjectID)
    #expect(world.perform(1, .fetch(request)) == [.objectIDs(ids)])
    #expect(world.view(1).map(\.id) == [ids[0], ids[2]])
    #expect(world.view(0).map(\.id) == [ids[0]])
    #expect(world.perform(1, .fetch(byAge(world, .count))) == [.count(3)])
  }

  @Test func `fetched dictionaries are what is stored (FE-04)`() {
    var world = family()
    var request = byAge(world, .dictionary)
    func dictionary(_ age: Int64) -> [PropertyValue] {
      [PropertyValue(world.name, .null), PropertyValue(world.age, .integer(age))]
    }
    #expect(
      world.perform(1, .fetch(request))
        == [.dictionaries(world.owner, [dictionary(1), dictionary(2)])])
    request.propertiesToFetch = [world.home, world.age]
    request.fetchOffset = 1
    #expect(
      world.perform(1, .fetch(request))
        == [
          .dictionaries(
            world.owner,
            [[PropertyValue(world.age, .integer(2)), PropertyValue(world.home, .null)]]
          )
        ])
    // The step counts objects, pending ones included, whatever the result type is.
    #expect(world.perform(1, .count(request)) == [.count(3)])
    #expect(world.view(1).count == 2)
  }

  @Test func `a fetch leaves out subentities on demand`() {
    var world = World(parents: [nil])
    world.insertSaved(world.kitten, world.cat)
    world.perform(0, .insert(world.kitten, as: world.dog))
    var request = FetchRequest(entity: world.pet)
    #expect(world.perform(0, .count(request)) == [.count(2)])
    request.includesSubentities = false
    #expect(world.perform(0, .count(request)) == [.count(0)])
  }

  @Test func `fetched objects come from the stores of the request (FE-20)`() {
    var world = World(parents: [nil], stores: [Stack.Store(name: "a"), Stack.Store(name: "b")])
    for name in [world.ann, world.bob] {
      world.perform(0, .insert(world.owner, as: name))
    }
    world.perform(0, .assign(world.bob, StoreID(1)))
    func count(_ store: Int) -> [Event] {
      var request = FetchRequest(entity: world.owner)
      request.affectedStores = [StoreID(store)]
      return world.perform(0, .count(request))
    }
    #expect(count(0) == [.count(1)])
    #expect(count(1) == [.count(1)])
    world.save(0)
    #expect(count(0) == [.count(1)])
    #expect(count(1) == [.count(1)])
  }
}
