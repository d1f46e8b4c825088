public import CoreData
public import Foundation
import XCTest

/// Creates expectations of a test and waits for them.
extension SimulatedXCTestCase {
  /// Creates an expectation that the test fulfills.
  public func expectation(description: String) -> SimulatedXCTestExpectation {
    keep(SimulatedXCTestExpectation(description: description))
  }

  /// Creates an expectation that a notification fulfills, if `handler` returns true for it.
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

  /// Creates an expectation that a notification of the given name fulfills.
  @discardableResult
  public func expectation(
    forNotification name: String, object: Any?,
    handler: SimulatedXCTNSNotificationExpectation.Handler? = nil
  ) -> SimulatedXCTestExpectation {
    expectation(forNotification: Notification.Name(name), object: object, handler: handler)
  }

  /// Creates an expectation that is fulfilled when the predicate is true for an object.
  @discardableResult
  public func expectation(
    for predicate: NSPredicate, evaluatedWith object: Any? = nil,
    handler: SimulatedXCTNSPredicateExpectation.Handler? = nil
  ) -> SimulatedXCTestExpectation {
    let expectation = SimulatedXCTNSPredicateExpectation(predicate: predicate, object: object)
    expectation.handler = handler
    return keep(expectation)
  }

  /// Creates an expectation that a change of a property fulfills, if `handler` returns true for it.
  @discardableResult
  public func keyValueObservingExpectation(
    for object: Any, keyPath: String, handler: SimulatedXCTKVOExpectation.Handler? = nil
  ) -> SimulatedXCTestExpectation {
    let expectation = SimulatedXCTKVOExpectation(
      keyPath: keyPath, object: object, options: [.new, .old])
    expectation.handler = handler
    return keep(expectation)
  }

  /// Creates an expectation that a property becomes equal to a value.
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

  /// Waits until all expectations of the test are fulfilled or the virtual timeout has passed. A
  /// failure is reported at the line of the call.
  public func waitForExpectations(
    timeout: TimeInterval, file: StaticString = #filePath, line: UInt = #line
  ) {
    let waited = expectations
    expectations = []
    complain(SimulatedXCTWaiter.wait(for: waited, timeout: timeout), waited, timeout, file, line)
  }

  /// Waits until all expectations of the test are fulfilled or the virtual timeout has passed.
  /// Calls `handler`, with an error if they are not fulfilled.
  ///
  /// The method lacks parameters for the source location, because the compiler would choose another
  /// overload. A failure is therefore not reported at the line of the call.
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

  /// Waits until the given expectations are fulfilled or the virtual timeout has passed.
  public func wait(
    for expectations: [SimulatedXCTestExpectation], timeout: TimeInterval = .infinity,
    enforceOrder: Bool = false, file: StaticString = #filePath, line: UInt = #line
  ) {
    forget(expectations)
    complain(
      SimulatedXCTWaiter.wait(for: expectations, timeout: timeout, enforceOrder: enforceOrder),
      expectations, timeout, file, line)
  }

  /// Suspends the task of a test until the given expectations are fulfilled or the virtual timeout
  /// has passed.
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
        "these inverted expectations were fulfilled: "
          + names { $0.isInverted && $0.isFulfilled }, file: file, line: line)
    default:
      XCTFail(
        "these expectations were not fulfilled within \(timeout) s of virtual time: "
          + names { !$0.isInverted && !$0.isFulfilled }, file: file, line: line)
    }
  }
}
