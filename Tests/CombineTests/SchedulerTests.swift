import Combine
import CoreData
import Determinism
import Foundation
import LiveCode
import Testing

@Suite struct `A scheduler` {
  private func time() -> Int { Int(SimulatedDispatchTime.now().uptimeNanoseconds / 1_000_000) }

  @Test func `a scheduler delivers a value when no other follows for a while`() {
    live {
      let subject = PassthroughSubject<Int, Never>()
      let log = Log()
      let sink = subject.debounce(for: .milliseconds(300), scheduler: SimulatedDispatchQueue.main)
        .sink { log.note("\($0) at \(time())") }
      for (number, pause) in [(1, 0.1), (2, 0.2), (3, 0.5), (4, 1)] {
        subject.send(number)
        goOn(seconds: pause)
      }
      #expect(log.events == ["3 at 600", "4 at 1100"])
      withExtendedLifetime(sink) {}
    }
  }

  @Test(arguments: [(true, "1 at 0,3 at 300,4 at 600"), (false, "1 at 0,2 at 300,4 at 600")])
  func `a scheduler delivers one value in each interval`(latest: Bool, expected: String) {
    live {
      let subject = PassthroughSubject<Int, Never>()
      let log = Log()
      let sink = subject.throttle(
        for: 0.3, scheduler: SimulatedDispatchQueue.main, latest: latest
      ).sink { log.note("\($0) at \(time())") }
      for (number, pause) in [(1, 0.1), (2, 0.1), (3, 0.2), (4, 1)] {
        subject.send(number)
        goOn(seconds: pause)
      }
      #expect(log.events.joined(separator: ",") == expected)
      withExtendedLifetime(sink) {}
    }
  }

  @Test func `a scheduler delays values in order, and ends a publisher after a timeout`() {
    live {
      let subject = PassthroughSubject<Int, Never>()
      let log = Log()
      let sinks = [
        subject.delay(for: .seconds(1), scheduler: SimulatedRunLoop.main)
          .sink {
            log.note("\($0) at \(time())")
          } receiveValue: {
            log.note("\($0) at \(time())")
          },
        subject.timeout(.seconds(2), scheduler: SimulatedDispatchQueue.main)
          .sink {
            log.note("\($0) too late at \(time())")
          } receiveValue: { _ in
          },
      ]
      subject.send(1)
      subject.send(2)
      goOn(seconds: 4)
      subject.send(completion: .finished)
      goOn()
      #expect(
        log.events == [
          "1 at 1000", "2 at 1000", "finished too late at 2000", "finished at 5000",
        ])
      withExtendedLifetime(sinks) {}
    }
  }

  /// The values of each subscription come in order. A seed decides which subscription goes first.
  @Test func `a scheduler orders the values of two subscribers in many ways`() {
    var orders: Set<[String]> = []
    for seed in 0..<40 as Range<UInt64> {
      let log = Log()
      live(seed: seed) {
        let subject = PassthroughSubject<Int, Never>()
        let queues = ["a", "b"].map { SimulatedDispatchQueue(label: $0) }
        let sinks = queues.map { queue in
          subject.receive(on: queue).sink { log.note("\(queue.label)\($0)") }
        }
        for number in 1...2 { subject.send(number) }
        goOn()
        withExtendedLifetime(sinks) {}
      }
      for label in ["a", "b"] {
        #expect(log.events.filter { $0.hasPrefix(label) } == ["\(label)1", "\(label)2"])
      }
      orders.insert(log.events)
    }
    #expect(orders.count > 3)
  }

  @Test func `a scheduler delivers nothing to a subscriber that has cancelled`() {
    live {
      let subject = PassthroughSubject<Int, Never>()
      var values: [Int] = []
      let sink = subject.receive(on: SimulatedDispatchQueue.main).sink { values.append($0) }
      subject.send(1)
      goOn()
      subject.send(2)
      sink.cancel()
      goOn()
      #expect(values == [1])
    }
  }

  @Test func `a publisher subscribes and delivers on the given schedulers`() {
    live {
      let log = Log()
      let queue = SimulatedDispatchQueue(label: "work")
      let operations = SimulatedOperationQueue()
      let sink = Deferred {
        log.note(SimulatedThread.isMainThread)
        return Just(1)
      }.subscribe(on: queue).receive(on: operations).receive(on: SimulatedRunLoop.main).sink {
        log.note("\($0) \(SimulatedThread.isMainThread)")
      }
      #expect(log.events == [])
      goOn()
      #expect(log.events == ["false", "1 true"])
      withExtendedLifetime(sink) {}
    }
  }

  @Test func `a scheduler calls repeatedly until it is cancelled`() {
    live {
      var dates: [Date] = []
      let sink = SimulatedTimer.publish(every: 1, on: .main, in: .common).autoconnect()
        .sink { dates.append($0) }
      goOn(seconds: 3.5)
      sink.cancel()
      goOn(seconds: 3.5)
      #expect(dates.count == 3)
      var count = 0
      let repetition = SimulatedDispatchQueue.main.schedule(
        after: SimulatedDispatchQueue.main.now.advanced(by: .seconds(1)), interval: .seconds(1)
      ) { count += 1 }
      goOn(seconds: 2.5)
      repetition.cancel()
      goOn(seconds: 2.5)
      #expect(count == 2)
    }
  }

  @Test func `a publisher hands values to a task, one at a time`() {
    live {
      let subject = PassthroughSubject<Int, Never>()
      let log = Log()
      let values = SimulatedUnchecked(
        subject.buffer(
          size: 9, prefetch: .byRequest, whenFull: .dropNewest
        ).values)
      Task { @MainActor in
        for await value in values.value { log.note(value) }
        log.note("end")
      }
      goOn()
      for number in 1...3 { subject.send(number) }
      goOn()
      subject.send(completion: .finished)
      goOn()
      #expect(log.events == ["1", "2", "3", "end"])
    }
  }

  @Test func `a task that leaves the loop over values cancels its subscription`() {
    live {
      let subject = PassthroughSubject<Int, Never>()
      let log = Log()
      let values = SimulatedUnchecked(
        subject.handleEvents(receiveCancel: { log.note("cancel") }).values)
      Task { @MainActor in
        for await value in values.value {
          log.note(value)
          break
        }
        log.note("left")
      }
      goOn()
      subject.send(1)
      goOn()
      #expect(log.events == ["1", "cancel", "left"])
    }
  }
}

/// Carries a value into a task of the run, which has one thread at a time.
private struct SimulatedUnchecked<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
