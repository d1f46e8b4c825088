import SimulatedDispatch
import Testing

@Suite struct `A group` {
  var dispatcher = Dispatcher<Int>()

  @Test mutating func `a group lets all lanes go when it is left as often as entered`() {
    let group = dispatcher.makeQueue()
    let (first, second) = (dispatcher.makeThread(), dispatcher.makeThread())
    dispatcher.push(0, on: first)
    dispatcher.push(0, on: second)
    dispatcher.suspend(group)
    dispatcher.suspend(group)
    dispatcher.await(group, by: first)
    dispatcher.async(7, on: group)
    dispatcher.await(group, by: second)
    #expect(dispatcher.isQuiescent && dispatcher.waits(of: first) == group)
    dispatcher.checkInvariants()
    #expect(dispatcher.leave(group) == [] && dispatcher.isQuiescent)
    #expect(dispatcher.leave(group) == [7])
    #expect(dispatcher.canRun(first) && dispatcher.canRun(second))
    #expect(dispatcher.owner(of: group) == nil && !dispatcher.hasLine(group))
    dispatcher.checkInvariants()
  }

  @Test mutating func `a lane can wait in vain for a group`() {
    let (group, held) = (dispatcher.makeQueue(), dispatcher.makeQueue())
    let (first, second) = (dispatcher.makeThread(), dispatcher.makeThread())
    dispatcher.push(0, on: first)
    dispatcher.push(0, on: second)
    dispatcher.suspend(group)
    #expect(dispatcher.acquire(held, for: first) == .granted)
    dispatcher.await(group, by: first)
    #expect(dispatcher.acquire(held, for: second) == .waiting)
    #expect(dispatcher.deadlocks.isEmpty)
    let deadlock = Deadlock(links: [
      .init(lane: first, waitsFor: group), .init(lane: second, waitsFor: held),
    ])
    dispatcher.noteDeadlock(deadlock)
    #expect(dispatcher.deadlocks == [deadlock])
    #expect(Set(dispatcher.blockedLanes.map(\.lane)) == [first, second])
    func text(_ deadlock: Deadlock) -> String {
      deadlock.description(
        lane: { $0 == first ? "main" : "work" }, queue: { $0 == group ? "saved" : "view" },
        isGroup: { $0 == group })
    }
    #expect(
      text(deadlock)
        == "main owns view and waits for saved; work is to leave saved and waits for view")
    #expect(
      text(Deadlock(links: [.init(lane: first, waitsFor: group)]))
        == "main waits for saved, which nothing leaves")
    dispatcher.checkInvariants()
  }
}
