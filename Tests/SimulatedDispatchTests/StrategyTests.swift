import Determinism
import SimulatedDispatch
import Testing

private func turns(_ counts: Int...) -> [[Int?]] {
  counts.map { Array(repeating: nil, count: $0) }
}

/// Returns the chi-square distance of counts from equal counts, in parts of 100. `kinds` is the
/// number of possible orders, seen or not.
private func imbalance(_ orders: [[Int]], kinds: Int) -> Int {
  let sorted = orders.sorted { $0.lexicographicallyPrecedes($1) }
  var sum = 0
  var seen = 0
  var start = 0
  for index in sorted.indices where index + 1 == sorted.count || sorted[index + 1] != sorted[index]
  {
    let distance = (index + 1 - start) * kinds - sorted.count
    sum += distance * distance
    seen += 1
    start = index + 1
  }
  sum += (kinds - seen) * sorted.count * sorted.count
  return 100 * sum / (kinds * sorted.count)
}

@Suite struct `Every strategy` {
  @Test(arguments: SchedulingPolicy.allCases)
  func `every strategy is unnecessary for a replay of its choices`(policy: SchedulingPolicy) {
    for seed in 0..<60 as Range<UInt64> {
      let start = HoppingWorld(
        queueCount: 4, threadCount: 4, blockLimit: 30, isOrderly: false, seed: seed)
      var first = start
      var choices = Choices(seed: seed)
      _ = first.run(policy, &choices)
      var second = start
      var replayed = Choices(replaying: choices.recording)
      _ = second.run(.random, &replayed)
      #expect(second == first, "seed \(seed)")
      // In order, no choice is made or recorded.
      let recorded = policy == .inOrder ? [] : replayed.recording(of: .schedule)
      #expect(choices.recording(of: .schedule) == recorded)
    }
  }

  /// The result of each strategy must not depend on the process, the build or the machine.
  @Test(arguments: [
    (SchedulingPolicy.inOrder, "54ce723dfa4c54ba"), (.random, "2415d49d2c68e32f"),
    (.sticky, "3c22ef24d98125ec"), (.pct, "fa9c21bc5f5ca941"),
    (.delayBounded, "c427755fd13d1dff"), (.partialOrder, "d4f765cb54c941db"),
    (.uniformWalk, "e90840c5e9f32516"), (.selectiveWalk, "6ea6acca080ac2b9"),
  ])
  func `every strategy takes the same way everywhere`(policy: SchedulingPolicy, digest: String) {
    var world = HoppingWorld(
      queueCount: 20, threadCount: 10, blockLimit: 200, isOrderly: true, seed: 1)
    var choices = Choices(seed: 2)
    _ = world.run(policy, &choices)
    #expect(world.digest.description == digest, "\(policy)")
  }

  @Test func `every strategy has a line of explanation`() {
    let lines = SchedulingPolicy.allCases.map(\.summary)
    #expect(Set(lines).count == lines.count)
    #expect(lines.allSatisfy { !$0.isEmpty && $0.count < 75 })
  }
}

@Suite struct `A sticky walk` {
  @Test func `a sticky walk leaves the present lane as often as it says`() {
    let runs = IndependentLanes.runs(
      turns(30, 30, 30), Scheduler(.sticky, strategy: StickyWalk(leavesInOneOf: 8)), count: 300)
    let leaves = runs.reduce(0) { $0 + $1.leaveCount }
    let decisions = runs.reduce(leaves) { $0 + $1.stayCount }
    // There are about 22,000 decisions, so 2,700 leaves with a standard deviation of 49.
    #expect(decisions > 15_000)
    #expect(abs(8 * leaves - decisions) < 8 * 250, "\(leaves) of \(decisions)")
  }
}

@Suite struct `A delay bound` {
  @Test(arguments: [0, 1, 2, 4])
  func `a delay bound is kept`(count: Int) {
    let strategy = Scheduler(.delayBounded, strategy: DelayBound(counts: count...count))
    var most = 0
    for index in 0..<300 {
      var lanes = IndependentLanes(turns(6, 6, 6, 6))
      var choices = Choices(seed: UInt64(index))
      lanes.run(strategy, &choices)
      // As many delays on one decision as there are lanes return to the first lane.
      most = max(most, choices.recording(of: .schedule).reduce(0) { $0 + Int($1) })
    }
    #expect(most == count)
  }
}

@Suite struct `Priorities with changes` {
  /// A bug of depth d needs at most n lanes and k decisions, by the bound of the paper.
  @Test func `priorities find a bug of depth d with probability 1/(n·k^(d-1)) or more`() {
    let (n, m) = (4, 6)
    let k = n * m
    // Depth 1: the first lane has done everything before the second begins.
    let first = hits(1, lanes: n, turns: m) { order in
      (order.lastIndex(of: 0) ?? 0) < (order.firstIndex(of: 1) ?? 0)
    }
    #expect(first * n >= 4_000, "\(first)")
    // Depth 2: in addition, the first lane's end waits for the second's beginning.
    let second = hits(2, lanes: n, turns: m) { order in
      let before = order.firstIndex(of: 1) ?? 0
      return order[..<before].count { $0 == 0 } == 3
    }
    #expect(second * n * k >= 4_000, "\(second)")
    // Depth 3: in addition, the first lane continues before the second's end. There are two lanes
    // and ten decisions.
    let third = hits(3, lanes: 2, turns: 5) { order in
      let before = order.firstIndex(of: 1) ?? 0
      guard order[..<before].count(where: { $0 == 0 }) == 3 else { return false }
      let middle = order[before...].firstIndex(of: 0) ?? order.count
      return order[before..<middle].count { $0 == 1 } < 5
    }
    #expect(third * 2 * 10 * 10 >= 4_000, "\(third)")
  }

