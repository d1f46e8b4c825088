import ObjectModel
import ReferenceDispatch
import Testing
import Vocabulary

@Suite struct `The second account of lanes` {
  private let root = ContextID(0)
  private let view = ContextID(1)

  /// Returns the lanes of a private root with a child on the main queue. The main queue is 0, the
  /// root's queue 1, the lock of the coordinator 2, and the program's thread 3.
  private func lanes(_ change: (inout Stack) -> Void = { _ in }) -> ReferenceLanes {
    var stack = Stack()
    stack.stores = [Stack.Store(name: "main")]
    stack.coordinators = [Stack.Coordinator(name: "store", stores: [StoreID(0)])]
    stack.contexts = [
      Stack.Context(
        name: "root", concurrencyType: .privateQueue, parent: .coordinator(CoordinatorID(0))),
      Stack.Context(name: "view", concurrencyType: .mainQueue, parent: .context(ContextID(0))),
    ]
    change(&stack)
    return ReferenceLanes(stack)
  }

  private func step(_ context: ContextID, _ step: Step) -> AddressedStep {
    AddressedStep(context, step)
  }

  /// Returns the results of the lane's turns until it has none.
  private func turns(_ lane: Int, of lanes: inout ReferenceLanes) -> [ReferenceLanes.Turn] {
    var turns: [ReferenceLanes.Turn] = []
    while turns.last != .nothing, turns.last != .waits { turns.append(lanes.turn(of: lane)) }
    return turns
  }

  /// Returns whether the program's thread has nothing to do after one turn.
  private func hasOneTurn(_ lanes: inout ReferenceLanes) -> Bool {
    turns(lanes.driver, of: &lanes) == [.moves, .nothing]
  }

  @Test func `the main thread does nothing of the thread that waits for it`() {
    var lanes = lanes()
    let back = step(root, .performAndWait([step(root, .hasChanges)]))
    lanes.submit(step(root, .performAndWait([step(view, .performAndWait([back]))])))
    let there = turns(lanes.driver, of: &lanes)
    #expect(there.last == .waits && lanes.unfinishedLane == lanes.driver)

    lanes = self.lanes()
    let inside = step(view, .performAndWait([step(view, .hasChanges)]))
    lanes.submit(step(view, .performAndWait([step(root, .performAndWait([inside]))])))
    let home = turns(lanes.driver, of: &lanes)
    #expect(home.last == .nothing && lanes.unfinishedLane == nil)
  }

