/// The end of code that does not return: a failed precondition, a misuse of Core Data, a signal, or
/// an endless loop. The run ends there, and the process continues.
package struct Trap {
  package enum Reason: Equatable, Sendable {
    /// The app, or the simulation on its behalf, stopped with this message.
    case stopped(String)
    /// The host sent this signal. The message is that which Swift's runtime wrote before the
    /// signal, or nil if the runtime wrote none.
    case signal(Int32, message: String?)
    /// The code made no simulated call in this many seconds of host time.
    case unresponsive(seconds: Int)
  }

  package let reason: Reason
  /// The place where the block that trapped was enqueued, such as `App/Store.swift:12`, or an empty
  /// string for the run's main code.
  package let place: String
  /// The simulated thread that ran the code, such as `a block of backgroundTask`.
  package let thread: String
  /// A Boolean value that indicates whether the code was initializing a static or global variable.
  /// Code that uses the variable later waits forever, in other runs, too.
  package let isInInitializer: Bool

  /// A Boolean value that indicates whether another run can show the trap.
  var isRepeatable: Bool {
    if case .unresponsive = reason { return false }
    return !isInInitializer
  }

  /// A description of the trap, with one sentence in each line.
  package var description: String {
    let cause =
      switch reason {
      case .stopped(let message), .signal(_, let message?): message
      case .signal(let number, nil): Trap.meaning(ofSignal: number)
      case .unresponsive(let seconds):
        "no simulated call for \(seconds) seconds. The code loops, or waits for something that is "
          + "not simulated, such as a lock or a variable whose initializer has trapped"
      }
    return "the code traps: \(cause)\n  on \(thread)\(place.isEmpty ? "" : ", from \(place)")"
      + (isInInitializer
        ? "\n  in the initializer of a static or global variable, which no later code can use"
        : "")
  }

  /// The line of the source that trapped, or else the block. Two traps at one site are one failure,
  /// even if their messages contain different values.
  package var site: String {
    switch reason {
    case .stopped(let message), .signal(_, let message?):
      message.prefixMatch(of: /[^:\n]+\.swift:[0-9]+/).map { String($0.output) } ?? place
    case .signal(let number, nil): "signal \(number) \(place)"
    case .unresponsive: "no return \(place)"
    }
  }

  private static func meaning(ofSignal number: Int32) -> String {
    switch number {
    case SignalGuard.illegalInstruction, SignalGuard.breakpoint:
      "a Swift runtime check failed, such as an index out of range, an overflow or an unwrapped nil"
    case SignalGuard.segmentationFault, SignalGuard.busError:
      "an invalid memory access, such as after endless recursion"
    case SignalGuard.abort: "the code called abort"
    default: "the code ended with signal \(number)"
    }
  }
}