  private func hits(
    _ depth: Int, lanes: Int, turns: Int, _ isHit: ([Int]) -> Bool
  ) -> Int {
    let scripts = [[Int?]](repeating: Array(repeating: nil, count: turns), count: lanes)
    let strategy = PriorityChanges(depths: depth...depth)
    return IndependentLanes.runs(scripts, Scheduler(.pct, strategy: strategy), count: 4_000)
      .count { isHit($0.order) }
  }

  @Test func `priorities let each lane run to its end unless they change`() {
    let strategy = PriorityChanges(depths: 1...1)
    let runs = IndependentLanes.runs(
      turns(5, 5, 5), Scheduler(.pct, strategy: strategy), count: 6_000)
    #expect(runs.allSatisfy { $0.leaveCount == 0 })
    #expect(imbalance(runs.map(\.order), kinds: 6) < 3_000)
  }
}

@Suite struct `A uniform walk` {
  private let exact = Scheduler(.uniformWalk, strategy: UniformWalk(isJittered: false))

  /// The number of schedules makes the expected count of each interleaving 300. Chi-square with 89
  /// or 59 degrees of freedom is above 150 in less than one of 10,000 cases.
  @Test func `a uniform walk takes every interleaving equally often`() {
    let equal = IndependentLanes.runs(turns(2, 2, 2), exact, count: 27_000)
    #expect(imbalance(equal.map(\.order), kinds: 90) < 15_000)
    let unequal = IndependentLanes.runs(turns(1, 2, 3), exact, count: 18_000)
    #expect(imbalance(unequal.map(\.order), kinds: 60) < 15_000)
  }

  @Test func `a random walk does not take every interleaving equally often`() {
    let random = IndependentLanes.runs(turns(1, 2, 3), Scheduler(.random), count: 18_000)
    #expect(imbalance(random.map(\.order), kinds: 60) > 100_000)
  }

  @Test func `a walk with jitter is less even, and sees more of the extremes`() {
    func isExtreme(_ lanes: IndependentLanes) -> Bool { lanes.order.last == 0 }
    let even = IndependentLanes.runs(turns(1, 30), exact, count: 3_000)
    let jittered = IndependentLanes.runs(turns(1, 30), Scheduler(.uniformWalk), count: 3_000)
    #expect(even.count(where: isExtreme) < 140)
    #expect(jittered.count(where: isExtreme) > 160)
  }
}

@Suite struct `Partial-order sampling` {
  private func share(ofLast scripts: [[Int?]]) -> Int {
    IndependentLanes.runs(scripts, Scheduler(.partialOrder), count: 11_000)
      .count { $0.order.last == 0 }
  }

  /// One turn against ten. The turn's priority is the lowest of eleven in one of eleven schedules.
  /// If the turn draws again each time, it comes last in one of 1024.
  @Test func `partial-order sampling lets only rivals draw again`() {
    let independent = share(ofLast: [[0], Array(repeating: 1, count: 10)])
    #expect(abs(independent - 1_000) < 150, "\(independent)")
    let racing = share(ofLast: [[0], Array(repeating: 0, count: 10)])
    #expect(racing < 40, "\(racing)")
  }

  @Test func `partial-order sampling takes all orders of independent turns equally`() {
    let runs = IndependentLanes.runs(
      [[0], [1], [2], [nil]], Scheduler(.partialOrder), count: 7_200)
    // There are 23 degrees of freedom.
    #expect(imbalance(runs.map(\.order), kinds: 24) < 6_000)
  }
}

@Suite struct `A selective walk` {
  /// Two lanes with two turns each on the queue. One of them has many other turns before.
  private let scripts: [[Int?]] = [
    [0, 0, nil], Array(repeating: nil, count: 12) + [0, 0],
  ]

  @Test func `a selective walk takes every order of selected turns equally often`() {
    let strategy = SelectiveWalk(queue: QueueID(index: 0))
    let runs = IndependentLanes.runs(
      scripts, Scheduler(.selectiveWalk, strategy: strategy), count: 6_000)
    // There are 5 degrees of freedom.
    #expect(imbalance(runs.map(\.orderOnQueues), kinds: 6) < 2_600)
    #expect(runs.allSatisfy { $0.order.count == 17 })
  }

  @Test func `a uniform walk does not take every order of selected turns equally`() {
    let runs = IndependentLanes.runs(scripts, Scheduler(.uniformWalk), count: 6_000)
    #expect(imbalance(runs.map(\.orderOnQueues), kinds: 6) > 100_000)
  }
}
