import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

@Suite struct `A loop over what a notification lists` {
  /// Context 1 observes 0's saves, as a sibling would.
  private func stage(_ steps: [Step]) -> Stage {
    let observer = Stack.Observer(
      notification: .didSave, context: ContextID(0),
      steps: [AddressedStep(1, .perform(steps.map { AddressedStep(1, $0) }))])
    return Stage([nil, nil], observers: [observer])
  }

  @Test func `a loop keeps what it touches until the block ends`() {
    var stage = stage([.forEach(.delivered, .touch), .count(FetchRequest(entity: Note.entity))])
    stage.begin(0, .insert(Note.entity, as: .n))
    stage.begin(0, .save)
    var registered: [Int] = []
    var performed: [Performed] = []
    while stage.world.turn(into: &performed) {
      let count = stage.view(1).count
      if registered.last != count { registered.append(count) }
    }
    #expect(registered == [0, 1, 0])
    #expect(stage.view(1).isEmpty)
  }

  @Test func `a loop ends with the first object that cannot be loaded`() {
    var stage = Stage([nil, nil], quirks: QuirkSet([.inaccessibleFaultRaises]))
    stage.run(0, .insert(Note.entity, as: .n), .insert(Note.entity, as: .m), .save)
    stage.run(1, .object(with: HeldInstance(0, .n), as: .n))
    stage.run(1, .object(with: HeldInstance(0, .m), as: .m))
    stage.run(0, .delete(.n), .save)
    let events = stage.run(1, .forEach(.registered, .edit)).events
    #expect(events.count { if case .object = $0 { true } else { false } } == 1)
    #expect(events.contains { if case .failed(.inaccessible) = $0 { true } else { false } })
    #expect(!stage.hasChanges(1))
  }

  @Test func `a loop marks nothing twice, and edits always`() {
    var stage = Stage([nil])
    stage.run(0, .insert(Note.entity, as: .n), .save)
    stage.run(0, .forEach(.registered, .mark), .save, .forEach(.registered, .mark))
    #expect(!stage.hasChanges(0))
    stage.run(0, .forEach(.registered, .edit))
    #expect(stage.hasChanges(0))
  }

  @Test func `a loop goes through nothing where nothing is delivered`() {
    var stage = Stage([nil])
    stage.run(0, .insert(Note.entity, as: .n))
    #expect(stage.run(0, .forEach(.delivered, .touch)).events.isEmpty)
  }
}

@Suite struct `A condition` {
  @Test func `a condition on the thread needs no queue of its context`() {
    var stage = Stage([nil, nil], main: [1])
    // The condition is tested first on another thread than the main one, then on the main thread.
    stage.run(
      0,
      .performAndWait([AddressedStep(1, .when(Condition(.onMainThread), [AddressedStep(1, .save)]))]
      ))
    #expect(stage.world.graph.result.events.isEmpty)
    let onMain = stage.run(
      1,
      .performAndWait([
        AddressedStep(0, .when(Condition(.onMainThread), [AddressedStep(0, .hasChanges)]))
      ]))
    #expect(onMain.events == [.flag(false)])
    let elsewhere = stage.run(0, .when(Condition(.offMainThread), [AddressedStep(0, .hasChanges)]))
    #expect(elsewhere.events == [.flag(false)])
  }

  @Test func `a condition that does not hold leaves out its steps`() {
    var stage = Stage([nil])
    let step = Step.when(Condition(.hasChanges), [AddressedStep(0, .save)])
    #expect(stage.run(0, step).events == [.flag(false)])
    stage.run(0, .insert(Note.entity, as: .n))
    let events = stage.run(0, step).events
    #expect(events.first == .flag(true) && events.contains(.saved))
  }

  @Test func `a condition about a context is not tested without its queue`() {
    var stage = Stage([nil, nil])
    let step = Step.when(Condition(.hasChanges), [AddressedStep(1, .save)])
    let events = stage.run(
      0, .performAndWait([AddressedStep(0, .directly([AddressedStep(1, step)]))])
    )
    .events
    #expect(events == [.failed(.wrongQueue(ContextID(1)))])
  }
}
