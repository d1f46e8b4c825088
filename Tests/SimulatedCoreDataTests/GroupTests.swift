import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Testing
import Vocabulary

@Suite struct `A group of the app` {
  private let group = GroupID(0)
  private let insert = AddressedStep(0, .insert(Note.entity, as: .n))

  private func stage() -> Stage { app { $0.groups = [Stack.Group(name: "saved")] } }

  @Test func `a group that is empty keeps nothing waiting`() {
    var stage = stage()
    stage.run(0, .leave(group), .wait(group))
    #expect(stage.world.isDriverIdle)
    stage.run(0, .notify(group, [insert]))
    #expect(stage.id(0, .n) != nil && stage.world.unfinishedBlockCount == 0)
  }

  @Test func `a group notifies and lets lanes go when it was left as often as entered`() {
    var stage = stage()
    stage.run(0, .enter(group), .enter(group))
    stage.run(0, .notify(group, [insert]))
    stage.begin(1, .async(writer, [AddressedStep(1, .wait(group)), AddressedStep(1, .save)]))
    #expect(stage.world.settle().steps == [])
    #expect(stage.id(0, .n) == nil && stage.world.unfinishedBlockCount == 2)
    #expect(stage.world.hasPendingNotifications)
    stage.run(1, .leave(group))
    #expect(stage.id(0, .n) == nil)
    let performed = stage.run(1, .leave(group))
    #expect(performed.steps.contains(insert) && performed.steps.contains(AddressedStep(1, .save)))
    #expect(stage.world.unfinishedBlockCount == 0 && !stage.world.hasPendingNotifications)
    stage.world.dispatcher.checkInvariants()
  }

  /// The block that would leave the group waits for the queue that the waiting lane holds.
  @Test func `a wait is in vain if the waiting lane keeps others from leaving the group`() {
    var stage = stage()
    let leaving = AddressedStep(
      1, .perform([AddressedStep(0, .save), AddressedStep(1, .leave(group))]))
    stage.begin(
      0,
      .performAndWait([
        AddressedStep(0, .enter(group)), leaving, AddressedStep(0, .wait(group)),
      ]))
    _ = stage.world.settle()
    #expect(stage.world.dispatcher.deadlocks.isEmpty && !stage.world.waitsForResume)
    let found = stage.world.noteWaitInVain()
    #expect(found && !stage.world.noteWaitInVain())
    #expect(
      text(stage) == [
        "the program's thread owns c0 and waits for group saved; a block of c1 is to leave group "
          + "saved and waits for c0"
      ])
    stage.world.dispatcher.checkInvariants()
  }

  /// The block stands in the line of a queue that the waiting lane holds.
  @Test func `a wait is in vain if the waiting block precedes the one that leaves`() {
    var stage = stage()
    stage.begin(
      0,
      .async(
        writer,
        [
          AddressedStep(0, .enter(group)),
          AddressedStep(0, .async(writer, [AddressedStep(0, .leave(group))])),
          AddressedStep(0, .wait(group)),
        ]))
    _ = stage.world.settle()
    let found = stage.world.noteWaitInVain()
    #expect(found)
    #expect(
      text(stage) == [
        "a block of writer owns writer and waits for group saved; a block of writer is to leave "
          + "group saved and waits for writer"
      ])
  }

  @Test func `a wait for a group is in vain if nothing leaves it`() {
    var stage = stage()
    stage.run(0, .enter(group))
    stage.begin(0, .wait(group))
    _ = stage.world.settle()
    let found = stage.world.noteWaitInVain()
    #expect(found)
    #expect(text(stage) == ["the program's thread waits for group saved, which nothing leaves"])
    #expect(stage.world.groupAwaitedInVain == group)
  }

  private func twoGroups() -> Stage {
    app { $0.groups = [Stack.Group(name: "saved"), Stack.Group(name: "read")] }
  }

  /// The block that would leave the group follows another group.
  @Test func `a wait is in vain if it depends on another group that nothing leaves`() {
    let other = GroupID(1)
    var stage = twoGroups()
    stage.run(0, .enter(group), .enter(other))
    stage.run(0, .notify(other, [AddressedStep(0, .leave(group))]))
    stage.begin(0, .wait(group))
    _ = stage.world.settle()
    let found = stage.world.noteWaitInVain()
    #expect(found)
    #expect(
      text(stage) == [
        "the program's thread waits for group saved, which a block is to leave that waits for group "
          + "read, which nothing leaves"
      ])
    stage.world.dispatcher.checkInvariants()
  }

  @Test func `a wait is in vain if two groups depend on each other`() {
    let other = GroupID(1)
    var stage = twoGroups()
    stage.run(0, .enter(group), .enter(other))
    stage.run(
      0, .notify(other, [AddressedStep(0, .leave(group))]),
      .notify(group, [AddressedStep(0, .leave(other))]))
    stage.begin(0, .wait(group))
    _ = stage.world.settle()
    let found = stage.world.noteWaitInVain()
    #expect(found)
    #expect(
      text(stage) == [
        "the program's thread waits for group saved, which a block is to leave that waits for group "
          + "read, which a block is to leave that waits for group saved"
      ])
  }

  /// The block that would leave the other group waits for a queue that the waiting lane holds.
  @Test func `a wait is in vain if the waiting lane blocks the group before it`() {
    let other = GroupID(1)
    var stage = twoGroups()
    let leaving = AddressedStep(
      1, .perform([AddressedStep(0, .save), AddressedStep(1, .leave(other))]))
    stage.begin(
      0,
      .performAndWait([
        AddressedStep(0, .enter(group)), AddressedStep(0, .enter(other)),
        AddressedStep(1, .notify(other, [AddressedStep(1, .leave(group))])), leaving,
        AddressedStep(0, .wait(group)),
      ]))
    _ = stage.world.settle()
    let found = stage.world.noteWaitInVain()
    #expect(found)
    #expect(
      text(stage) == [
        "the program's thread owns c0 and waits for group saved; a block that follows group read is "
          + "to leave group saved and waits for group read; a block of c1 is to leave group read and "
          + "waits for c0"
      ])
    stage.world.dispatcher.checkInvariants()
  }

  @Test func `a group is empty after a kill`() {
    var stage = stage()
    stage.run(0, .enter(group))
    stage.run(0, .notify(group, [insert]), .kill, .wait(group))
    #expect(stage.world.isDriverIdle && stage.id(0, .n) == nil)
  }

  @Test func `the steps about a group share a footprint, and others may go before each`() {
    let stage = stage()
    func footprint(_ step: Step) -> Footprint {
      var footprint = Footprint()
      stage.world.noteStart(AddressedStep(0, step), in: &footprint)
      return footprint
    }
    for step in [Step.enter(group), .leave(group), .wait(group), .notify(group, [])] {
      #expect(footprint(step).meets(footprint(.leave(group))), "\(step)")
      #expect(step.isUnprotected, "\(step)")
    }
  }

  private func text(_ stage: Stage) -> [String] {
    let world = stage.world
    return world.dispatcher.deadlocks.map {
      $0.description(lane: world.name, queue: world.name, isGroup: world.isGroup)
    }
  }
}
