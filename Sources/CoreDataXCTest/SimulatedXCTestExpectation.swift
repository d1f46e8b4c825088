import CoreData
public import Foundation
public import XCTest

/// Something that has to happen in a test: takes the place of `XCTestExpectation` in a prepared
/// module.
public final class SimulatedXCTestExpectation: XCTestExpectation, @unchecked Sendable {
  private var fulfillments = 0
  private var token: (any NSObjectProtocol)?
  /// What has to become true, if nothing is to call `fulfill`.
  var condition: (() -> Bool)?

  /// Says that it has happened.
  public override func fulfill(_ file: StaticString = #file, line: Int = #line) {
    fulfillments += 1
    if let token { SimulatedNotificationCenter.default.removeObserver(token) }
    token = nil
    guard assertForOverFulfill, fulfillments > expectedFulfillmentCount else { return }
    XCTFail("\(expectationDescription) is fulfilled more often than expected")
  }

  func observe(
    _ name: Notification.Name, from object: Any?, _ handler: ((Notification) -> Bool)?
  ) {
    token = SimulatedNotificationCenter.default.addObserver(
      forName: name, object: object, queue: nil
    ) { [weak self] notification in
      if handler?(notification) ?? true { self?.fulfill() }
    }
  }

  /// Whether there is nothing more to wait for.
  var isFulfilled: Bool {
    if let condition { return condition() }
    return fulfillments >= expectedFulfillmentCount
  }

  /// Whether it is as it should be when the time is over.
  var isSatisfied: Bool { isFulfilled != isInverted }
}

/// Waits for expectations: takes the place of `XCTWaiter` in a prepared module.
public final class SimulatedXCTWaiter {
  /// A waiter.
  public init() {}

  /// Waits until all are fulfilled, or so much virtual time has passed.
  @discardableResult
  public func wait(
    for expectations: [SimulatedXCTestExpectation], timeout: TimeInterval
  ) -> XCTWaiter.Result {
    SimulatedXCTWaiter.wait(for: expectations, timeout: timeout)
  }

  /// Likewise.
  @discardableResult
  public static func wait(
    for expectations: [SimulatedXCTestExpectation], timeout: TimeInterval
  ) -> XCTWaiter.Result {
    waits(for: expectations, timeout) ? .completed : .timedOut
  }

  /// Turns of the main run loop, each longer than the one before. Inverted expectations are waited
  /// for to the end.
  static func waits(
    for expectations: [SimulatedXCTestExpectation], _ timeout: TimeInterval
  ) -> Bool {
    var turns = Turns(timeout)
    while let turn = turns.next(expectations) { SimulatedMainLoop.run(milliseconds: turn) }
    return expectations.allSatisfy(\.isSatisfied)
  }

  /// Likewise, for a task.
  nonisolated(nonsending) static func fulfills(
    _ expectations: [SimulatedXCTestExpectation], _ timeout: TimeInterval
  ) async -> Bool {
    var turns = Turns(timeout)
    while let turn = turns.next(expectations), !Task.isCancelled {
      try? await SimulatedTasks.sleep(for: .milliseconds(turn))
    }
    return expectations.allSatisfy(\.isSatisfied)
  }

  /// For how long to wait before looking again, in virtual milliseconds.
  private struct Turns {
    private var left: Int
    private var turn = 1

    /// A wait without end is one of an hour.
    init(_ timeout: TimeInterval) {
      left = max(0, Int((min(timeout, 3_600) * 1_000).rounded()))
    }

    /// Nil if there is nothing more to wait for, or no time.
    mutating func next(_ expectations: [SimulatedXCTestExpectation]) -> Int? {
      guard left > 0, expectations.contains(where: { $0.isInverted || !$0.isFulfilled }) else {
        return nil
      }
      defer { turn = min(turn * 2, 1_000) }
      let current = min(turn, left)
      left -= current
      return current
    }
  }
}
