import Foundation
import XCTest

// What './calibrate' runs first: it goes on only if it tells these four apart.

final class HarnessPassesTests: XCTestCase {
  func testPasses() { XCTAssertEqual(1 + 1, 2) }
}

final class HarnessFailsTests: XCTestCase {
  func testFails() { XCTAssertEqual(1 + 1, 3, "This failure is part of the check.") }
}

final class HarnessCrashesTests: XCTestCase {
  func testCrashes() { fatalError("This crash is part of the check.") }
}

final class HarnessHangsTests: XCTestCase {
  func testHangs() { DispatchSemaphore(value: 0).wait() }
}
