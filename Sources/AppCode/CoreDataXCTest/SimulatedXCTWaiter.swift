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

  /// Waits until all expectations are fulfilled or the virtual timeout has passed.
  @discardableResult
  public func wait(
    for expectations: [SimulatedXCTestExpectation], timeout: TimeInterval = .infinity,
    enforceOrder: Bool = false
  ) -> XCTWaiter.Result {
    defer { note(expectations) }
    return SimulatedXCTWaiter.wait(
      for: expectations, timeout: timeout, enforceOrder: enforceOrder)
  }

  /// Waits until all expectations are fulfilled or the virtual timeout has passed.
  @discardableResult
  public static func wait(
    for expectations: [SimulatedXCTestExpectation], timeout: TimeInterval = .infinity,
    enforceOrder: Bool = false
  ) -> XCTWaiter.Result {
    var wait = Wait(expectations, timeout, enforceOrder: enforceOrder)
    while let turn = wait.next() { SimulatedMainLoop.run(milliseconds: turn) }
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
    while let turn = wait.next(), !Task.isCancelled {
      try? await SimulatedTasks.sleep(for: .milliseconds(turn))
    }
    return wait.result
  }

  private func note(_ expectations: [SimulatedXCTestExpectation]) {
    fulfilledExpectations = expectations.filter { $0.place != nil }
      .sorted { ($0.place ?? 0) < ($1.place ?? 0) }
  }

  /// A sequence of turns of the main run loop. Each turn is longer than the one before, up to a
  /// second.
  private struct Wait {
    private let expectations: [SimulatedXCTestExpectation]
    private let enforcesOrder: Bool
    /// The remaining virtual milliseconds.
    private var left: Int
    private var turn = 1

    /// Limits a wait to one hour of virtual time.
    init(
      _ expectations: [SimulatedXCTestExpectation], _ timeout: TimeInterval, enforceOrder: Bool
    ) {
      (self.expectations, enforcesOrder) = (expectations, enforceOrder)
      left = max(0, Int((min(timeout, 3_600) * 1_000).rounded()))
    }

    /// Returns the milliseconds to wait before the next check, or nil if the wait has ended. A wait
    /// for inverted expectations lasts until the timeout, unless one of them is fulfilled.
    mutating func next() -> Int? {
      for expectation in expectations { expectation.evaluate() }
      guard left > 0, result == .timedOut || waitsForNothing else { return nil }
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
