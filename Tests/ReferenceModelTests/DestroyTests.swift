import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `Destroyed stores` {
  private let store = StoreID(0)
  private let coordinator = CoordinatorID(0)
  private let destruction = Step.destroyStore(StoreID(0), isRecreated: false)
  private let renewal = Step.destroyStore(StoreID(0), isRecreated: true)

  private func world() -> World {
    var world = World(parents: [nil, nil])
    world.insertSaved(world.owner, world.ann)
    return world
  }

  @Test func `destroyed stores go, and their successors are others (CS-A7)`() {
    var world = world()
    let id = world.permanent(world.owner, 1)
    let removal: [Event] = [
      .willRemoveStore(coordinator, store),
      .storesDidChange(coordinator, added: [], removed: [store]),
    ]
    let addition = Event.storesDidChange(coordinator, added: [store], removed: [])
    world.perform(0, .setMetadata(store, 3))
    world.save(0)
    #expect(world.perform(1, destruction) == removal)
    #expect(world.perform(1, destruction) == [])
    #expect(world.perform(1, .addStore(store)) == [addition])
    #expect(world.perform(1, .metadata(store)) == [.count(0)])
    #expect(world.perform(1, renewal) == removal + [addition])
    #expect(world.reference.rows(of: store).isEmpty)
    world.perform(1, .insert(world.owner, as: world.bob))
    #expect(world.save(1).last == .saved)
    #expect(world.reference.rows(of: store).map(\.id) == [world.permanent(world.owner, 2)])
    let uri = Step.objectForURI(of: HeldInstance(ContextID(0), world.ann), as: world.other)
    #expect(world.perform(0, uri) == [.nothing])
    world.set(0, world.ann, world.age, 1)
    #expect(world.save(0).failure == .unreachableStore(id))
    #expect(world.reference.brokenInvariants().isEmpty)
  }

  @Test func `destroyed stores take IDs with them that were obtained`() {
    var world = World(parents: [nil])
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .obtainPermanentIDs([world.ann]))
    world.perform(0, renewal)
    #expect(world.save(0).failure == .unreachableStore(world.permanent(world.owner, 1)))
  }

  /// `home` has no inverse, so the old object itself has no part in the save.
  @Test func `destroyed stores are other stores for a relationship (RL-04)`() throws {
    var world = World(parents: [nil])
    world.insertSaved(world.pet, world.cat)
    world.perform(0, renewal)
    world.perform(0, .insert(world.owner, as: world.bob))
    world.perform(0, .relate(world.bob, world.home, HeldInstance(ContextID(0), world.cat)))
    guard case .crossStore(_, world.home)? = world.save(0).failure else {
      throw NoSuchFailure()
    }
  }

  private struct NoSuchFailure: Error {}

  @Test func `destroyed stores have no history`() {
    var world = world()
    world.perform(0, renewal)
    #expect(world.perform(1, .mergeHistory) == [])
  }

  @Test func `stores are not destroyed while another coordinator has them`() {
    var world = World(parents: [nil, nil], changeStack: World.separateCoordinators)
    world.insertSaved(world.owner, world.ann)
    #expect(world.perform(0, renewal) == [.nothing])
    #expect(world.reference.rows(of: store).count == 1)
  }
}

@Suite struct `Policies` {
  @Test(arguments: [MergePolicy.error, .overwrite])
  func `policies decide the next commits, and end with the context`(policy: MergePolicy) {
    var world = World(parents: [nil, nil])
    world.insertSaved(world.owner, world.ann)
    world.load(world.ann, in: 1)
    world.set(0, world.ann, world.age, 1)
    world.save(0)
    world.set(1, world.ann, world.age, 2)
    world.perform(1, .setMergePolicy(policy))
    #expect((world.save(1).failure == nil) == (policy == .overwrite))
    world.perform(1, .discard)
    world.load(world.ann, in: 1)
    world.set(0, world.ann, world.name, 3)
    world.perform(0, .refresh(world.ann, mergeChanges: true))
    world.save(0)
    world.set(1, world.ann, world.age, 4)
    #expect(world.save(1).failure != nil)
  }
}
