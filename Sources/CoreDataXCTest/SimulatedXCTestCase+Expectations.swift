public import CoreData
public import Foundation
import XCTest

/// Expectations of a test, and waiting for them.
extension SimulatedXCTestCase {
  /// An expectation that the test fulfills.
  public func expectation(description: String) -> SimulatedXCTestExpectation {
    keep(SimulatedXCTestExpectation(description: description))
  }

  /// An expectation that a notification fulfills, if `handler` finds that it is the right one.
  @discardableResult
  public func expectation(
    forNotification name: Notification.Name, object: Any?,
    notificationCenter: SimulatedNotificationCenter = .default,
    handler: SimulatedXCTNSNotificationExpectation.Handler? = nil
  ) -> SimulatedXCTestExpectation {
    let expectation = SimulatedXCTNSNotificationExpectation(
      name: name, object: object, notificationCenter: notificationCenter)
    expectation.handler = handler
    return keep(expectation)
  }

  /// Likewise, with the name as text.
  @discardableResult
  public func expectation(
    forNotification name: String, object: Any?,
    handler: SimulatedXCTNSNotificationExpectation.Handler? = nil
  ) -> SimulatedXCTestExpectation {
    expectation(forNotification: Notification.Name(name), object: object, handler: handler)
  }

  /// An expectation that an object fulfills once the predicate is true of it.
  @discardableResult
  public func expectation(
    for predicate: NSPredicate, evaluatedWith object: Any? = nil,
    handler: SimulatedXCTNSPredicateExpectation.Handler? = nil
  ) -> SimulatedXCTestExpectation {
    let expectation = SimulatedXCTNSPredicateExpectation(predicate: predicate, object: object)
    expectation.handler = handler
    return keep(expectation)
  }

  /// An expectation that a property changes, if `handler` finds that it is the right change.
  @discardableResult
  public func keyValueObservingExpectation(
    for object: Any, keyPath: String, handler: SimulatedXCTKVOExpectation.Handler? = nil
  ) -> SimulatedXCTestExpectation {
    let expectation = SimulatedXCTKVOExpectation(
      keyPath: keyPath, object: object, options: [.new, .old])
    expectation.handler = handler
    return keep(expectation)
  }

  /// An expectation that a property becomes equal to a value.
  @discardableResult
  public func keyValueObservingExpectation(
    for object: Any, keyPath: String, expectedValue: Any?
  ) -> SimulatedXCTestExpectation {
    keep(
      SimulatedXCTKVOExpectation(keyPath: keyPath, object: object, expectedValue: expectedValue))
  }

  private func keep<Expectation: SimulatedXCTestExpectation>(
    _ expectation: Expectation
  ) -> Expectation {
    expectations.append(expectation)
    return expectation
  }

  /// Lets everything go on until all expectations of the test are fulfilled, or so much virtual
  /// time has passed. A failure is reported where it is called.
  public func waitForExpectations(
    timeout: TimeInterval, file: StaticString = #filePath, line: UInt = #line
  ) {
    let waited = expectations
    expectations = []
    complain(SimulatedXCTWaiter.wait(for: waited, timeout: timeout), waited, timeout, file, line)
  }

  /// Likewise, and calls `handler` with an error if they are not fulfilled. The compiler takes it
  /// for another one if it has more parameters, so that a failure does not know its line.
  public func waitForExpectations(
    timeout: TimeInterval, handler: (((any Error)?) -> Void)?
  ) {
    let waited = expectations
    expectations = []
    let result = SimulatedXCTWaiter.wait(for: waited, timeout: timeout)
    complain(result, waited, timeout, #filePath, #line)
    handler?(
      result == .completed
        ? nil
        : NSError(domain: XCTestErrorDomain, code: XCTestError.Code.timeoutWhileWaiting.rawValue))
  }

  /// Waits for these expectations.
  public func wait(
    for expectations: [SimulatedXCTestExpectation], timeout: TimeInterval = .infinity,
    enforceOrder: Bool = false, file: StaticString = #filePath, line: UInt = #line
  ) {
    forget(expectations)
    complain(
      SimulatedXCTWaiter.wait(for: expectations, timeout: timeout, enforceOrder: enforceOrder),
      expectations, timeout, file, line)
  }

  /// Has the task of a test wait for these expectations.
  public nonisolated(nonsending) func fulfillment(
    of expectations: [SimulatedXCTestExpectation], timeout: TimeInterval = .infinity,
    enforceOrder: Bool = false, file: StaticString = #filePath, line: UInt = #line
  ) async {
    forget(expectations)
    let result = await SimulatedXCTWaiter.fulfillment(
      of: expectations, timeout: timeout, enforceOrder: enforceOrder)
    complain(result, expectations, timeout, file, line)
  }

  private func forget(_ waited: [SimulatedXCTestExpectation]) {
    expectations.removeAll { known in waited.contains { $0 === known } }
  }

  private func complain(
    _ result: XCTWaiter.Result, _ waited: [SimulatedXCTestExpectation], _ timeout: TimeInterval,
    _ file: StaticString, _ line: UInt
  ) {
    func names(_ isMeant: (SimulatedXCTestExpectation) -> Bool) -> String {
      waited.filter(isMeant).map(\.expectationDescription).joined(separator: ", ")
    }
    switch result {
    case .completed: break
    case .incorrectOrder:
      XCTFail(
        "these expectations were not fulfilled in this order: \(names { _ in true })",
        file: file, line: line)
    case .invertedFulfillment:
      XCTFail(
        "these expectations were fulfilled, and should not: "
          + names { $0.isInverted && $0.isFulfilled }, file: file, line: line)
    default:
      XCTFail(
        "after \(timeout) s of virtual time these expectations are not as they should be: "
          + names { !$0.isInverted && !$0.isFulfilled }, file: file, line: line)
    }
  }
}
