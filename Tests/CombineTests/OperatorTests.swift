import Combine
import Testing

private struct Trouble: Error, Equatable {}

/// Requests a number of values at first, and more after each value.
final class Asker<Input, Failure: Error>: Subscriber {
  private let first: Subscribers.Demand
  private let more: (Input) -> Subscribers.Demand
  private(set) var subscription: (any Subscription)?
  private(set) var values: [Input] = []
  private(set) var completion: Subscribers.Completion<Failure>?

  init(_ first: Subscribers.Demand, more: @escaping (Input) -> Subscribers.Demand = { _ in .none })
  {
    (self.first, self.more) = (first, more)
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(first)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    values.append(input)
    return more(input)
  }

  func receive(completion: Subscribers.Completion<Failure>) { self.completion = completion }
}

/// Returns all values of a publisher that has them at once, and its end.
private func result<P: Publisher>(_ publisher: P) -> String {
  var values: [P.Output] = []
  var end = ""
  let sink = publisher.sink {
    switch $0 {
    case .finished: end = " end"
    case .failure: end = " failure"
    }
  } receiveValue: {
    values.append($0)
  }
  defer { sink.cancel() }
  return "\(values)\(end)"
}

@Suite struct `An operator` {
  @Test func `an operator makes, chooses and counts values`() {
    let numbers = (1...5).publisher
    #expect(result(numbers.map { $0 * 2 }) == "[2, 4, 6, 8, 10] end")
    #expect(result(["a", "bc"].publisher.map(\.count)) == "[1, 2] end")
    #expect(result(numbers.filter { $0 > 3 }) == "[4, 5] end")
    #expect(result(numbers.compactMap { $0 == 2 ? nil : $0 }) == "[1, 3, 4, 5] end")
    #expect(result([1, 1, 2, 1].publisher.removeDuplicates()) == "[1, 2, 1] end")
    #expect(result(numbers.scan(0, +)) == "[1, 3, 6, 10, 15] end")
    #expect(result(numbers.reduce(0, +)) == "[15] end")
    #expect(result(numbers.collect()) == "[[1, 2, 3, 4, 5]] end")
    #expect(result(numbers.collect(2)) == "[[1, 2], [3, 4], [5]] end")
    #expect(result(numbers.count()) == "[5] end")
    #expect(result(numbers.contains(3)) == "[true] end")
    #expect(result(numbers.allSatisfy { $0 < 5 }) == "[false] end")
    #expect(result(numbers.ignoreOutput()) == "[] end")
    #expect(result(numbers.max()) == "[5] end")
    #expect(result([nil, 2].publisher.replaceNil(with: 7)) == "[7, 2] end")
  }

  @Test func `an operator takes the first, the last and the values between`() {
    let numbers = (1...5).publisher
    #expect(result(numbers.first()) == "[1] end")
    #expect(result(numbers.first { $0 > 2 }) == "[3] end")
    #expect(result(numbers.last()) == "[5] end")
    #expect(result(numbers.dropFirst(3)) == "[4, 5] end")
    #expect(result(numbers.drop { $0 < 3 }) == "[3, 4, 5] end")
    #expect(result(numbers.prefix(2)) == "[1, 2] end")
    #expect(result(numbers.prefix(0)) == "[] end")
    #expect(result(numbers.prefix { $0 < 3 }) == "[1, 2] end")
    #expect(result(numbers.output(in: 1...2)) == "[2, 3] end")
  }

  @Test func `operators prepend, append and replace publishers`() {
    let numbers = [1, 2].publisher
    #expect(result(numbers.append(3, 4)) == "[1, 2, 3, 4] end")
    #expect(result(numbers.prepend([0])) == "[0, 1, 2] end")
    #expect(result(Empty<Int, Never>().replaceEmpty(with: 7)) == "[7] end")
    #expect(result(numbers.replaceEmpty(with: 7)) == "[1, 2] end")
    let failing = numbers.setFailureType(to: Trouble.self).append(Fail(error: Trouble()))
    #expect(result(failing) == "[1, 2] failure")
    #expect(result(failing.replaceError(with: 9)) == "[1, 2, 9] end")
    #expect(result(failing.catch { _ in Just(8) }) == "[1, 2, 8] end")
    #expect(result(failing.retry(2)) == "[1, 2, 1, 2, 1, 2] failure")
    #expect(result(failing.tryCatch { _ -> Just<Int> in throw Trouble() }) == "[1, 2] failure")
    #expect(result(numbers.tryMap { if $0 == 2 { throw Trouble() } else { $0 } }) == "[1] failure")
    #expect(
      result(numbers.flatMap { Array(repeating: $0, count: $0).publisher }) == "[1, 2, 2] end")
  }

  @Test func `an operator requests what its subscriber requests`() {
    var asked: [String] = []
    let watched = (1...9).publisher.handleEvents(receiveRequest: { asked.append("\($0)") })
    let asker = Asker<Int, Never>(.max(2)) { $0 == 2 ? .max(1) : .none }
    watched.map { $0 }.filter { $0 != 1 }.subscribe(asker)
    #expect(asker.values == [2, 3, 4] && asked == ["max(2)"])
    asker.subscription?.request(.max(1))
    #expect(asker.values == [2, 3, 4, 5] && asker.completion == nil)
    let arrays = Asker<[Int], Never>(.max(1))
    watched.collect(4).subscribe(arrays)
    #expect(arrays.values == [[1, 2, 3, 4]] && asked.last == "max(4)")
  }

  @Test func `an operator gives a subscriber no more values than it requests`() {
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let merged = Asker<Int, Never>(.max(2))
    a.merge(with: b).subscribe(merged)
    for number in 1...3 {
      a.send(number)
      b.send(-number)
    }
    #expect(merged.values == [1, -1])
    // Each upstream has one value that waits. No further values were requested.
    merged.subscription?.request(.max(5))
    #expect(merged.values == [1, -1, 2, -2])
    let appended = Asker<Int, Never>(.max(3))
    [1, 2].publisher.append(3, 4).subscribe(appended)
    #expect(appended.values == [1, 2, 3] && appended.completion == nil)
    let single = Asker<Int, Never>(.none)
    (1...3).publisher.reduce(0, +).subscribe(single)
    #expect(single.values == [])
    single.subscription?.request(.max(1))
    #expect(single.values == [6] && single.completion == .finished)
  }

  @Test func `an operator stops if its subscriber cancels during a value`() {
    let subject = PassthroughSubject<Int, Never>()
    var (values, ends): ([Int], Int) = ([], 0)
    var cancellable: AnyCancellable?
    cancellable = subject.map { $0 }.prefix(2).sink { _ in
      ends += 1
    } receiveValue: {
      values.append($0)
      if $0 == 2 { cancellable?.cancel() }
    }
    for number in 1...3 { subject.send(number) }
    #expect(values == [1, 2] && ends == 0)
  }

  @Test func `an operator completes after the first value, and cancels its publisher`() {
    let subject = PassthroughSubject<Int, Never>()
    let log = Log()
    let sink = subject.handleEvents(receiveCancel: { log.note("cancel") }).first()
      .sink {
        log.note($0)
      } receiveValue: {
        log.note($0)
      }
    subject.send(1)
    subject.send(2)
    #expect(log.events == ["cancel", "1", "finished"])
    withExtendedLifetime(sink) {}
  }

  @Test func `an operator can begin or end at the value of another publisher`() {
    let (values, other) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let log = Log()
    let sinks = [
      values.drop(untilOutputFrom: other).sink { log.note("after \($0)") },
      values.prefix(untilOutputFrom: other).sink { log.note("before \($0)") },
    ]
    values.send(1)
    other.send(0)
    values.send(2)
    #expect(log.events == ["before 1", "after 2"])
    withExtendedLifetime(sinks) {}
  }
}

