import CoreData
import Foundation
import Stockroom
import XCTest

/// The app's tests, as they are written for a Mac. `BESIDE_FIXED=1` tests the app without its bugs.
final class StockroomXCTests: XCTestCase {
  private var stockroom: Stockroom!

  override func setUpWithError() throws {
    try super.setUpWithError()
    let isFixed = ProcessInfo.processInfo.environment["BESIDE_FIXED"] != nil
    stockroom = try Stockroom(bugs: isFixed ? [] : Set(Bug.allCases))
  }

  override func tearDownWithError() throws {
    stockroom = nil
    try super.tearDownWithError()
  }

  func testTwoDeliveriesMakeOneItem() throws {
    let received = expectation(description: "both deliveries are saved")
    received.expectedFulfillmentCount = 2
    for _ in 1...2 {
      stockroom.receive("apple") { error in
        XCTAssertNil(error)
        received.fulfill()
      }
    }
    wait(for: [received], timeout: 5)
    XCTAssertEqual(try stockroom.export(), ["apple": [2]])
  }

  func testTwoSalesAreCounted() throws {
    try stockroom.add("apple", count: 10)
    let sold = expectation(description: "both sales are saved")
    sold.expectedFulfillmentCount = 2
    for _ in 1...2 {
      stockroom.sell("apple") { error in
        XCTAssertNil(error)
        sold.fulfill()
      }
    }
    wait(for: [sold], timeout: 5)
    XCTAssertEqual(try stockroom.export(), ["apple": [8]])
  }

  func testARenameIsExported() throws {
    try stockroom.add("apple", count: 10)
    let renamed = expectation(description: "the new name is saved")
    stockroom.rename("apple", to: "pear") { error in
      XCTAssertNil(error)
      renamed.fulfill()
    }
    wait(for: [renamed], timeout: 5)
    XCTAssertEqual(try stockroom.export(), ["pear": [10]])
  }

  /// As the test above, with another way to wait.
  func testARenameIsExportedAfterASemaphore() throws {
    try stockroom.add("apple", count: 10)
    let renamed = DispatchSemaphore(value: 0)
    stockroom.rename("apple", to: "pear") { error in
      XCTAssertNil(error)
      renamed.signal()
    }
    XCTAssertEqual(renamed.wait(timeout: .now() + 5), .success)
    XCTAssertEqual(try stockroom.export(), ["pear": [10]])
  }

  func testItemsAreCountedDuringNews() throws {
    let updated = expectation(description: "the badge is updated")
    stockroom.fetchNews("apple") { updated.fulfill() }
    XCTAssertLessThanOrEqual(try stockroom.itemCount(), 1)
    wait(for: [updated], timeout: 5)
    XCTAssertEqual(stockroom.badge, 1)
  }

  func testViewsAreCounted() throws {
    try stockroom.add("apple", count: 10)
    let viewed = expectation(description: "both customers have looked")
    viewed.expectedFulfillmentCount = 2
    for _ in 1...2 { stockroom.view("apple") { viewed.fulfill() } }
    wait(for: [viewed], timeout: 5)
    XCTAssertEqual(stockroom.viewCount, 2)
  }
}
