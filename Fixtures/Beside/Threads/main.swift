import Foundation
import XCTest

// Runs each test BESIDE_RUNS times in one process, as Xcode's 'Run … Repeatedly' does. XCTest on
// Linux finds no methods by itself if SwiftPM does not run it.
let runs = ProcessInfo.processInfo.environment["BESIDE_RUNS"].flatMap { Int($0) } ?? 1
XCTMain(
  [
    ("testTwoDeliveriesMakeOneItem", StockroomXCTests.testTwoDeliveriesMakeOneItem),
    ("testTwoSalesAreCounted", StockroomXCTests.testTwoSalesAreCounted),
    ("testARenameIsExported", StockroomXCTests.testARenameIsExported),
    (
      "testARenameIsExportedAfterASemaphore",
      StockroomXCTests.testARenameIsExportedAfterASemaphore
    ),
    ("testItemsAreCountedDuringNews", StockroomXCTests.testItemsAreCountedDuringNews),
    ("testViewsAreCounted", StockroomXCTests.testViewsAreCounted),
  ].map { testCase(Array(repeating: $0, count: runs)) })
