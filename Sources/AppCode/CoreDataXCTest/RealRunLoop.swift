import CoreData
import Foundation
import LiveCode

/// The real run loop of the thread that plays a test.
///
/// XCTest makes a task for a test method, `setUp` or `tearDown` that is `async`, and turns this
/// loop until the task has ended. The task belongs to the run, so the run must continue during the
/// loop.
enum RealRunLoop {
  private static let key = "faultline.goesOn"

  /// Adds a timer to the calling thread's run loop, which continues the run. The timer lasts as
  /// long as the thread.
  static func letSimulationGoOn() {
    guard Thread.current.threadDictionary[key] == nil else { return }
    Thread.current.threadDictionary[key] = true
    let timer = Timer(timeInterval: 0.000_1, repeats: true) { _ in
      LiveRun.current?.goOnWhileMainThreadWaits()
    }
    RunLoop.current.add(timer, forMode: .default)
  }
}
