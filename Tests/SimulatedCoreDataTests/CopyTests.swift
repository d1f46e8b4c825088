import ObjectModel
import SimulatedCoreData
import Testing
import Vocabulary

@Suite struct `A world` {
  /// Returns a world before a save of an edited and an inserted note. The save is observed and
  /// merged while another context reads.
  private func aboutToSave() -> World {
    let observers = [
      Stack.Observer(
        notification: .contextWillSave, context: ContextID(2),
        steps: [AddressedStep(3, .performAndWait([AddressedStep(3, .get(.n, Note.title))]))]),
      Stack.Observer(
        notification: .didSave, context: ContextID(2),
        steps: [AddressedStep(3, .mergeChanges(.delivered))]),
    ]
    var stage = Stage([nil, 0, 1, 1], merging: [2, 3], main: [1], observers: observers)
    stage.run(0, .insert(Note.entity, as: .n), .insert(Folder.entity, as: .f), .save)
    for name in [ObjectName.n, .f] { stage.load(name, from: 0, in: 2) }
    stage.load(.n, from: 0, in: 3)
    stage.run(
      2, .set(.n, Note.title, .text(1)), .insert(Note.entity, as: .m),
      .relate(.m, Note.folder, HeldInstance(2, .f)))
    stage.begin(
      3,
      .perform([AddressedStep(3, .sleep(1)), AddressedStep(3, .set(.n, Note.stamp, .integer(4)))]))
    stage.begin(
      1,
      .perform([
        AddressedStep(1, .fetch(FetchRequest(entity: Note.entity))), AddressedStep(1, .save),
      ]))
    stage.world.submit(AddressedStep(2, .save))
    return stage.world
  }

  @Test func `a world that is copied anywhere in a save continues like the original`() {
    var original = aboutToSave()
    var before: [Performed] = []
    var positionCount = 0
    repeat {
      var (left, right) = (original, original)
      #expect(left == right)
      let (leftRest, rightRest) = (left.settle(), right.settle())
      #expect(leftRest == rightRest)
      #expect(left == right && left.hashValue == right.hashValue)
      for context in left.stack.contextIDs {
        #expect(left.graph.view(of: context) == right.graph.view(of: context))
      }
      #expect(left.graph.rows(of: StoreID(0)) == right.graph.rows(of: StoreID(0)))
      // Inspecting the copies has not changed the original.
      if positionCount == 0 {
        before = leftRest
      } else {
        #expect(before.suffix(leftRest.count) == leftRest[...])
      }
      positionCount += 1
      var performed: [Performed] = []
      guard original.turn(into: &performed) else { break }
      original.checkInvariants()
    } while true
    #expect(positionCount > 60)
    #expect(before.didSave(2).count == 1 && before.count > 10)
  }

  @Test func `a world differs permanently from one that did something else`() {
    let start = aboutToSave()
    var settled = start
    _ = settled.settle()
    for (one, other) in [
      (Step.set(.n, Note.title, .text(2)), Step.set(.n, Note.title, .text(3))),
      (.insert(Note.entity, as: .k), .insert(Folder.entity, as: .k)), (.sleep(1), .sleep(2)),
      (.perform([AddressedStep(2, .sleep(1))]), .perform([AddressedStep(2, .sleep(2))])),
    ] {
      var (left, right) = (settled, settled)
      left.submit(AddressedStep(2, one))
      right.submit(AddressedStep(2, other))
      #expect(left != right)
      _ = (left.settle(), right.settle())
      #expect(left != right)
    }
    var longer = settled
    #expect(longer == settled)
    longer.submit(AddressedStep(2, .insert(Note.entity, as: .k)))
    _ = longer.settle()
    #expect(longer != settled)
  }

  @Test func `a world differs from another while it is one turn behind`() {
    var behind = aboutToSave()
    var ahead = behind
    var performed: [Performed] = []
    while ahead.turn(into: &performed) {
      #expect(ahead != behind)
      _ = behind.turn(into: &performed)
      #expect(ahead == behind && ahead.hashValue == behind.hashValue)
    }
  }
}