@Suite struct `Several publishers` {
  @Test func `combined publishers have their newest values once each has one`() {
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<String, Never>())
    let log = Log()
    let sink = a.combineLatest(b) { "\($0)\($1)" }
      .sink {
        log.note($0)
      } receiveValue: {
        log.note($0)
      }
    a.send(1)
    a.send(2)
    b.send("a")
    b.send("b")
    a.send(completion: .finished)
    b.send("c")
    b.send(completion: .finished)
    #expect(log.events == ["2a", "2b", "2c", "finished"])
    withExtendedLifetime(sink) {}
  }

  @Test func `combined publishers have their newest values for a later request`() {
    let (a, b) = (CurrentValueSubject<Int, Never>(1), CurrentValueSubject<Int, Never>(10))
    let asker = Asker<Int, Never>(.max(1))
    a.combineLatest(b, +).subscribe(asker)
    #expect(asker.values == [11])
    a.send(2)
    a.send(3)
    #expect(asker.values == [11])
    asker.subscription?.request(.max(1))
    #expect(asker.values == [11, 13])
  }

  @Test func `publishers are zipped in order`() {
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let log = Log()
    let sink = a.zip(b).sink {
      log.note($0)
    } receiveValue: {
      log.note("\($0)")
    }
    a.send(1)
    a.send(2)
    b.send(3)
    a.send(completion: .finished)
    b.send(4)
    b.send(5)
    #expect(log.events == ["(1, 3)", "(2, 4)", "finished"])
    withExtendedLifetime(sink) {}
  }

  @Test func `publishers are switched, and the one before is cancelled`() {
    let outer = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let log = Log()
    let sink = outer.map { $0.handleEvents(receiveCancel: { log.note("cancel") }) }
      .switchToLatest().sink {
        log.note($0)
      } receiveValue: {
        log.note($0)
      }
    outer.send(a)
    a.send(1)
    outer.send(b)
    a.send(2)
    b.send(3)
    outer.send(completion: .finished)
    b.send(4)
    b.send(completion: .finished)
    #expect(log.events == ["1", "cancel", "3", "4", "finished"])
    withExtendedLifetime(sink) {}
  }

  @Test func `publishers are flattened up to a maximum at a time`() {
    let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
    let log = Log()
    let sink = subjects.indices.publisher.flatMap(maxPublishers: .max(1)) { index in
      log.note("begin \(index)")
      return subjects[index]
    }.sink { log.note($0) }
    subjects[1].send(0)
    subjects[0].send(1)
    subjects[0].send(completion: .finished)
    subjects[1].send(2)
    #expect(log.events == ["begin 0", "1", "begin 1", "2"])
    withExtendedLifetime(sink) {}
  }

  @Test func `several subscribers share one subscription`() {
    let subject = PassthroughSubject<Int, Never>()
    let log = Log()
    let shared = subject.handleEvents(
      receiveSubscription: { _ in log.note("subscribe") }, receiveCancel: { log.note("cancel") }
    ).share()
    var sinks = [shared.sink { log.note("a\($0)") }, shared.sink { log.note("b\($0)") }]
    subject.send(1)
    sinks.removeLast()
    subject.send(2)
    sinks.removeLast()
    subject.send(3)
    sinks = [shared.sink { log.note("c\($0)") }]
    subject.send(4)
    #expect(
      log.events == ["subscribe", "a1", "b1", "a2", "cancel", "subscribe", "c4"])
    withExtendedLifetime(sinks) {}
  }
}
