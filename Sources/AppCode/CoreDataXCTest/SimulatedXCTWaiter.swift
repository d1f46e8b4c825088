import CoreData
public import Foundation
public import XCTest

/// Waits for expectations. Replaces `XCTWaiter` in a prepared module.
public final class SimulatedXCTWaiter: @unchecked Sendable {
  /// The result of a wait.
  public typealias Result = XCTWaiter.Result

  /// Creates a waiter.
  public init() {}

  /// The expectations that were fulfilled in the last wait, in the order of their fulfillment.
  public private(set) var fulfilledExpectations: [SimulatedXCTestExpectation] = []

  /// Waits until the expectations decide the result, or the virtual timeout has passed. A
  /// fulfilled inverted expectation and a wrong order end the wait early.
  @discardableResult
  public func wait(
    for expectations: [SimulatedXCTestExpectation], timeout: TimeInterval = .infinity,
    enforceOrder: Bool = false
  ) -> XCTWaiter.Result {
    defer { note(expectations) }
    return SimulatedXCTWaiter.wait(
      for: expectations, timeout: timeout, enforceOrder: enforceOrder)
  }

  /// Waits until the expectations decide the result, or the virtual timeout has passed. A
  /// fulfilled inverted expectation and a wrong order end the wait early.
  @discardableResult
  public static func wait(
    for expectations: [SimulatedXCTestExpectation], timeout: TimeInterval = .infinity,
    enforceOrder: Bool = false
  ) -> XCTWaiter.Result {
    var wait = Wait(expectations, timeout, enforceOrder: enforceOrder)
    wait.begin()
    defer { wait.end() }
    if !wait.isPolled {
      if wait.isPending { wait.event.wait(forMilliseconds: wait.left) }
    } else {
      while let turn = wait.next() { SimulatedMainLoop.run(milliseconds: turn) }
    }
    return wait.result
  }

  /// Suspends the task until all expectations are fulfilled or the virtual timeout has passed.
  @discardableResult
  public nonisolated(nonsending) func fulfillment(
    of expectations: [SimulatedXCTestExpectation], timeout: TimeInterval = .infinity,
    enforceOrder: Bool = false
  ) async -> XCTWaiter.Result {
    let result = await SimulatedXCTWaiter.fulfillment(
      of: expectations, timeout: timeout, enforceOrder: enforceOrder)
    note(expectations)
    return result
  }

  /// Suspends the task until all expectations are fulfilled or the virtual timeout has passed.
  @discardableResult
  public nonisolated(nonsending) static func fulfillment(
    of expectations: [SimulatedXCTestExpectation], timeout: TimeInterval = .infinity,
    enforceOrder: Bool = false
  ) async -> XCTWaiter.Result {
    var wait = Wait(expectations, timeout, enforceOrder: enforceOrder)
    wait.begin()
    defer { wait.end() }
    if !wait.isPolled {
      if wait.isPending { await wait.event.suspendTask(forMilliseconds: wait.left) }
    } else {
      while let turn = wait.next(), !Task.isCancelled {
        try? await SimulatedTasks.sleep(for: .milliseconds(turn))
      }
    }
    return wait.result
  }

  private func note(_ expectations: [SimulatedXCTestExpectation]) {
    fulfilledExpectations = expectations.filter { $0.place != nil }
      .sorted { ($0.place ?? 0) < ($1.place ?? 0) }
  }

  /// A wait for an event or, if an expectation is polled, a sequence of turns of the main run loop.
  /// Each turn is longer than the one before, up to a second.
  struct Wait {
    private let expectations: [SimulatedXCTestExpectation]
    private let enforcesOrder: Bool
    /// The remaining virtual milliseconds.
    private(set) var left: Int
    private var turn = 1

    /// Limits a wait to one hour of virtual time.
    init(
      _ expectations: [SimulatedXCTestExpectation], _ timeout: TimeInterval, enforceOrder: Bool
    ) {
      (self.expectations, enforcesOrder) = (expectations, enforceOrder)
      left = max(0, Int((min(timeout, 3_600) * 1_000).rounded()))
    }

    /// The end of the wait, which the decisive fulfillment signals.
    let event = AwaitedEvent()

    /// A Boolean value that indicates whether the wait has to ask an expectation, because no code
    /// fulfills it.
    var isPolled: Bool { expectations.contains(where: \.isPolled) }

    /// Makes the expectations tell the wait of their fulfillments.
    func begin() {
      for expectation in expectations { expectation.waits.append(self) }
    }

    /// Ends the connection that `begin` made.
    func end() {
      for expectation in expectations { expectation.waits.removeAll { $0.event === event } }
    }

    func noteFulfillment() {
      if !isPending { event.signal() }
    }

    /// A Boolean value that indicates whether the wait goes on.
    var isPending: Bool { left > 0 && (result == .timedOut || waitsForNothing) }

    /// Returns the milliseconds to wait before the next check, or nil if the wait has ended. A wait
    /// for inverted expectations lasts until the timeout, unless one of them is fulfilled.
    mutating func next() -> Int? {
      for expectation in expectations { expectation.evaluate() }
      guard isPending else { return nil }
      defer { turn = min(turn * 2, 1_000) }
      let current = min(turn, left)
      left -= current
      return current
    }

    /// A Boolean value that indicates whether all expected events have happened, while an inverted
    /// expectation could still be fulfilled.
    private var waitsForNothing: Bool {
      result == .completed && expectations.contains(where: \.isInverted)
    }

    /// The result if the wait ended now.
    var result: XCTWaiter.Result {
      if expectations.contains(where: { $0.isInverted && $0.isFulfilled }) {
        return .invertedFulfillment
      }
      let awaited = expectations.filter { !$0.isInverted }
      if enforcesOrder {
        let places = awaited.map { $0.place ?? .max }
        if zip(places, places.dropFirst()).contains(where: { $0 > $1 }) { return .incorrectOrder }
      }
      return awaited.allSatisfy(\.isFulfilled) ? .completed : .timedOut
    }
  }
}
