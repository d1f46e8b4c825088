import Foundation

/// The thoroughness of tests. `.ci/thorough` sets FAULTLINE_THOROUGH and runs everything. `make
/// test` runs the part that a change should wait for.
package enum Thoroughness {
  package static let isFull = ProcessInfo.processInfo.environment["FAULTLINE_THOROUGH"] != nil

  package static func count(_ usual: Int, full: Int) -> Int { isFull ? full : usual }
}
