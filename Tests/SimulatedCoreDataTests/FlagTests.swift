import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Testing
import Vocabulary

@Suite struct `A flag of the app` {
  private let flag = FlagID(0)

  private func stage() -> Stage { app { $0.flags = [Stack.Flag(name: "busy")] } }

  private func block(_ isNegated: Bool, _ name: ObjectName) -> Step {
    .when(
      Condition(.isRaised(flag), isNegated: isNegated),
      [AddressedStep(0, .insert(Note.entity, as: name))])
  }

  @Test func `a flag is lowered at first, and has the value that was set last`() {
    var stage = stage()
    stage.run(0, block(false, .n), block(true, .m))
    #expect(stage.id(0, .n) == nil && stage.id(0, .m) != nil)
    stage.run(1, .setFlag(flag, true), .setFlag(flag, true))
    stage.run(0, block(false, .n), block(true, .k))
    #expect(stage.id(0, .n) != nil && stage.id(0, .k) == nil)
    stage.run(1, .setFlag(flag, false))
    stage.run(0, block(true, .k))
    #expect(stage.id(0, .k) != nil)
  }

  @Test func `a flag is lowered by a kill`() {
    var stage = stage()
    stage.run(0, .setFlag(flag, true), .kill, block(false, .n))
    #expect(stage.id(0, .n) == nil)
  }

  @Test func `a step that sets a flag is no action`() {
    var stage = stage()
    #expect(stage.run(0, .setFlag(flag, true)).isEmpty)
  }

  /// The test negates the other conditions.
  @Test func `a condition about something other than a flag can be negated`() {
    var stage = stage()
    let steps = [AddressedStep(0, .insert(Note.entity, as: .n))]
    stage.run(0, .when(Condition(.offMainThread, isNegated: true), steps))
    #expect(stage.id(0, .n) == nil)
    stage.run(0, .when(Condition(.hasChanges, isNegated: true), steps))
    #expect(stage.id(0, .n) != nil)
    let id = stage.id(0, .n)
    stage.run(0, .when(Condition(.hasChanges, isNegated: true), steps))
    #expect(stage.id(0, .n) == id)
  }

  @Test func `a flag tells worlds apart`() {
    var (one, other) = (stage(), stage())
    other.run(0, .setFlag(flag, true))
    #expect(one.world != other.world && hash(one) != hash(other))
    one.run(0, .setFlag(flag, true))
    #expect(hash(one) == hash(other))
  }

  private func hash(_ stage: Stage) -> Int {
    var hasher = Hasher()
    stage.world.hashState(into: &hasher, tellsHistory: false)
    return hasher.finalize()
  }

  /// Setting a flag to its current value counts, too, because the next step may set it otherwise.
  @Test func `a flag is in the footprint of steps that test it or set it`() {
    var raised = stage()
    raised.run(0, .setFlag(flag, true))
    func footprint(_ step: Step) -> Footprint {
      var footprint = Footprint()
      raised.world.noteStart(AddressedStep(0, step), in: &footprint)
      return footprint
    }
    let question = footprint(block(false, .n))
    #expect(footprint(.setFlag(flag, true)).meets(footprint(.setFlag(flag, false))))
    #expect(question.meets(footprint(.setFlag(flag, true))) && !question.meets(question))
  }

  /// A lane lets others go first before a step about a flag. Before a step about another
  /// condition it does not.
  @Test func `a lane lets others go first before it tests a flag`() {
    let steps = [AddressedStep(0, .insert(Note.entity, as: .n))]
    let other = Step.when(Condition(.offMainThread), steps)
    #expect(pointCount(block(true, .n)) == pointCount(other) + 1)
  }

  /// Returns the number of turns of an app's block before which others may go. The step is the
  /// block's second.
  private func pointCount(_ step: Step) -> Int {
    var stage = stage()
    stage.begin(
      0, .async(writer, [AddressedStep(0, .processPendingChanges), AddressedStep(0, step)]))
    let lane = stage.world.dispatcher.worker(of: stage.queue(writer))
    var count = 0
    while stage.world.dispatcher.canRun(lane) {
      if stage.world.isAtSynchronisationPoint(lane) { count += 1 }
      _ = stage.world.turn(of: lane)
    }
    return count
  }
}
