import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `Hooks and settings` {
  private func action(
    _ hook: Hook, _ effect: HookAction.Effect, onlyIfNil: Bool = false, isPrimitive: Bool = false
  ) -> HookAction {
    HookAction(
      hook: hook, property: PropertyID(0), effect: effect, onlyIfNil: onlyIfNil,
      isPrimitive: isPrimitive)
  }

  @Test func `a value that awakeFromInsert sets primitively is no change (LC-04)`() {
    var world = World(
      parents: [nil, 0], hookActions: [action(.awakeFromInsert, .setNext, isPrimitive: true)])
    let id = world.temporary(world.owner, 1)
    #expect(
      world.perform(1, .insert(world.owner, as: world.ann)).last
        == .hookSet(ContextID(1), id, world.name, .integer(1)))
    #expect(world.perform(1, .changedValues(world.ann)) == [.values(id, [])])
    #expect(world.save(1).received(0) == [[Received(world.name, .integer(1))]])
  }

  @Test func `a primitive set in willSave does not repeat willSave (LC-09)`() {
    var world = World(
      parents: [nil], hookActions: [action(.willSave, .setNext, isPrimitive: true)])
    world.perform(0, .insert(world.owner, as: world.ann))
    let events = world.save(0)
    #expect(events.hooks(.willSave, 0).count == 1)
    #expect(world.rows[0].values[0] == .integer(1))
  }

  @Test func `a willSave without a guard fails its save after a thousand rounds (LC-09)`() {
    var world = World(parents: [nil], hookActions: [action(.willSave, .setNext)])
    world.perform(0, .insert(world.owner, as: world.ann))
    let events = world.save(0)
    #expect(events.hooks(.willSave, 0).count == 1000)
    #expect(events.failure == .willSaveLoop(world.temporary(world.owner, 1)))
    #expect(world.rows.isEmpty)
    #expect(world.get(0, world.ann, world.name) == .integer(1000))
    #expect(world.view(0).map(\.isInserted) == [true])
  }

  @Test(arguments: [true, false])
  func `ContextWillSave comes before the hooks or after them (X-05)`(_ comesFirst: Bool) {
    var world = World(
      parents: [nil], quirks: QuirkSet(comesFirst ? [.contextWillSaveComesFirst] : []))
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .processPendingChanges)
    let hook = Event.hook(.willSave, ContextID(0), world.temporary(world.owner, 1))
    let notification = Event.contextWillSave(ContextID(0))
    let expected = comesFirst ? [notification, hook] : [hook, notification]
    #expect(world.save(0).prefix(2) == expected[...])
  }

  @Test func `an edited insertion is not reported if it stays an insertion (C3)`() {
    var world = World(parents: [nil], quirks: QuirkSet([.editedInsertIsNotReported]))
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .processPendingChanges)
    world.set(0, world.ann, world.name, 1)
    #expect(world.perform(0, .processPendingChanges) == [])
    world.save(0)
    #expect(world.rows[0].values[0] == .integer(1))
  }

  @Test func `retainsRegisteredObjects keeps objects that no name holds (FL-18)`() {
    var world = World(parents: [nil]) { $0.retainsRegisteredObjects = true }
    world.insertSaved(world.owner, world.ann)
    world.perform(0, .release(world.ann))
    #expect(world.view(0).count == 1)
    world.perform(0, .reset)
    #expect(world.view(0).isEmpty)
  }

  @Test func `deletes propagate at the save where they may not before (RL-10)`() {
    var world = World(parents: [nil, 0], deleteRule: .cascade) {
      $0.propagatesDeletesAtEndOfEvent = false
    }
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .insert(world.pet, as: world.cat))
    world.perform(0, .relate(world.cat, world.keeper, world.reference(0, world.ann)))
    world.save(0)
    world.hold(world.ann, from: 0, in: 1)
    world.perform(1, .delete(world.ann))
    // A child's save is the end of an event in the parent, but not a save of the parent.
    world.perform(1, .release(world.cat))
    _ = world.perform(1, .processPendingChanges)
    #expect(world.view(1).map(\.isDeleted) == [true])
    world.save(1)
    #expect(world.rows.count == 2)
    #expect(world.save(0).didSave(0)?.deleted.count == 2)
    #expect(world.rows.isEmpty)
  }

  @Test func `faults whose rows are gone raise on request (FL-12)`() {
    var world = World(parents: [nil, nil, nil], quirks: QuirkSet()) {
      $0.shouldDeleteInaccessibleFaults = $0.name == "c2"
    }
    world.insertSaved(world.owner, world.ann)
    let id = world.permanent(world.owner, 1)
    for context in [1, 2] { world.hold(world.ann, from: 0, in: context) }
    world.perform(0, .delete(world.ann))
    world.save(0)
    #expect(world.get(1, world.ann, world.name) == .failed(.inaccessible(id)))
    #expect(world.get(2, world.ann, world.name) == .value(.null))
  }
}
