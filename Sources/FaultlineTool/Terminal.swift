import Foundation
import Prose

/// What standard output is: a terminal for people, or a file or pipe.
enum Terminal {
  /// How many characters a line of a report has at most: those of the terminal, within reason. In
  /// a file it is 100 on every machine.
  static var width: Int {
    guard isatty(STDOUT_FILENO) == 1 else { return 100 }
    var size = winsize()
    let columns = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : 0
    return columns == 0 ? 100 : min(max(columns, 60), 160)
  }
}

extension Style {
  /// Colour is for people: on a terminal, unless they said no (https://no-color.org).
  static var ofOutput: Style {
    let environment = ProcessInfo.processInfo.environment
    let isWanted = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    return isatty(STDOUT_FILENO) == 1 && isWanted ? .terminal : .plain
  }
}
