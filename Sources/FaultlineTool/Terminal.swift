import Foundation
import Prose

extension Style {
  /// Colour is for people: on a terminal, unless they said no (https://no-color.org).
  static var ofOutput: Style {
    let environment = ProcessInfo.processInfo.environment
    let isWanted = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    return isatty(STDOUT_FILENO) == 1 && isWanted ? .terminal : .plain
  }
}
