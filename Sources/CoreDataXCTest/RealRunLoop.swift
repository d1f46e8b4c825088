import CoreData
import Foundation
import LiveCode

/// The run loop of the host's thread that plays a test.
///
/// XCTest makes a task for a test method, `setUp` or `tearDown` that is `async`, and turns this
/// loop until it has ended. The task belongs to the run, so the run goes on in a turn of the loop.
enum RealRunLoop {
  private static let key = "faultline.goesOn"

  /// To be called on the thread. Lasts as long as the thread does.
  static func letSimulationGoOn() {
    guard Thread.current.threadDictionary[key] == nil else { return }
    Thread.current.threadDictionary[key] = true
    let timer = Timer(timeInterval: 0.000_1, repeats: true) { _ in
      LiveRun.current?.goOnWhileMainThreadWaits()
    }
    RunLoop.current.add(timer, forMode: .default)
  }
}
