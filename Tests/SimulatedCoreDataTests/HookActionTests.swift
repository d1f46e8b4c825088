import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

@Suite struct `A setting` {
  @Test func `a setting keeps instances that no name holds (FL-18)`() {
    for retains in [false, true] {
      var stage = Stage.saved(settings: { $0.retainsRegisteredObjects = retains })
      stage.run(0, .release(.n))
      #expect(stage.view(0).count == (retains ? 1 : 0))
    }
  }

  @Test func `a setting has deletes propagate at the save only (RL-10)`() {
    for propagates in [false, true] {
      var stage = Stage([nil], settings: { $0.propagatesDeletesAtEndOfEvent = propagates })
      stage.run(0, .insert(Note.entity, as: .n), .insert(Folder.entity, as: .f))
      stage.run(0, .relate(.n, Note.folder, HeldInstance(0, .f)), .save)
      let folder = Value.object(stage.id(0, .f)!)
      stage.run(0, .delete(.f), .processPendingChanges)
      #expect(stage.shown(0, .n, Note.folder) == (propagates ? .null : folder))
      stage.run(0, .save)
      #expect(stage.shown(0, .n, Note.folder) == .null)
      #expect(stage.rows.map(\.values[2]) == [.null])
    }
  }

  @Test func `a setting has faults of missing rows raise (FL-12)`() {
    for deletes in [false, true] {
      var stage = Stage.saved(
        [nil, nil], settings: { $0.shouldDeleteInaccessibleFaults = deletes })
      stage.run(1, .object(with: HeldInstance(0, .n), as: .n))
      let id = stage.id(0, .n)!
      stage.run(0, .delete(.n), .save)
      #expect(stage.run(1, .get(.n, Note.title)).failure == (deletes ? nil : .inaccessible(id)))
    }
  }
}

@Suite struct `An action in a hook` {
  private func action(
    _ hook: Hook, _ effect: HookAction.Effect, isPrimitive: Bool = false
  ) -> HookAction {
    HookAction(
      hook: hook, property: Note.stamp, effect: effect, onlyIfNil: false, isPrimitive: isPrimitive)
  }

  @Test func `an action in a hook may set a primitive value (LC-04)`() {
    var stage = Stage([nil]) { note, _ in
      note.hookActions = [
        action(.awakeFromInsert, .set(.integer(5)), isPrimitive: true),
        action(.willSave, .set(.integer(6)), isPrimitive: true),
      ]
    }
    stage.run(0, .insert(Note.entity, as: .n))
    #expect(stage.shown(0, .n, Note.stamp) == .integer(5))
    #expect(stage.run(0, .changedValues(.n)).contents == [])
    #expect(stage.run(0, .save).hooks(.willSave, 0).count == 1)
    #expect(stage.rows.map(\.values[1]) == [.integer(6)])
  }

  @Test func `an action that keeps changing its object makes the save give up (LC-09)`() {
    var stage = Stage([nil]) { note, _ in
      note.hookActions = [action(.willSave, .setNext)]
    }
    stage.run(0, .insert(Note.entity, as: .n))
    let saved = stage.run(0, .save)
    #expect(saved.hooks(.willSave, 0).count == 1_000)
    #expect(saved.failure == .willSaveLoop(stage.id(0, .n)!) && stage.rows.isEmpty)
    #expect(!saved.events.contains(.contextWillSave(ContextID(0))))
    #expect(stage.shown(0, .n, Note.stamp) == .integer(1_000))
  }

  @Test func `a hook is called for rollbacks and merging refreshes (LC-07)`() {
    var stage = Stage.saved()
    stage.run(0, .set(.n, Note.title, .text(2)))
    #expect(stage.run(0, .refresh(.n, mergeChanges: true)).snapshots(0) == [.refresh])
    #expect(stage.run(0, .rollback).snapshots(0) == [.rollback])
    #expect(stage.run(0, .refresh(.n, mergeChanges: true), .rollback).snapshots(0) == [])
  }

  @Test func `a hook of a save may come after ContextWillSave (X-05)`() {
    for isFirst in [false, true] {
      var quirks = Profile.current.quirks
      if isFirst { quirks.insert(.contextWillSaveComesFirst) }
      var stage = Stage([nil], quirks: quirks)
      stage.run(0, .insert(Note.entity, as: .n))
      let hook = Event.hook(.willSave, ContextID(0), stage.id(0, .n)!)
      let saved = stage.run(0, .save).events
      let notification = saved.firstIndex(of: .contextWillSave(ContextID(0)))!
      #expect((notification < saved.firstIndex(of: hook)!) == isFirst)
      #expect(saved.count { $0 == .contextWillSave(ContextID(0)) } == 1)
    }
  }
}

@Suite struct `An edited insertion` {
  @Test func `an edited insertion is reported as updated, or not at all (C3, NM-A2)`() {
    for isReported in [true, false] {
      var quirks = Profile.current.quirks
      if !isReported { quirks.insert(.editedInsertIsNotReported) }
      var stage = Stage([nil], quirks: quirks)
      stage.run(0, .insert(Note.entity, as: .n), .processPendingChanges)
      stage.run(0, .set(.n, Note.title, .text(1)))
      let sets = stage.run(0, .processPendingChanges).objectsDidChange(0)
      #expect(sets == (isReported ? [ChangeSets(updated: [stage.id(0, .n)!])] : []))
    }
  }
}
