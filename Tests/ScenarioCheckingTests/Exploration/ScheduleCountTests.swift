import Execution
import ScenarioChecking
import TestSupport
import Testing

/// Schedules counted by hand.
///
/// Blocks that `perform` enqueues may be overtaken wherever Core Data synchronizes. That is before
/// a block begins, before each step that takes the coordinator's lock (CC-14), and before the block
/// ends, which is the end of an event. So a block of n fetches takes n + 2 turns. The n fetches
/// synchronize with other lanes. The beginning and the end concern only the block's own queue.
///
/// The program's thread takes a turn for each `perform`, which enqueues a block. All earlier blocks
/// may have run before that turn. No block precedes the first `perform`.
@Suite struct `The number of schedules` {
  private func explore(_ steps: String, stack: String = oneStore, prunes: Bool = true) throws
    -> Exploration
  {
    Exploration(ScenarioRunner(try explorable(steps, stack: stack)), prunes: prunes)
  }

  private let fetches = { (context: String) in
    block(context, "fetch Note", "count Note", "fetch Note", "count Note")
  }

  /// Six turns of one lane stand beside the turn that enqueues the other block and the six turns of
  /// that block: C(13, 6) = 1716 schedules. Only the order of the two times four turns that take
  /// the lock matters: C(8, 4) = 70.
  @Test func `four dependent turns in each of two lanes have 70 schedules`() throws {
    let steps = fetches("a") + "\n" + fetches("b")
    let pruned = try explore(steps)
    #expect(pruned.runCount == 70)
    #expect(pruned.scheduleCount.description == "1716")
    #expect(pruned.prunedCount.description == "1646")
    #expect(try explore(steps, prunes: false).runCount == 1716)
  }

  /// Two coordinators have two locks, so no order matters.
  @Test func `four independent turns in each of two lanes have one schedule`() throws {
    let steps = fetches("a") + "\n" + fetches("b")
    let pruned = try explore(steps, stack: twoStores)
    #expect(pruned.runCount == 1)
    #expect(pruned.prunedCount.description == "1715")
    #expect(try explore(steps, stack: twoStores, prunes: false).runCount == 1716)
  }

  /// Four turns of the second lane stand beside the turn that enqueues the last block and its four
  /// turns: C(9, 4) = 126. All of these follow the turn that enqueues the second block, and stand
  /// beside four turns of the first: C(14, 4) = 1001. In all there are 126126 schedules. The two
  /// fetches of each lane have 6! / (2! 2! 2!) = 90 orders.
  @Test func `two dependent turns in each of three lanes have 90 schedules`() throws {
    let steps = ["a", "b", "c"].map { block($0, "fetch Note", "count Note") }
    let pruned = try explore(steps.joined(separator: "\n"))
    #expect(pruned.runCount == 90)
    #expect(pruned.scheduleCount.description == "126126")
  }

  /// A block that uses no other context takes two turns, begin and end: C(5, 2) = 10 schedules.
  @Test func `blocks that use only their own contexts have one schedule`() throws {
    let steps = block("a", "hasChanges", "reset") + "\n" + block("b", "hasChanges", "reset")
    let pruned = try explore(steps)
    #expect(pruned.runCount == 1)
    #expect(pruned.prunedCount.description == "9")
    #expect(try explore(steps, prunes: false).runCount == 10)
  }

  /// The block begins, takes the lock for its save, and ends. The kill comes before any of these
  /// turns, or after all.
  @Test func `a kill adds a schedule for each turn that it may come before`() throws {
    let steps = block("a", "insert Note as n", "save") + "\n  b  kill"
    let outcomes = try explore(steps, prunes: false)
    #expect(outcomes.runCount == 4)
    #expect(outcomes.findings.count > 1)
  }

  /// Two automatic merges wait on the child's queue, and need no queue above it. The kill comes
  /// before both, between them, or after both.
  @Test func `a kill adds a schedule for each merge that it may come before`() throws {
    let stack = """
        store  main
        a  mainQueue coordinator store
        b  privateQueue parent a autoMerge
      """
    let steps = """
        a  insert Note as n
        b  suspend
        a  save
        a  insert Note as m
        a  save
        b  resume
        a  kill
      """
    #expect(try explore(steps, stack: stack, prunes: false).runCount == 3)
  }

  /// Both blocks draw the serial number of a new object in their first turn. The first to draw has
  /// the lower number, so there are two orders. The other turns concern no other block.
  @Test func `two inserts have two schedules`() throws {
    let steps = block("a", "insert Note as n") + "\n" + block("b", "insert Note as m")
    let pruned = try explore(steps)
    #expect(pruned.runCount == 2)
    #expect(pruned.scheduleCount.description == "10")
  }

  /// `a` sets and `b` reads the same object. Their order matters, although `b` does not see the
  /// change either way. With two objects there is one order.
  @Test func `two contexts have two schedules only if they use one object`() throws {
    let before = """
        a  insert Note as n
        a  insert Note as m
        a  save
        b  existingObject a.n
        b  existingObject a.m
      """
    let same = block("a", "set n.title \"x\"") + "\n" + block("b", "get n.title")
    let other = block("a", "set n.title \"x\"") + "\n" + block("b", "get m.title")
    #expect(try explore(before + "\n" + same).runCount == 2)
    #expect(try explore(before + "\n" + other).runCount == 1)
  }
}

@Suite struct `A limit on schedules` {
  private let steps = ["a", "b"].map { block($0, "fetch Note", "fetch Note") }.joined(
    separator: "\n")

  /// C(4, 2) = 6 orders of the fetches.
  @Test func `a limit that is not reached is not mentioned`() throws {
    let scenario = try explorable(steps, header: "interleave  every\n", claims: "  succeeded")
    #expect(Exploration(ScenarioRunner(scenario), limit: 6).cutMessage == nil)
    #expect(ScenarioCheck(scenario, limit: 6).problems == [])
  }

  @Test func `a limit is a problem as long as it leaves a claim open`() throws {
    let open = try explorable(steps, header: "interleave  every\n", claims: "  succeeded")
    let message = try #require(ScenarioCheck(open, limit: 5).problems.first?.message)
    #expect(message.hasPrefix("stopped after "), "\(message)")
    #expect(message.contains(" of at least "))
    let silent = try explorable(steps, header: "interleave  every\n")
    #expect(ScenarioCheck(silent, limit: 5).problems.count == 1)
    let seen = try explorable(
      steps, header: "interleave  every\n", claims: "  sometimes  succeeded")
    #expect(ScenarioCheck(seen, limit: 5).problems == [])
  }

  @Test func `a limit does not hide a claim that fails before it`() throws {
    let scenario = try explorable(steps, header: "interleave  every\n", claims: "  deadlock")
    let messages = ScenarioCheck(scenario, limit: 5).problems.map(\.message)
    #expect(messages == ["holds in 0 of the 5 schedules that were run: deadlock"])
  }
}
