import Foundation
import Prose

/// The kind of standard output, which is a terminal, or a file or pipe.
enum Terminal {
  /// The maximum number of characters in a line of a report. On a terminal, this is the terminal's
  /// width, within limits. In a file, it is always 100.
  static var width: Int {
    guard isatty(STDOUT_FILENO) == 1 else { return 100 }
    var size = winsize()
    let columns = unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : 0
    return columns == 0 ? 100 : min(max(columns, 60), 160)
  }
}

extension Style {
  /// The style of the output. Colour is used only on a terminal, unless the user has turned it off
  /// (https://no-color.org).
  static var ofOutput: Style {
    let environment = ProcessInfo.processInfo.environment
    let isWanted = environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    return isatty(STDOUT_FILENO) == 1 && isWanted ? .terminal : .plain
  }
}