  @Test func `blocks of a queue run in the order in which they were enqueued`() {
    var lanes = lanes()
    // The first block begins at once, and two stand in line.
    for step in [Step.processPendingChanges, .refreshAllObjects, .rollback] {
      lanes.submit(AddressedStep(root, .perform([AddressedStep(root, step)])))
      let isOne = hasOneTurn(&lanes)
      #expect(isOne)
    }
    let performed = turns(1, of: &lanes).filter { $0 != .moves }
    #expect(
      performed == [
        .performs(.step(step(root, .processPendingChanges), .whole)), .performs(.endOfEvent(root)),
        .performs(.step(step(root, .refreshAllObjects), .whole)), .performs(.endOfEvent(root)),
        .performs(.step(step(root, .rollback), .whole)), .performs(.endOfEvent(root)), .nothing,
      ])
    #expect(lanes.unfinishedLane == nil)
  }

  @Test func `a save comes in four phases, unless one fails`() {
    let save = AddressedStep(root, .save)
    var lanes = lanes()
    lanes.submit(save)
    var performed: [Phase] = []
    while case let turn = lanes.turn(of: lanes.driver), turn != .nothing {
      guard case .performs(.step(_, let phase)) = turn else { continue }
      performed.append(phase)
      lanes.follow(.step(save, phase), on: lanes.driver, [], held: [])
    }
    #expect(performed == [.flush, .willSave, .commit, .finish])

    lanes.submit(save)
    while case let turn = lanes.turn(of: lanes.driver), turn != .nothing {
      guard case .performs(let action) = turn else { continue }
      #expect(action == .step(save, .flush))
      lanes.follow(
        action, on: lanes.driver, [.failed(.noContext)], held: [])
    }
    #expect(lanes.unfinishedLane == nil)
  }

  @Test func `observers are called in the order of the stack, then released`() {
    let sets = ChangeSets()
    var lanes = lanes { stack in
      for step in [Step.processPendingChanges, .refreshAllObjects] {
        stack.observers.append(
          Stack.Observer(
            notification: .didSave, context: ContextID(0),
            steps: [AddressedStep(ContextID(0), step)]))
      }
    }
    let save = Action.step(step(root, .save), .finish)
    lanes.submit(step(root, .refreshAllObjects))
    while case let turn = lanes.turn(of: lanes.driver), turn == .moves {}
    lanes.follow(
      save, on: lanes.driver, [.didSave(root, sets, number: 0)], held: [root])
    let performed = turns(lanes.driver, of: &lanes).filter { $0 != .moves }
    #expect(
      performed == [
        .performs(.step(step(root, .processPendingChanges), .whole)),
        .performs(.step(step(root, .refreshAllObjects), .whole)), .performs(.endOfDelivery(root)),
        .nothing,
      ])
  }

  @Test func `a merge comes after what stands in the line of a queue`() {
    var lanes = lanes()
    lanes.submit(step(view, .perform([step(view, .processPendingChanges)])))
    _ = lanes.turn(of: lanes.driver)
    lanes.submit(step(root, .refreshAllObjects))
    while case let turn = lanes.turn(of: lanes.driver), turn == .moves {}
    lanes.announceMerge(into: view, number: 0)
    lanes.follow(.step(step(root, .save), .finish), on: lanes.driver, [], held: [])
    let performed = turns(0, of: &lanes).filter { $0 != .moves }
    #expect(
      performed == [
        .performs(.step(step(view, .processPendingChanges), .whole)), .performs(.endOfEvent(view)),
        .performs(.merge(view, number: 0)), .nothing,
      ])
  }

  @Test func `a lane is unfinished if it has something left to do`() {
    var lanes = lanes()
    #expect(lanes.unfinishedLane == nil)
    lanes.submit(step(root, .refreshAllObjects))
    #expect(lanes.unfinishedLane == lanes.driver)
    _ = turns(lanes.driver, of: &lanes)
    #expect(lanes.unfinishedLane == nil)
  }

  @Test func `a lane waits in line, for a suspended queue, too`() {
    var lanes = lanes()
    lanes.submit(step(root, .suspend(nil)))
    let isOne = hasOneTurn(&lanes)
    lanes.submit(step(root, .perform([step(root, .refreshAllObjects)])))
    let isOther = hasOneTurn(&lanes)
    #expect(isOne && isOther)
    let block = lanes.turn(of: 1)
    lanes.submit(step(root, .save))
    let waits = turns(lanes.driver, of: &lanes)
    #expect(block == .nothing && waits == [.waits])
    #expect(lanes.unfinishedLane == nil)
  }

  @Test func `the account knows the result of a step that is taken alone`() {
    var lanes = lanes()
    let get = step(view, .hasChanges)
    let begins = [lanes.beginAlone(get), lanes.beginAlone(step(view, .save))]
    #expect(begins == [true, false])
    let takes = [lanes.takeAlone(1), lanes.takeAlone(2)]
    let expected = lanes.turnAlone
    let isOther = !lanes.performAlone(.step(get, .flush))
    let isFirst = lanes.performAlone(.step(get, .whole))
    lanes.leaveToTurns()
    let rest = turns(lanes.driver, of: &lanes)
    #expect(takes == [true, true] && isOther && isFirst)
    #expect(expected == .performs(.step(get, .whole)))
    #expect(rest == [.moves, .moves, .moves, .nothing])

    let beginsAgain = lanes.beginAlone(get)
    let isSecond = lanes.performAlone(.step(get, .whole))
    lanes.releaseAlone()
    lanes.endAlone()
    let isFree = lanes.beginAlone(get)
    #expect(beginsAgain && isSecond && isFree)
  }

  @Test func `a context is released after the block that holds it`() {
    var lanes = lanes { $0.queues = [Stack.Queue(name: "queue")] }
    // The queue of the app is 1, and the root's is 2.
    let block = [step(root, .refreshAllObjects)]
    lanes.submit(step(root, .async(AppQueueID(0), block)))
    let isOne = hasOneTurn(&lanes)
    #expect(isOne)
    lanes.submit(step(root, .discard))
    _ = turns(lanes.driver, of: &lanes)
    let performed = turns(1, of: &lanes).filter { $0 != .moves }
    #expect(performed == [.performs(.step(step(root, .refreshAllObjects), .whole)), .nothing])
    let after = turns(2, of: &lanes)
    #expect(after.contains(.performs(.step(step(root, .discard), .whole))))
    #expect(lanes.unfinishedLane == nil)
  }
}
