import CoreData
public import Foundation
public import XCTest

/// Waits for expectations: takes the place of `XCTWaiter` in a prepared module.
public final class SimulatedXCTWaiter: @unchecked Sendable {
  /// What a wait came to.
  public typealias Result = XCTWaiter.Result

  /// A waiter.
  public init() {}

  /// What the last wait has seen happen, in the order in which it did.
  public private(set) var fulfilledExpectations: [SimulatedXCTestExpectation] = []

  /// Waits until all are fulfilled, or so much virtual time has passed.
  @discardableResult
  public func wait(
    for expectations: [SimulatedXCTestExpectation], timeout: TimeInterval = .infinity,
    enforceOrder: Bool = false
  ) -> XCTWaiter.Result {
    defer { note(expectations) }
    return SimulatedXCTWaiter.wait(
      for: expectations, timeout: timeout, enforceOrder: enforceOrder)
  }

  /// Likewise.
  @discardableResult
  public static func wait(
    for expectations: [SimulatedXCTestExpectation], timeout: TimeInterval = .infinity,
    enforceOrder: Bool = false
  ) -> XCTWaiter.Result {
    var wait = Wait(expectations, timeout, enforceOrder: enforceOrder)
    while let turn = wait.next() { SimulatedMainLoop.run(milliseconds: turn) }
    return wait.result
  }

  /// Has a task wait.
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

  /// Likewise.
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

  /// Turns of the main run loop, each longer than the one before.
  private struct Wait {
    private let expectations: [SimulatedXCTestExpectation]
    private let enforcesOrder: Bool
    /// In virtual milliseconds.
    private var left: Int
    private var turn = 1

    /// A wait without end is one of an hour.
    init(
      _ expectations: [SimulatedXCTestExpectation], _ timeout: TimeInterval, enforceOrder: Bool
    ) {
      (self.expectations, enforcesOrder) = (expectations, enforceOrder)
      left = max(0, Int((min(timeout, 3_600) * 1_000).rounded()))
    }

    /// For how long to wait before looking again; nil if there is nothing more to wait for, or no
    /// time. Inverted expectations are waited for to the end, unless one has happened.
    mutating func next() -> Int? {
      for expectation in expectations { expectation.look() }
      guard left > 0, result == .timedOut || waitsForNothing else { return nil }
      defer { turn = min(turn * 2, 1_000) }
      let current = min(turn, left)
      left -= current
      return current
    }

    /// Whether all that may happen has happened, and what may not can still come.
    private var waitsForNothing: Bool {
      result == .completed && expectations.contains(where: \.isInverted)
    }

    /// What it would come to now.
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
