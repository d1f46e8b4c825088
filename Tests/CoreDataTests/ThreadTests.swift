import CoreData
import Foundation
import LiveCode
import Testing

/// The virtual time in milliseconds.
private var now: UInt64 { SimulatedDispatchTime.now().uptimeNanoseconds / 1_000_000 }

@Suite struct `A thread of the app` {
  @Test func `the body and blocks of the main queue run on the main thread`() {
    var isMain: [String: Bool] = [:]
    let outcome = live {
      isMain["body"] = SimulatedThread.isMainThread
      #expect(SimulatedThread.current === SimulatedThread.main)
      SimulatedDispatchQueue.main.async {
        isMain["main queue"] = SimulatedThread.isMainThread
        #expect(SimulatedThread.current === SimulatedThread.main)
        #expect(SimulatedThread.current.isMainThread)
      }
      SimulatedDispatchQueue.global().async {
        isMain["global queue"] = SimulatedThread.isMainThread
        #expect(SimulatedThread.current !== SimulatedThread.main)
        #expect(!SimulatedThread.current.isMainThread)
        SimulatedDispatchQueue.main.sync { isMain["sync"] = SimulatedThread.isMainThread }
      }
      SimulatedDispatchQueue(label: "work").async {
        isMain["serial queue"] = SimulatedThread.isMainThread
      }
      SimulatedMainLoop.run(milliseconds: 10)
    }
    #expect(
      isMain == [
        "body": true, "main queue": true, "sync": true, "global queue": false,
        "serial queue": false,
      ])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `each thread has its own dictionary of values`() {
    var found: [String?] = []
    let outcome = live {
      func note() -> String? { SimulatedThread.current.threadDictionary["title"] as? String }
      SimulatedThread.current.threadDictionary["title"] = "main"
      SimulatedDispatchQueue.main.async { found.append(note()) }
      for number in 1...2 {
        SimulatedDispatchQueue.global().async {
          found.append(note())
          SimulatedThread.current.threadDictionary["title"] = "block \(number)"
          SimulatedThread.sleep(forTimeInterval: 0.01)
          found.append(note())
        }
        SimulatedMainLoop.run(milliseconds: 20)
      }
      found.append(note())
    }
    #expect(found == ["main", nil, "block 1", nil, "block 2", "main"])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a thread runs its block after it is started`() {
    let log = EventLog()
    let outcome = live {
      let thread = SimulatedThread {
        log.note(SimulatedThread.current.name ?? "")
        SimulatedThread.sleep(until: SimulatedValues.date.addingTimeInterval(0.25))
        log.note("\(now)")
      }
      thread.name = "import"
      SimulatedMainLoop.run(milliseconds: 1)
      #expect(log.events.isEmpty)
      thread.start()
      SimulatedMainLoop.run(milliseconds: 100)
      #expect(log.events == ["import"] && !thread.isFinished)
      thread.cancel()
      #expect(thread.isCancelled)
      SimulatedThread.sleep(forTimeInterval: 1)
      #expect(thread.isFinished)
      SimulatedThread.detachNewThread { log.note("detached \(SimulatedThread.isMainThread)") }
    }
    #expect(log.events == ["import", "251", "detached false"])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }
}

@Suite struct `A timer of the app` {
  private final class Target {
    var calls: [String] = []
    func tick(_ timer: SimulatedTimer) { calls.append("\(timer.userInfo ?? "") \(now)") }
  }

