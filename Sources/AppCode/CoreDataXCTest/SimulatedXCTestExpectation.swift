public import CoreData
public import Foundation
import Synchronization
public import XCTest

/// An event that must happen in a test. Replaces `XCTestExpectation` in a prepared module.
open class SimulatedXCTestExpectation: XCTestExpectation, @unchecked Sendable {
  private var fulfillments = 0
  /// The position of the decisive fulfillment among all fulfillments, or nil before it.
  private(set) var place: Int?

  private static let count = Mutex(0)
  /// The running waits for the expectation.
  var waits: [SimulatedXCTWaiter.Wait] = []

  /// Records that the event has happened.
  open override func fulfill(_ file: StaticString = #file, line: Int = #line) {
    fulfillments += 1
    defer { for wait in waits { wait.noteFulfillment() } }
    let number = SimulatedXCTestExpectation.count.withLock { count in
      count += 1
      return count
    }
    if fulfillments == expectedFulfillmentCount { place = number }
    guard assertForOverFulfill, fulfillments > expectedFulfillmentCount else { return }
    XCTFail("\(expectationDescription) is fulfilled more often than expected")
  }

  /// A Boolean value that indicates whether no code calls `fulfill`, so that a wait has to ask.
  var isPolled: Bool { false }

  /// Checks whether the event has happened, if the expectation is polled. A wait calls it between
  /// its turns.
  func evaluate() {}

  /// A Boolean value that indicates whether the event has happened as often as expected.
  var isFulfilled: Bool { fulfillments >= expectedFulfillmentCount }
}

/// An expectation that a notification fulfills. Replaces `XCTNSNotificationExpectation` in a
/// prepared module.
open class SimulatedXCTNSNotificationExpectation: SimulatedXCTestExpectation,
  @unchecked Sendable
{
  /// Returns whether a notification fulfills the expectation.
  public typealias Handler = (Notification) -> Bool
  /// The name of the expected notification.
  public let notificationName: Notification.Name
  /// The expected sender of the notification, or nil for any sender.
  public let observedObject: Any?
  /// The notification center that must post the notification.
  public let notificationCenter: SimulatedNotificationCenter
  /// Decides whether a notification fulfills the expectation. If it is nil, any notification does.
  open var handler: Handler?
  private var token: (any NSObjectProtocol)?

  /// Creates an expectation that the first matching notification fulfills.
  public init(
    name notificationName: Notification.Name, object: Any? = nil,
    notificationCenter: SimulatedNotificationCenter = .default
  ) {
    (self.notificationName, observedObject) = (notificationName, object)
    self.notificationCenter = notificationCenter
    super.init(description: "notification \(notificationName.rawValue)")
    token = notificationCenter.addObserver(forName: notificationName, object: object, queue: nil) {
      [weak self] notification in
      guard let self, handler?(notification) ?? true else { return }
      fulfill()
    }
  }

  /// Fulfills the expectation and ends the observation, because one notification is sufficient.
  open override func fulfill(_ file: StaticString = #file, line: Int = #line) {
    if let token { notificationCenter.removeObserver(token) }
    token = nil
    super.fulfill(file, line: line)
  }

  deinit { if let token { notificationCenter.removeObserver(token) } }
}

/// An expectation that is fulfilled when a predicate is true for an object. Replaces
/// `XCTNSPredicateExpectation` in a prepared module. A wait evaluates the predicate after each of
/// its turns.
open class SimulatedXCTNSPredicateExpectation: SimulatedXCTestExpectation, @unchecked Sendable {
  /// Returns whether the expectation may be fulfilled when the predicate is true.
  public typealias Handler = () -> Bool
  /// The predicate that must become true.
  public let predicate: NSPredicate
  /// The object for which the predicate is evaluated.
  public let object: Any?
  /// Decides whether the expectation may be fulfilled when the predicate is true. If it is nil, the
  /// expectation is fulfilled.
  open var handler: Handler?

  /// Creates an expectation that a predicate becomes true.
  public init(predicate: NSPredicate, object: Any? = nil) {
    (self.predicate, self.object) = (predicate, object)
    super.init(description: "a predicate is true")
  }

  override var isPolled: Bool { true }

  override func evaluate() {
    if !isFulfilled, predicate.evaluate(with: object), handler?() ?? true { fulfill() }
  }
}
