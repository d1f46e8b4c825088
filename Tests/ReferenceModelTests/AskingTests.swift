import ObjectModel
import ReferenceModel
import Testing
import Vocabulary

@Suite struct `Questions to an object` {
  private func content(_ property: PropertyID, _ number: Int) -> PropertyContent {
    PropertyContent(property, .integer(Int64(number)))
  }

  @Test func `changedValues are the new values of set properties (CT-03, CT-06)`() {
    var world = World(parents: [nil])
    world.insertSaved(world.owner, world.ann)
    let id = world.permanent(world.owner, 1)
    world.set(0, world.ann, world.scratch, 5)
    world.perform(0, .setPrimitive(world.ann, world.name, .integer(1)))
    #expect(world.perform(0, .changedValues(world.ann)) == [.values(id, [])])
    // CT-01: to an equal value, too.
    world.perform(0, .set(world.ann, world.age, .null))
    world.set(0, world.ann, world.name, 2)
    #expect(
      world.perform(0, .changedValues(world.ann))
        == [.values(id, [content(world.name, 2), PropertyContent(world.age, .null)])])
    world.save(0)
    #expect(world.perform(0, .changedValues(world.ann)) == [.values(id, [])])
  }

  @Test func `committedValues are the saved ones, none before the first save (CT-04)`() {
    var world = World(parents: [nil])
    world.perform(0, .insert(world.pet, as: world.cat))
    world.set(0, world.cat, world.title, 1)
    let nothing = [
      PropertyContent(world.title, .null), PropertyContent(world.keeper, .null),
    ]
    #expect(
      world.perform(0, .committedValues(world.cat))
        == [.values(world.temporary(world.pet, 1), nothing)])
    world.save(0)
    world.set(0, world.cat, world.title, 2)
    #expect(
      world.perform(0, .committedValues(world.cat))
        == [
          .values(
            world.permanent(world.pet, 1),
            [content(world.title, 1), PropertyContent(world.keeper, .null)])
        ])
  }

  @Test func `changedValuesForCurrentEvent are the old values of the event (CT-05)`() {
    var world = World(parents: [nil])
    world.insertSaved(world.owner, world.ann)
    let id = world.permanent(world.owner, 1)
    world.set(0, world.ann, world.name, 1)
    world.perform(0, .processPendingChanges)
    #expect(world.perform(0, .changedValuesForCurrentEvent(world.ann)) == [.values(id, [])])
    world.set(0, world.ann, world.name, 2)
    world.set(0, world.ann, world.name, 3)
    world.set(0, world.ann, world.scratch, 4)
    #expect(
      world.perform(0, .changedValuesForCurrentEvent(world.ann))
        == [.values(id, [content(world.name, 1), content(world.scratch, 0)])])
    world.set(0, world.ann, world.name, 1)
    #expect(
      world.perform(0, .changedValuesForCurrentEvent(world.ann))
        == [.values(id, [content(world.scratch, 0)])])
    // The values of an object that turned into a fault start again.
    world.perform(0, .refresh(world.ann, mergeChanges: false))
    #expect(world.perform(0, .changedValuesForCurrentEvent(world.ann)).last == .values(id, []))
  }

  @Test func `changedValuesForCurrentEvent know both sides of a relationship`() {
    var world = World(parents: [nil], isOrdered: true)
    for (entity, name) in [
      (world.owner, world.ann), (world.owner, world.bob), (world.pet, world.cat),
      (world.pet, world.dog),
    ] {
      world.perform(0, .insert(entity, as: name))
    }
    for pet in [world.cat, world.dog] {
      world.perform(0, .relate(pet, world.keeper, world.reference(0, world.ann)))
    }
    world.save(0)
    let (ann, bob) = (world.permanent(world.owner, 1), world.permanent(world.owner, 2))
    let (cat, dog) = (world.permanent(world.pet, 3), world.permanent(world.pet, 4))

    world.perform(0, .relate(world.cat, world.keeper, world.reference(0, world.bob)))
    for (name, id, old) in [
      (world.ann, ann, PropertyContent(world.pets, collection: [cat, dog])),
      (world.bob, bob, PropertyContent(world.pets, collection: [])),
      (world.cat, cat, PropertyContent(world.keeper, .object(ann))),
    ] {
      #expect(world.perform(0, .changedValuesForCurrentEvent(name)) == [.values(id, [old])])
    }
    world.perform(0, .rollback)
    // A change of order is also a change.
    world.perform(
      0,
      .replace(
        world.ann, world.pets, [world.reference(0, world.dog), world.reference(0, world.cat)]))
    #expect(
      world.perform(0, .changedValuesForCurrentEvent(world.ann))
        == [.values(ann, [PropertyContent(world.pets, collection: [cat, dog])])])
  }

  @Test func `an insertion has no old values until it was reported`() {
    var world = World(parents: [nil])
    world.perform(0, .insert(world.owner, as: world.ann))
    world.set(0, world.ann, world.name, 1)
    let id = world.temporary(world.owner, 1)
    #expect(world.perform(0, .changedValuesForCurrentEvent(world.ann)) == [.values(id, [])])
    world.perform(0, .processPendingChanges)
    world.set(0, world.ann, world.name, 2)
    #expect(
      world.perform(0, .changedValuesForCurrentEvent(world.ann))
        == [.values(id, [content(world.name, 1)])])
  }

  @Test func `hasPersistentChangedValues compares and leaves out transients (CT-02, CT-07)`() {
    var world = World(parents: [nil])
    func asks(_ name: ObjectName) -> [Event] {
      world.perform(0, .hasPersistentChangedValues(name))
    }
    world.perform(0, .insert(world.owner, as: world.ann))
    #expect(asks(world.ann) == [.flag(false)])
    world.perform(0, .setPrimitive(world.ann, world.name, .integer(1)))
    #expect(asks(world.ann) == [.flag(true)])
    world.save(0)
    #expect(asks(world.ann) == [.flag(false)])
    #expect(world.perform(0, .hasChanges) == [.flag(false)])
    world.set(0, world.ann, world.scratch, 7)
    world.set(0, world.ann, world.name, 1)
    #expect(asks(world.ann) == [.flag(false)])
    #expect(world.perform(0, .hasChanges) == [.flag(true)])
    world.set(0, world.ann, world.name, 2)
    #expect(asks(world.ann) == [.flag(true)])
    world.perform(0, .delete(world.ann))
    #expect(asks(world.ann) == [.flag(false)])
    #expect(world.perform(0, .hasChanges) == [.flag(true)])
  }

  @Test func `an insertion that was deleted again is no change of its context (CT-08)`() {
    var world = World(parents: [nil])
    world.perform(0, .insert(world.owner, as: world.ann))
    #expect(world.perform(0, .hasChanges) == [.flag(true)])
    world.perform(0, .delete(world.ann))
    #expect(world.perform(0, .hasChanges) == [.flag(false)])
  }

  @Test func `a validation finds what a save would (SV-A3 to SV-A7)`() {
    var world = World(parents: [nil], deleteRule: .deny, isNameMandatory: true)
    world.perform(0, .insert(world.owner, as: world.ann))
    world.set(0, world.ann, world.age, 666)
    let id = world.temporary(world.owner, 1)
    let issues = [
      Failure.Issue(.validationMissingMandatoryProperty, id, world.name),
      Failure.Issue(.validationNumberTooLarge, id, world.age, value: .integer(666)),
      Failure.Issue(.validationManagedObject, id, world.age, value: .integer(666)),
    ]
    for validation in [Validation.forInsert, .forUpdate] {
      #expect(
        world.perform(0, .validate(world.ann, validation)) == [.failed(.validation(issues))])
    }
    #expect(world.perform(0, .validate(world.ann, .forDelete)) == [.saved])
    #expect(world.save(0).failure == .validation(issues))
    world.set(0, world.ann, world.name, 1)
    world.set(0, world.ann, world.age, 13)
    #expect(
      world.save(0).failure
        == .validation([
          Failure.Issue(.validationManagedObject, id, world.age, value: .integer(13))
        ]))
    world.set(0, world.ann, world.age, 14)
    #expect(world.perform(0, .validate(world.ann, .forUpdate)) == [.saved])

    world.perform(0, .insert(world.pet, as: world.cat))
    world.perform(0, .relate(world.cat, world.keeper, world.reference(0, world.ann)))
    #expect(
      world.perform(0, .validate(world.ann, .forDelete))
        == [
          .failed(
            .validation([
              Failure.Issue(.validationRelationshipDeniedDelete, id, world.pets)
            ]))
        ])
    world.perform(0, .delete(world.cat))
    #expect(world.perform(0, .validate(world.ann, .forDelete)) == [.saved])
  }

  @Test func `a URI leads to its object once it is permanent (ID-29, ID-30)`() {
    var world = World(parents: [nil, nil])
    world.perform(0, .insert(world.owner, as: world.ann))
    let uri = "x-coredata:///Owner/t00000000-0000-4000-8000-0000000000001"
    #expect(world.perform(0, .uriRepresentation(world.ann)) == [.uri(uri)])
    let step = Step.objectForURI(of: world.reference(0, world.ann), as: world.bob)
    #expect(world.perform(1, step) == [.nothing])
    world.save(0)
    #expect(world.perform(1, step) == [.object(world.permanent(world.owner, 1))])
    #expect(
      world.perform(1, .uriRepresentation(world.bob))
        == [.uri("x-coredata://00000000-0000-4000-8000-000000000001/Owner/p1")])
  }

  @Test func `an object that is not held answers nothing, and one that is gone raises`() {
    var world = World(parents: [nil])
    #expect(world.perform(0, .changedValues(world.ann)) == [.nothing])
    world.insertSaved(world.owner, world.ann)
    world.perform(0, .reset)
    for step in [
      Step.changedValues(world.ann), .insertAgain(world.ann), .uriRepresentation(world.ann),
      .setPrimitive(world.ann, world.name, .null), .validate(world.ann, .forInsert),
    ] {
      #expect(world.perform(0, step) == [.failed(.noContext)])
    }
    #expect(world.get(0, world.ann, world.scratch) == .failed(.noContext))
  }

  @Test func `an object that is gone reads defaults where it does not raise (C11)`() {
    var world = World(parents: [nil], quirks: QuirkSet([.goneObjectReadsDefaults]))
    world.insertSaved(world.owner, world.ann)
    world.set(0, world.ann, world.scratch, 3)
    world.perform(0, .reset)
    #expect(world.get(0, world.ann, world.scratch) == .integer(0))
    #expect(world.get(0, world.ann, world.pets) == .collection([]))
    #expect(world.get(0, world.bob, world.pets) == .nothing)
  }
}

