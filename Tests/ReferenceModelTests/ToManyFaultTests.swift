import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `A to-many relationship` {
  /// Returns Ann, her friend Bob and a cat, saved in context 0. Every other context has Ann
  /// registered, and has used none of her relationships.
  private func world(
    parents: [Int?] = [nil, nil], quirks: QuirkSet = Profile.current.quirks,
    policies: [MergePolicy] = [], deleteRule: DeleteRule = .nullify, isOrdered: Bool = false
  ) -> World {
    var world = World(
      parents: parents, quirks: quirks, policies: policies, deleteRule: deleteRule,
      isOrdered: isOrdered, settings: { $0.hasUndoManager = true })
    world.insertSaved(world.owner, world.ann)
    world.insertSaved(world.owner, world.bob)
    world.insertSaved(world.pet, world.cat)
    world.insertSaved(world.pet, world.dog)
    world.perform(0, .add(world.ann, world.friends, world.reference(0, world.bob)))
    world.save(0)
    for c in 1..<parents.count { world.load(world.ann, from: 0, in: c) }
    return world
  }

  private let ann = ObjectID.permanent(EntityID(0), key: 1, in: StoreID(0))
  private let bob = ObjectID.permanent(EntityID(0), key: 2, in: StoreID(0))
  private let cat = ObjectID.permanent(EntityID(1), key: 3, in: StoreID(0))
  private let dog = ObjectID.permanent(EntityID(1), key: 4, in: StoreID(0))

  /// Gives Ann the cat in context 0, and saves.
  private func give(_ name: ObjectName, in world: inout World) {
    world.perform(0, .add(world.ann, world.pets, world.reference(0, name)))
    world.save(0)
  }

  /// Returns Ann's pets and friends as context `c` shows them.
  private func shown(_ c: Int, _ world: World) -> [[ObjectID]]? {
    world.view(c).first { $0.id == ann }?.collections
  }

  // MARK: Firing

  @Test func `a to-many relationship is loaded when it is first used (RL-16, FR-A9)`() {
    var world = world()
    give(world.cat, in: &world)
    #expect(shown(1, world) == [[], []])
    #expect(world.get(1, world.ann, world.pets) == .collection([cat]))
    #expect(shown(1, world) == [[cat], []])
    #expect(world.view(1).allSatisfy { !$0.isUpdated })
  }

  @Test func `a to-many relationship fires none of its members (RL-16)`() {
    var world = world()
    world.hold(world.bob, from: 0, in: 1)
    #expect(world.perform(1, .get(world.ann, world.friends)) == [.collection([bob])])
    #expect(world.view(1).filter(\.isFault).map(\.id) == [bob])
  }

  @Test func `a to-many relationship stays what it was once it is fired (FR-A9)`() {
    var world = world()
    #expect(world.get(1, world.ann, world.pets) == .collection([]))
    give(world.cat, in: &world)
    #expect(world.get(1, world.ann, world.pets) == .collection([]))
  }

  @Test func `a to-many relationship is fired in the parent by its use in the child`() {
    var world = world(parents: [nil, nil, 1])
    give(world.cat, in: &world)
    #expect(world.get(2, world.ann, world.friends) == .collection([bob]))
    #expect(shown(1, world) == [[], [bob]])
    world.hold(world.dog, from: 0, in: 1)
    world.perform(1, .add(world.ann, world.pets, world.reference(1, world.dog)))
    #expect(world.get(2, world.ann, world.pets) == .collection([cat, dog]))
  }

  @Test func `a to-many relationship is used by a change from the other side`() {
    var world = world()
    give(world.cat, in: &world)
    world.hold(world.dog, from: 0, in: 1)
    world.perform(1, .relate(world.dog, world.keeper, world.reference(1, world.ann)))
    #expect(shown(1, world) == [[cat, dog], []])
    world.perform(1, .relate(world.dog, world.keeper, nil))
    #expect(shown(1, world) == [[cat], []])
  }

  @Test func `a to-many relationship is used by rule and limits (RL-07, RL-14)`() {
    var world = world(policies: [.error, .overwrite], deleteRule: .cascade)
    give(world.cat, in: &world)
    world.set(1, world.ann, world.age, 200)
    #expect(world.save(1).failure != nil)
    #expect(shown(1, world)?[0] == [cat])
    world.perform(1, .rollback)
    give(world.dog, in: &world)
    world.perform(1, .refresh(world.ann, mergeChanges: false))
    world.perform(1, .delete(world.ann))
    #expect(world.save(1).didSave(1)?.deleted == [ann, cat, dog])
  }

  @Test func `a to-many relationship shows its base to committedValues (CT-04)`() {
    var world = world()
    give(world.cat, in: &world)
    world.perform(1, .committedValues(world.ann))
    #expect(shown(1, world) == [[cat], [bob]])
  }

  // MARK: Becoming a fault again

  @Test func `a to-many relationship is a fault again after a refresh (FL-02)`() {
    var world = world()
    _ = world.get(1, world.ann, world.pets)
    world.perform(1, .add(world.ann, world.friends, world.reference(1, world.ann)))
    give(world.cat, in: &world)
    world.perform(1, .refresh(world.ann, mergeChanges: true))
    #expect(shown(1, world) == [[], [ann, bob]])
    #expect(world.get(1, world.ann, world.pets) == .collection([cat]))
    give(world.dog, in: &world)
    world.perform(1, .refresh(world.ann, mergeChanges: false))
    _ = world.get(1, world.ann, world.name)
    #expect(shown(1, world) == [[], []])
    #expect(world.get(1, world.ann, world.pets) == .collection([cat, dog]))
  }

  @Test func `a to-many relationship is not fired by a rollback (FL-10)`() {
    var world = world()
    world.set(1, world.ann, world.age, 5)
    _ = world.get(1, world.ann, world.friends)
    give(world.cat, in: &world)
    world.perform(1, .rollback)
    #expect(shown(1, world) == [[], [bob]])
    #expect(world.get(1, world.ann, world.pets) == .collection([cat]))
  }

  @Test func `a to-many relationship is a fault after a policy took the row (MP-11)`() {
    var world = world(policies: [.error, .rollback])
    _ = world.get(1, world.ann, world.pets)
    world.set(1, world.ann, world.age, 5)
    give(world.cat, in: &world)
    world.save(1)
    #expect(shown(1, world) == [[], []])
    #expect(world.get(1, world.ann, world.pets) == .collection([cat]))
  }

  @Test func `a to-many relationship is put in order in a parent that has not used it`() {
    var world = world(parents: [nil, 0], quirks: QuirkSet(), isOrdered: true)
    give(world.cat, in: &world)
    give(world.dog, in: &world)
    world.hold(world.cat, from: 0, in: 1)
    world.hold(world.dog, from: 0, in: 1)
    _ = world.get(1, world.ann, world.pets)
    // The read refreshes the parent's object, and makes its pets a fault again.
    _ = world.get(1, world.ann, world.friends)
    #expect(shown(0, world)?[0] == [])
    world.perform(
      1,
      .replace(
        world.ann, world.pets, [world.reference(1, world.dog), world.reference(1, world.cat)]))
    world.save(1, 0)
    #expect(world.rows[0].collections[0] == [dog, cat])
  }

  // MARK: States

  @Test func `a to-many relationship had its found members at the event's start (CT-05)`() {
    var world = world()
    give(world.cat, in: &world)
    world.set(1, world.ann, world.age, 5)
    _ = world.get(1, world.ann, world.pets)
    let age = PropertyContent(world.age, .null)
    #expect(
      world.perform(1, .changedValuesForCurrentEvent(world.ann)) == [.values(ann, [age])])
    world.hold(world.dog, from: 0, in: 1)
    world.perform(1, .add(world.ann, world.pets, world.reference(1, world.dog)))
    #expect(
      world.perform(1, .changedValuesForCurrentEvent(world.ann))
        == [.values(ann, [age, PropertyContent(world.pets, collection: [cat])])])
  }

  @Test func `a to-many relationship is left alone by undo if it was unused then`() {
    var world = world()
    world.set(1, world.ann, world.age, 5)
    world.perform(1, .processPendingChanges)
    give(world.cat, in: &world)
    #expect(world.get(1, world.ann, world.pets) == .collection([cat]))
    world.perform(1, .undo)
    #expect(world.get(1, world.ann, world.age) == .value(.null))
    #expect(shown(1, world)?[0] == [cat])
    #expect(world.view(1).allSatisfy { !$0.isUpdated })
  }

  @Test func `a to-many relationship is loaded before undo puts its members back`() {
    var world = world()
    world.hold(world.bob, from: 0, in: 1)
    world.perform(1, .remove(world.ann, world.friends, world.reference(1, world.bob)))
    world.save(1)
    world.perform(1, .refresh(world.ann, mergeChanges: false))
    world.perform(1, .undo)
    #expect(
      world.perform(1, .changedValues(world.ann))
        == [.values(ann, [PropertyContent(world.friends, collection: [bob])])])
    world.save(1)
    #expect(world.rows[0].collections[1] == [bob])
    // Neither side keeps its members.
    for name in [world.ann, world.bob] { world.perform(1, .refresh(name, mergeChanges: false)) }
    world.perform(1, .redo)
    world.save(1)
    #expect(world.rows[0].collections[1] == [])
  }

  @Test func `a to-many relationship is no fault of what undo brings back (UN-08)`() {
    var world = world(parents: [nil, 0])
    give(world.cat, in: &world)
    world.perform(1, .delete(world.ann))
    world.save(1)
    world.perform(0, .rollback)
    world.perform(1, .undo)
    world.perform(1, .object(with: world.reference(0, world.ann), as: world.ann))
    #expect(shown(1, world) == [[cat], [bob]])
    #expect(world.perform(1, .changedValues(world.ann)) == [.values(ann, [])])
  }
}
