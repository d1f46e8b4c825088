import Foundation

/// The thoroughness of tests. `.ci/thorough` sets FAULTLINE_THOROUGH and runs everything. `make
/// test` runs the part that a change should wait for.
enum Thoroughness {
  static let isFull = ProcessInfo.processInfo.environment["FAULTLINE_THOROUGH"] != nil

  static func count(_ usual: Int, full: Int) -> Int { isFull ? full : usual }
}