@Suite struct `Changes past change tracking` {
  @Test func `a primitive set changes only the value, which is handed over (CT-06)`() {
    var world = World(parents: [nil, 0])
    world.insertSaved(world.owner, world.ann)
    world.hold(world.ann, from: 0, in: 1)
    world.perform(1, .setPrimitive(world.ann, world.name, .integer(1)))
    #expect(world.view(1).map(\.isUpdated) == [false])
    #expect(world.perform(1, .processPendingChanges) == [])
    #expect(world.save(1).received(0) == [])
    world.set(1, world.ann, world.age, 2)
    #expect(
      world.save(1).received(0)
        == [[Received(world.name, .integer(1)), Received(world.age, .integer(2))]])
    world.perform(0, .setPrimitive(world.ann, world.name, .integer(3)))
    world.save(0)
    #expect(world.rows[0].values.prefix(2) == [.integer(3), .integer(2)])
  }

  @Test func `a primitive set does not outlive a merging refresh`() {
    var world = World(parents: [nil])
    world.insertSaved(world.owner, world.ann)
    world.set(0, world.ann, world.age, 1)
    world.perform(0, .setPrimitive(world.ann, world.name, .integer(1)))
    // LC-07
    #expect(
      world.perform(0, .refresh(world.ann, mergeChanges: true))
        == [.awakeFromSnapshot(ContextID(0), world.permanent(world.owner, 1), .refresh)])
    #expect(world.get(0, world.ann, world.name) == .value(.null))
    #expect(world.get(0, world.ann, world.age) == .integer(1))
  }

  @Test func `a repeated insertion is reported again, and not as updated (ID-34)`() {
    var world = World(parents: [nil])
    world.perform(0, .insert(world.owner, as: world.ann))
    world.perform(0, .processPendingChanges)
    world.set(0, world.ann, world.name, 1)
    #expect(world.perform(0, .insertAgain(world.ann)) == [])
    let sets = world.perform(0, .processPendingChanges).objectsDidChange(0)
    #expect(sets?.inserted == [world.temporary(world.owner, 1)])
    #expect(sets?.updated == [])
    world.save(0)
    #expect(world.perform(0, .insertAgain(world.ann)) == [.nothing])
  }

  @Test func `a parent keeps its instance of a repeated insertion (ID-34)`() {
    var world = World(parents: [nil, 0])
    world.perform(1, .insert(world.owner, as: world.ann))
    world.set(1, world.ann, world.name, 1)
    world.save(1)
    #expect(world.view(1).map(\.isInserted) == [false])
    world.perform(0, .processPendingChanges)
    world.set(1, world.ann, world.age, 2)
    #expect(world.perform(1, .insertAgain(world.ann)) == [])
    #expect(world.view(1).map(\.isInserted) == [true])
    #expect(world.view(1).map(\.isUpdated) == [false])
    // CT-04: an insertion has no committed values, even if a child saved it before.
    guard case .values(_, let committed)? = world.perform(1, .committedValues(world.ann)).last
    else {
      Issue.record("there is no answer")
      return
    }
    #expect(committed.allSatisfy { $0.value.isNull })

    let id = world.temporary(world.owner, 1)
    let events = world.save(1)
    #expect(events.didSave(1)?.inserted == [id])
    #expect(
      !events.contains { event in
        if case .awakeFromInsert = event { return true }
        return false
      })
    #expect(
      events.received(0)
        == [
          [
            Received(world.name, .integer(1)), Received(world.age, .integer(2)),
            Received(world.scratch, .integer(0)), Received(world.home, .null),
          ]
        ])
    #expect(events.objectsDidChange(0)?.updated == [id])
    world.save(0)
    #expect(world.rows.count == 1)
  }
}
