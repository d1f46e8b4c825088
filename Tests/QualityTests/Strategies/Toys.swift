/// Bugs with the shape of concurrency bugs in apps. Each is between steps that do nothing, and some
/// have unrelated lanes beside them. That makes the bugs rare, because an app does more than its
/// bug.
extension Toy {
  private static func pads(_ count: Int) -> [Instruction] {
    Array(repeating: .pad, count: count)
  }

  private static let padding = pads(3)

  private init(
    _ name: String, _ threads: [[Instruction]], blocks: [[Instruction]] = [], queueCount: Int = 0,
    noise: Int = 4, isHit: @escaping (Run) -> Bool
  ) {
    let noise = Array(repeating: Toy.pads(12), count: noise)
    // Posted blocks are numbered after all threads. The toys rely on four lanes of noise.
    self.init(
      name: name, scripts: noise + threads + blocks, threadCount: noise.count + threads.count,
      queueCount: queueCount, isHit: isHit)
  }

  /// Two lanes increment one number, and one increment is lost. The second lane has much else to do
  /// before.
  static var lostUpdate: Toy {
    let first = [.load(0)] + padding + [.storeNext(0)]
    let second = pads(12) + [.load(0)] + padding + [.storeNext(0)]
    return Toy("lost update", [first, second]) { $0.cells[0] == 1 }
  }

  /// Each of `count` lanes takes a queue and then its neighbour's. The first lane does so after
  /// much else.
  static func deadlock(of count: Int) -> Toy {
    let threads = (0..<count).map { own in
      let next = (own + 1) % count
      return (own == 0 ? pads(12) : []) + [.lock(own)] + padding + [.lock(next), .pad]
        + [.unlock(next), .unlock(own)]
    }
    return Toy("deadlock of \(count) queues", threads, queueCount: count) { $0.isDeadlocked }
  }

  /// One lane saves and posts the merge. Another lane reads after the save and before the merge.
  static var staleMerge: Toy {
    let saver = padding + [.set(0, 1), .post(script: 6, queue: 0)] + padding
    let reader = padding + padding + [.raise(flag: 0, ifCell: 1, is: 0), .load(0)] + padding
    // The reader has missed the saved value if its copy is old although the original is new.
    let check: [Instruction] = [.raise(flag: 1, ifCell: 0, is: 1)]
    return Toy(
      "stale merge", [saver, reader + check], blocks: [[.pad, .set(1, 1)]], queueCount: 1
    ) { $0.flags[0] && $0.flags[1] }
  }

  /// A lane opens a window, closes it and opens another. A second lane must hit both.
  static var twoStepWindow: Toy {
    let opener = padding + [.set(0, 1), .set(0, 2)] + padding + [.set(1, 1), .set(1, 2)] + padding
    let visitor =
      padding + [.raise(flag: 0, ifCell: 0, is: 1)] + padding
      + [.raiseAfter(flag: 1, other: 0, ifCell: 1, is: 1)] + padding
    return Toy("two-step window", [opener, visitor]) { $0.flags[1] }
  }

  /// A lane with one step comes after all the work of three others.
  static var shortBlockLast: Toy {
    let long = pads(12) + [.note(1)]
    return Toy("short block last", [[.note(0)], long, long, long]) { $0.notes == [1, 1, 1, 0] }
  }

  /// Four lanes post a block each, and only one order shows the bug.
  static var exactOrder: Toy {
    let threads = (0..<4).map { padding + [.post(script: 8 + $0, queue: 0)] + padding }
    let blocks = (0..<4).map { [Instruction.note($0)] }
    return Toy("exact order of four posts", threads, blocks: blocks, queueCount: 1) {
      $0.notes == [2, 0, 3, 1]
    }
  }

  /// A lane finishes long work before any of three others begins its work, which would hide the
  /// bug.
  static var undisturbedWork: Toy {
    let work = pads(12) + [.raise(flag: 0, ifCell: 0, is: 0)]
    let other = [.set(0, 1)] + padding
    return Toy("undisturbed work", [work, other, other, other]) { $0.flags[0] }
  }

  static var all: [Toy] {
    [
      lostUpdate, deadlock(of: 2), deadlock(of: 3), staleMerge, twoStepWindow, shortBlockLast,
      exactOrder, undisturbedWork,
    ]
  }
}
