import SimulatedDispatch
import Testing

@Suite struct `A dispatcher as a value` {
  private struct Base {
    var dispatcher = Dispatcher<Int>()
    let queue: QueueID
    let other: QueueID
    let threads: [LaneID]

    init() {
      queue = dispatcher.makeQueue()
      other = dispatcher.makeQueue()
      threads = [dispatcher.makeThread(), dispatcher.makeThread()]
    }
  }

  private func runBlock(_ dispatcher: inout Dispatcher<Int>, of queue: QueueID) {
    _ = dispatcher.pop(dispatcher.worker(of: queue))
    dispatcher.finishBlock(on: dispatcher.worker(of: queue))
  }

  @Test func `two dispatchers are equal and hashed alike whatever led to their state`() {
    let base = Base()
    let fresh = base.dispatcher
    var used = fresh
    // Rotates the ring of the line by a number that is no multiple of its size.
    for round in 0..<3 {
      for block in 0..<5 { used.async(round + block, on: base.queue) }
      for _ in 0..<5 { runBlock(&used, of: base.queue) }
    }
    #expect(used == fresh && used.hashValue == fresh.hashValue)

    var (left, right) = (used, fresh)
    for block in 0..<4 {
      left.async(block, on: base.queue)
      right.async(block, on: base.queue)
    }
    #expect(left == right && left.hashValue == right.hashValue)
    for _ in 0..<4 {
      #expect(
        left.frames(of: left.worker(of: base.queue))
          == right.frames(of: right.worker(of: base.queue)))
      runBlock(&left, of: base.queue)
      runBlock(&right, of: base.queue)
    }
    #expect(left == fresh && right == fresh)
  }

  @Test func `a dispatcher equals a fresh one after a hundred thousand blocks`() {
    let base = Base()
    var dispatcher = base.dispatcher
    for round in 0..<100 {
      for block in 0..<1_000 { dispatcher.async(round + block, on: base.queue) }
      for _ in 0..<1_000 { runBlock(&dispatcher, of: base.queue) }
    }
    #expect(dispatcher == base.dispatcher)
    #expect(dispatcher.hashValue == base.dispatcher.hashValue)
  }

  @Test func `two dispatchers are equal however the deadlines were entered`() {
    let base = Base()
    var (left, right) = (base.dispatcher, base.dispatcher)
    left.asyncAfter(5, 1, on: base.queue)
    left.asyncAfter(9, 2, on: base.queue)
    left.asyncAfter(5, 3, on: base.queue)
    right.asyncAfter(9, 2, on: base.queue)
    right.asyncAfter(5, 1, on: base.queue)
    right.asyncAfter(5, 3, on: base.queue)
    #expect(left == right && left.hashValue == right.hashValue)
  }

  @Test func `two dispatchers are unequal if any difference between them matters`() {
    let base = Base()
    let (queue, other, threads) = (base.queue, base.other, base.threads)
    var states = [base.dispatcher]
    func add(_ change: (inout Dispatcher<Int>) -> Void) {
      var state = base.dispatcher
      change(&state)
      states.append(state)
    }
    add { $0.async(1, on: queue) }
    add { $0.async(2, on: queue) }
    add { $0.async(1, on: other) }
    add {
      $0.async(1, on: queue)
      $0.async(1, on: queue)
    }
    add {
      $0.async(1, on: queue)
      _ = $0.acquire(queue, for: threads[0])
    }
    add {
      $0.async(1, on: queue)
      _ = $0.acquire(queue, for: threads[0])
      _ = $0.acquire(queue, for: threads[1])
    }
    add {
      $0.async(1, on: queue)
      _ = $0.acquire(queue, for: threads[1])
      _ = $0.acquire(queue, for: threads[0])
    }
    add { _ = $0.acquire(queue, for: threads[0]) }
    add { _ = $0.acquire(queue, for: threads[1]) }
    add {
      _ = $0.acquire(queue, for: threads[0])
      _ = $0.acquire(queue, for: threads[0])
    }
    add { $0.push(1, on: threads[0]) }
    add {
      $0.push(1, on: threads[0])
      $0.push(1, on: threads[0])
    }
    add { $0.noteRan(threads[0]) }
    add { $0.noteRan(threads[1]) }
    add { $0.asyncAfter(5, 1, on: queue) }
    add { $0.asyncAfter(6, 1, on: queue) }
    add {
      $0.asyncAfter(5, 1, on: queue)
      $0.asyncAfter(5, 2, on: queue)
    }
    add {
      $0.asyncAfter(5, 2, on: queue)
      $0.asyncAfter(5, 1, on: queue)
    }
    add { $0.sleep(threads[0], milliseconds: 5) }
    add {
      // The state is the fresh one, but later.
      $0.sleep(threads[0], milliseconds: 5)
      _ = $0.advanceTime()
    }
    add { _ = $0.makeThread() }
    add { _ = $0.makeQueue() }
    for (index, state) in states.enumerated() {
      for (otherIndex, other) in states.enumerated() {
        #expect((state == other) == (index == otherIndex), "\(index) and \(otherIndex)")
      }
    }
    #expect(Set(states.map(\.hashValue)).count == states.count)
  }

  @Test func `a dispatcher releases a block when the block is over`() {
    final class Payload: Hashable, Sendable {
      static func == (left: Payload, right: Payload) -> Bool { left === right }
      func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
    var dispatcher = Dispatcher<Payload>()
    let queue = dispatcher.makeQueue()
    weak var kept: Payload?
    do {
      let payload = Payload()
      kept = payload
      dispatcher.async(Payload(), on: queue)
      dispatcher.async(payload, on: queue)
      dispatcher.async(Payload(), on: queue)
    }
    #expect(kept != nil)
    for _ in 0..<2 {
      _ = dispatcher.pop(dispatcher.worker(of: queue))
      dispatcher.finishBlock(on: dispatcher.worker(of: queue))
    }
    #expect(kept == nil)
  }

  @Test func `a dispatcher is untouched by what happens to its copy`() {
    let base = Base()
    var original = base.dispatcher
    original.async(1, on: base.queue)
    let kept = original
    var copy = original
    runBlock(&copy, of: base.queue)
    copy.async(2, on: base.other)
    copy.asyncAfter(3, 3, on: base.queue)
    _ = copy.acquire(base.queue, for: base.threads[0])
    #expect(original == kept && original != copy)
    #expect(original.frames(of: original.worker(of: base.queue)) == [1])
  }
}
