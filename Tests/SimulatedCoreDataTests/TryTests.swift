import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Testing
import Vocabulary

/// Blocks whose remaining steps are skipped once one of their steps fails.
@Suite struct `Steps that are tried` {
  private let fails = AddressedStep(0, .save)
  private let next = AddressedStep(0, .insert(Note.entity, as: .n))
  private let last = AddressedStep(0, .insert(Note.entity, as: .m))

  /// Returns two roots. The first cannot save its insertions, because the store refuses this
  /// write.
  private func stage(
    refusing write: Int = 1, _ change: (inout Stack) -> Void = { _ in }
  ) -> Stage {
    var stage = app(change)
    stage.run(0, .insert(Note.entity, as: .twin), .refuseWrite(StoreID(0), after: write))
    return stage
  }

  @Test func `tried steps end where one fails, and not before`() {
    var stage = stage()
    let performed = stage.run(0, .trying([next, fails, last]), .hasChanges)
    #expect(performed.events.contains { $0.isFailure })
    #expect(stage.id(0, .n) != nil && stage.id(0, .m) == nil)
    // Steps after the block are not skipped.
    #expect(performed.events.last == .flag(true))
    stage.run(0, .refuseWrite(StoreID(0), after: 1), .performAndWait([fails, last]))
    #expect(stage.id(0, .m) != nil)
  }

  /// A block inside that the lane runs itself ends, too, and gives its queue back.
  @Test func `tried steps end with the blocks that they wait for`() {
    let blocks: [([AddressedStep]) -> Step] = [
      { .performAndWait($0) }, { .directly($0) }, { .sync(writer, $0) },
      { .when(Condition(.onMainThread, isNegated: true), $0) },
    ]
    for block in blocks {
      var stage = stage()
      stage.run(0, .trying([AddressedStep(0, block([fails, next])), last]))
      #expect(stage.id(0, .n) == nil && stage.id(0, .m) == nil)
      #expect(stage.ownedByDriver.isEmpty)
    }
  }

  @Test func `a failure ends the innermost block that tries, and no other`() {
    var stage = stage()
    stage.run(0, .trying([AddressedStep(0, .trying([fails, next])), last]))
    #expect(stage.id(0, .n) == nil && stage.id(0, .m) != nil)
  }

  @Test func `tried steps continue after a block that they enqueued has failed`() {
    var stage = stage()
    stage.run(0, .trying([AddressedStep(0, .perform([fails, next])), last]))
    #expect(stage.id(0, .n) != nil && stage.id(0, .m) != nil)
  }

  @Test func `tried steps continue after an entry point in which a step has failed`() {
    var stage = stage { [fails, next] in
      $0.entryPoints = [Stack.EntryPoint(name: "look", steps: [fails, next])]
    }
    stage.run(0, .trying([AddressedStep(0, .call(EntryPointID(0))), last]))
    #expect(stage.id(0, .n) != nil && stage.id(0, .m) != nil)
  }

  /// The save that has posted the notification does not fail with its observer.
  @Test func `tried steps continue after an observer in which a step has failed`() {
    var stage = stage(refusing: 2) { [fails] in
      $0.observers = [
        Stack.Observer(notification: .didSave, context: ContextID(1), steps: [fails])
      ]
    }
    let save = AddressedStep(1, .save)
    stage.run(1, .insert(Note.entity, as: .k), .trying([save, last]))
    #expect(stage.id(0, .m) != nil)
    #expect(!stage.hasChanges(1) && stage.hasChanges(0))
  }
}