  @Test func `a timer that does not repeat fires once`() {
    var fired: [UInt64] = []
    let outcome = live {
      let timer = SimulatedTimer.scheduledTimer(withTimeInterval: 0.01, repeats: false) { timer in
        #expect(SimulatedThread.isMainThread)
        #expect(!timer.isValid)
        fired.append(now)
      }
      SimulatedMainLoop.run(milliseconds: 9)
      #expect(timer.isValid && fired.isEmpty)
      SimulatedMainLoop.run(milliseconds: 50)
      #expect(!timer.isValid)
      timer.fire()
    }
    #expect(fired == [10])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a repeating timer fires until it is invalidated`() {
    var fired: [UInt64] = []
    let outcome = live {
      let timer = SimulatedTimer.scheduledTimer(withTimeInterval: 0.01, repeats: true) { timer in
        fired.append(now)
        if fired.count == 3 { timer.invalidate() }
      }
      SimulatedMainLoop.run(milliseconds: 25)
      #expect(fired == [10, 20] && timer.isValid)
      SimulatedMainLoop.run(milliseconds: 25)
      #expect(!timer.isValid)
    }
    #expect(fired == [10, 20, 30])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a repeating timer does not keep a run alive after its body returns`() {
    var fired = 0
    let outcome = live {
      SimulatedTimer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in fired += 1 }
        .tolerance = 0.1
    }
    #expect(fired == 1)
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a timer passes itself to the method that it calls`() {
    let outcome = live {
      let target = Target()
      let timer = SimulatedTimer.scheduledTimer(
        timeInterval: 0.002, target: target, selector: SimulatedSelector(Target.tick(_:)),
        userInfo: "saving", repeats: true)
      SimulatedMainLoop.run(milliseconds: 5)
      timer.invalidate()
      SimulatedMainLoop.run(milliseconds: 5)
      #expect(target.calls == ["saving 2", "saving 4"])
    }
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a timer fires first at its date, and then after each interval`() {
    let outcome = live {
      let target = Target()
      let timer = SimulatedTimer(
        fireAt: SimulatedValues.date.addingTimeInterval(0.01), interval: 0.002, target: target,
        selector: SimulatedSelector(Target.tick(_:)), userInfo: "saving", repeats: true)
      SimulatedRunLoop.main.add(timer, forMode: .common)
      SimulatedMainLoop.run(milliseconds: 13)
      timer.invalidate()
      #expect(target.calls == ["saving 10", "saving 12"])
    }
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `a timer fires only after it is added to a run loop`() {
    var fired: [UInt64] = []
    let outcome = live {
      let timer = SimulatedTimer(timeInterval: 0.01, repeats: false) { _ in fired.append(now) }
      SimulatedMainLoop.run(milliseconds: 20)
      #expect(fired.isEmpty)
      SimulatedRunLoop.main.add(timer, forMode: .common)
      SimulatedMainLoop.run(milliseconds: 20)
    }
    #expect(fired == [30])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }
}

@Suite struct `The main run loop` {
  @Test func `the main run loop advances virtual time and runs other blocks`() {
    let log = EventLog()
    let outcome = live {
      let start = SimulatedValues.date
      SimulatedRunLoop.main.perform { log.note("performed \(now)") }
      SimulatedDispatchQueue.global().asyncAfter(deadline: .now() + 0.5) {
        log.note("later \(now)")
      }
      #expect(log.events.isEmpty)
      SimulatedRunLoop.current.run(until: start.addingTimeInterval(0.2))
      #expect(log.events == ["performed 0"])
      #expect(now == 200)
      SimulatedRunLoop.current.run(until: start.addingTimeInterval(0.75))
      #expect(abs(SimulatedValues.date.timeIntervalSince(start) - 0.75) < 0.000_1)
    }
    #expect(log.events == ["performed 0", "later 500"])
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }

  @Test func `code can turn the main run loop until a block has set a flag`() {
    var (isDone, turns) = (false, 0)
    let outcome = live {
      SimulatedDispatchQueue.main.asyncAfter(deadline: .now() + 0.1) { isDone = true }
      while !isDone, turns < 1_000 {
        SimulatedRunLoop.current.run(mode: .default, before: .distantFuture)
        turns += 1
      }
    }
    #expect(isDone && turns > 1)
    #expect(outcome.stop == nil)
    #expect(outcome.disagreement == nil)
  }
  @Test func `a run loop of another thread has no sources and ends at once`() {
    let log = EventLog()
    let outcome = live {
      SimulatedDispatchQueue.global().async {
        let loop = SimulatedRunLoop.current
        loop.run(until: SimulatedValues.date.addingTimeInterval(5))
        log.note("\(loop.run(mode: .default, before: .distantFuture)) \(now)")
      }
    }
    #expect(log.events == ["false 0"])
    #expect(outcome.stop == nil && outcome.trap == nil)
    let trapped = live {
      SimulatedDispatchQueue.global().async { SimulatedRunLoop.current.perform {} }
    }
    #expect(trapped.trap?.contains("only on the main thread") == true)
  }
}
