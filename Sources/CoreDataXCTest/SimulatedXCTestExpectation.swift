public import CoreData
public import Foundation
import Synchronization
public import XCTest

/// Something that has to happen in a test: takes the place of `XCTestExpectation` in a prepared
/// module.
open class SimulatedXCTestExpectation: XCTestExpectation, @unchecked Sendable {
  private var fulfillments = 0
  /// When it had been fulfilled often enough, counted in fulfillments; nil before.
  private(set) var place: Int?

  private static let count = Mutex(0)

  /// Says that it has happened.
  open override func fulfill(_ file: StaticString = #file, line: Int = #line) {
    fulfillments += 1
    let number = SimulatedXCTestExpectation.count.withLock { count in
      count += 1
      return count
    }
    if fulfillments == expectedFulfillmentCount { place = number }
    guard assertForOverFulfill, fulfillments > expectedFulfillmentCount else { return }
    XCTFail("\(expectationDescription) is fulfilled more often than expected")
  }

  /// Looks whether it has happened, if nothing is to call `fulfill`: called between the turns of
  /// a wait.
  func look() {}

  /// Whether there is nothing more to wait for.
  var isFulfilled: Bool { fulfillments >= expectedFulfillmentCount }
}

/// What a notification fulfills: takes the place of `XCTNSNotificationExpectation` in a prepared
/// module.
open class SimulatedXCTNSNotificationExpectation: SimulatedXCTestExpectation,
  @unchecked Sendable
{
  /// Whether it is the right notification.
  public typealias Handler = (Notification) -> Bool
  /// The name of the notification.
  public let notificationName: Notification.Name
  /// What has to post it; nil for anything.
  public let observedObject: Any?
  /// Where it has to be posted.
  public let notificationCenter: SimulatedNotificationCenter
  /// Asked whether it is the right notification; nil for any.
  open var handler: Handler?
  private var token: (any NSObjectProtocol)?

  /// An expectation of a notification. It is fulfilled by the first that is the right one.
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

  /// One is enough.
  open override func fulfill(_ file: StaticString = #file, line: Int = #line) {
    if let token { notificationCenter.removeObserver(token) }
    token = nil
    super.fulfill(file, line: line)
  }

  deinit { if let token { notificationCenter.removeObserver(token) } }
}

/// What an object fulfills once a predicate is true of it: takes the place of
/// `XCTNSPredicateExpectation` in a prepared module. Waits ask it after each turn of theirs.
open class SimulatedXCTNSPredicateExpectation: SimulatedXCTestExpectation, @unchecked Sendable {
  /// Asked once the predicate is true.
  public typealias Handler = () -> Bool
  /// What has to be true.
  public let predicate: NSPredicate
  /// Of what.
  public let object: Any?
  /// Whether it may be fulfilled now; nil for yes.
  open var handler: Handler?

  /// An expectation that a predicate becomes true.
  public init(predicate: NSPredicate, object: Any? = nil) {
    (self.predicate, self.object) = (predicate, object)
    super.init(description: "a predicate is true")
  }

  override func look() {
    if !isFulfilled, predicate.evaluate(with: object), handler?() ?? true { fulfill() }
  }
}
