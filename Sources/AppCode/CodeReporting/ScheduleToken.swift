package import Determinism

/// The choices of one run of code, as a word that needs no quotation marks in a shell. The
/// environment variable `FAULTLINE_SCHEDULE` contains such a word.
///
///     3-1..x14-1-x2-1
///
/// Dots separate the streams of choices, and hyphens separate the choices of a stream. `x14` stands
/// for fourteen zeros.
package struct ScheduleToken: Hashable, Sendable, CustomStringConvertible {
  package let recording: Choices.Recording

  package init(_ recording: Choices.Recording) { self.recording = recording }

  /// Creates a token from text, or returns nil if no run has this token.
  package init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= Choices.Stream.allCases.count, text != "" else { return nil }
    var streams: [[UInt32]] = []
    for part in parts {
      guard let stream = ScheduleToken.stream(part) else { return nil }
      streams.append(stream)
    }
    recording = Choices.Recording(streams: streams)
  }

  /// A limit that exceeds the number of choices in any run.
  private static let limit = 1_000_000

  private static func stream(_ text: Substring) -> [UInt32]? {
    var stream: [UInt32] = []
    for word in text.split(separator: "-", omittingEmptySubsequences: !text.contains("-")) {
      if word.first == "x", let count = Int(word.dropFirst()), 1...limit ~= count {
        stream += Array(repeating: 0, count: count)
      } else if let choice = UInt32(word), word.first != "+" {
        stream.append(choice)
      } else {
        return nil
      }
    }
    return stream
  }

  package var description: String {
    let text = recording.streams.map { stream -> String in
      var words: [String] = []
      var zeros = 0
      for choice in stream {
        if choice == 0 {
          zeros += 1
          continue
        }
        if zeros > 0 { words.append(zeros == 1 ? "0" : "x\(zeros)") }
        words.append(String(choice))
        zeros = 0
      }
      // All choices after the end of a stream are 0.
      return words.joined(separator: "-")
    }
    .joined(separator: ".")
    let end = text.lastIndex { $0 != "." }
    return end.map { String(text[...$0]) } ?? "0"
  }
}
