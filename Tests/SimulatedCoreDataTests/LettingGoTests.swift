import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Testing
import Vocabulary

@Suite struct `A released context` {
  private func steps(_ c: Int, _ steps: Step...) -> [AddressedStep] {
    steps.map { AddressedStep(c, $0) }
  }

  @Test func `a released context outlives the blocks that are enqueued for it (CC-19)`() {
    var stage = Stage([nil])
    stage.run(
      0,
      .performAndWait(
        steps(0, .insert(Note.entity, as: .n), .perform(steps(0, .save)), .discard)))
    #expect(stage.rows.count == 1)
    #expect(stage.view(0).isEmpty && stage.run(0, .get(.n, Note.title)).failure == .noContext)
  }

  @Test func `a released context outlives a block of another queue that works with it`() {
    var stage = Stage([nil], app: { $0.queues.append(Stack.Queue(name: "writer")) })
    stage.run(
      0,
      .performAndWait(
        steps(
          0, .insert(Note.entity, as: .n), .async(AppQueueID(0), steps(0, .save)), .discard)))
    #expect(stage.rows.count == 1)
    #expect(stage.view(0).isEmpty)
  }

  @Test func `a released context goes at once if nothing else uses it`() {
    var stage = Stage([nil])
    let performed = stage.run(
      0, .performAndWait(steps(0, .insert(Note.entity, as: .n), .discard, .save)))
    #expect(performed.steps.map(\.step).contains(.discard))
    #expect(stage.rows.isEmpty)
  }

  @Test func `each background task has a context of its own`() {
    var stage = Stage([nil])
    let task = Step.performBackgroundTask(steps(0, .insert(Note.entity, as: .n)))
    let save = Step.performBackgroundTask(steps(0, .save))
    stage.run(0, .performAndWait([AddressedStep(0, task), AddressedStep(0, save)]))
    #expect(stage.rows.isEmpty)
  }
}
