import Combine
import Foundation
import Testing

@Suite struct `A subject` {
  @Test func `a subject immediately delivers a value that is sent during another delivery`() {
    let subject = PassthroughSubject<Int, Never>()
    let log = Log()
    let sinks = [
      subject.sink {
        log.note("a\($0)")
        if $0 == 1 { subject.send(2) }
      },
      subject.sink { log.note("b\($0)") },
    ]
    subject.send(1)
    #expect(log.events == ["a1", "a2", "b2", "b1"])
    withExtendedLifetime(sinks) {}
  }

  @Test func `a subject has its newest value for later subscribers and requests`() {
    let subject = CurrentValueSubject<Int, Never>(1)
    subject.value = 2
    let asker = Asker<Int, Never>(.none)
    subject.subscribe(asker)
    subject.send(3)
    #expect(asker.values == [])
    asker.subscription?.request(.max(2))
    #expect(asker.values == [3])
    subject.send(4)
    subject.send(5)
    #expect(asker.values == [3, 4] && subject.value == 5)
    subject.send(completion: .finished)
    subject.send(6)
    #expect(subject.value == 5 && asker.completion == .finished)
  }

  @Test func `a subject tells later subscribers that it has ended`() {
    let subject = PassthroughSubject<Int, Never>()
    subject.send(completion: .finished)
    var ends = 0
    let sink = subject.sink { _ in
      ends += 1
    } receiveValue: { _ in
    }
    #expect(ends == 1)
    withExtendedLifetime(sink) {}
  }

  @Test func `a subject is fed by another publisher`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let source = PassthroughSubject<Int, Never>()
    let feed = source.subscribe(subject)
    source.send(7)
    #expect(subject.value == 7)
    feed.cancel()
    source.send(8)
    #expect(subject.value == 7)
  }
}

@Suite struct `A cancellable` {
  @Test func `a cancellable cancels when it is released`() {
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    var held: Set<AnyCancellable> = []
    subject.sink { values.append($0) }.store(in: &held)
    subject.send(1)
    held = []
    subject.send(2)
    #expect(values == [1])
  }

  @Test func `a cancellable releases its closures when it cancels`() {
    final class Owner {}
    var owner: Owner? = Owner()
    weak let known = owner
    let subject = PassthroughSubject<Int, Never>()
    let sink = Subscribers.Sink<Int, Never> { _ in
    } receiveValue: { [owner] _ in
      withExtendedLifetime(owner) {}
    }
    subject.subscribe(sink)
    owner = nil
    #expect(known != nil)
    sink.cancel()
    #expect(known == nil)
  }
}

@Suite struct `A future` {
  @Test func `a future runs its closure once, at once, for all subscribers`() {
    var (runs, promise): (Int, Future<Int, Never>.Promise?) = (0, nil)
    let future = Future<Int, Never> {
      runs += 1
      promise = $0
    }
    #expect(runs == 1)
    var values: [Int] = []
    let sinks = (0..<2).map { number in future.sink { values.append($0 + number) } }
    promise?(.success(10))
    promise?(.success(20))
    let late = future.sink { values.append($0 + 2) }
    #expect(values == [10, 11, 12] && runs == 1)
    withExtendedLifetime((sinks, late)) {}
  }

  @Test func `a deferred future is made for each subscriber`() {
    var runs = 0
    let deferred = Deferred {
      runs += 1
      return Just(runs)
    }
    #expect(runs == 0)
    var values: [Int] = []
    for _ in 0..<2 { _ = deferred.sink { values.append($0) } }
    #expect(values == [1, 2])
  }
}

private class Base: ObservableObject {
  @Published var title = "a"
}

private final class Model: Base {
  @Published var count = 0
}

private final class Plain: ObservableObject {
  var count = 0 { willSet { objectWillChange.send() } }
}

@Suite struct `A published property` {
  @Test func `a published property publishes its new value before the property has it`() {
    let model = Model()
    let log = Log()
    let sink = model.$count.sink { log.note("\(model.count) → \($0)") }
    model.count = 1
    model.count += 1
    #expect(log.events == ["0 → 0", "0 → 1", "1 → 2"] && model.count == 2)
    withExtendedLifetime(sink) {}
  }

  @Test func `a published property ignores a value that a subscriber sets meanwhile`() {
    let model = Model()
    let sink = model.$count.sink { if $0 == 1 { model.count = 2 } }
    model.count = 1
    #expect(model.count == 1)
    withExtendedLifetime(sink) {}
  }

  @Test func `a published property makes its object, and superclasses, announce changes`() {
    let model = Model()
    let log = Log()
    let sinks = [
      model.objectWillChange.sink { log.note("will change \(model.title) \(model.count)") },
      model.$title.sink { log.note($0) },
    ]
    model.title = "b"
    model.count = 1
    #expect(log.events == ["a", "will change a 0", "b", "will change b 0"])
    withExtendedLifetime(sinks) {}
  }

  @Test func `an object without published properties can announce changes`() {
    let plain = Plain()
    var changes = 0
    let sink = plain.objectWillChange.sink { changes += 1 }
    plain.count = 1
    #expect(changes == 1)
    live {
      let plain = Plain()
      let sink = plain.objectWillChange.sink { changes += 1 }
      plain.count = 1
      #expect(changes == 2)
      withExtendedLifetime(sink) {}
    }
    withExtendedLifetime(sink) {}
  }

  @Test func `a publisher sets a published property without a cycle`() {
    let subject = CurrentValueSubject<Int, Never>(5)
    var model: Model? = Model()
    weak let known = model
    let log = Log()
    let sink = model?.$count.sink { log.note("\(known?.count ?? -1) → \($0)") }
    let announced = model?.objectWillChange.sink { log.note("will change") }
    if let model { subject.assign(to: &model.$count) }
    subject.send(6)
    #expect(model?.count == 6)
    #expect(log.events == ["0 → 0", "will change", "0 → 5", "will change", "5 → 6"])
    model = nil
    #expect(known == nil)
    subject.send(7)
    withExtendedLifetime((sink, announced)) {}
  }
}
