import Foundation
import Prose

/// A text of limited length. It keeps the beginning and the end, where commands print verdicts, and
/// its last line names the omitted lines.
struct BoundedText {
  /// The maximum number of characters, including the last line.
  static let limit = 8_000
  /// The maximum number of characters in a line of a text that is cut.
  private static let lineLimit = 1_000
  /// The number of characters that are reserved for the last lines of the text.
  private static let endLimit = 2_200
  /// The number of characters that are reserved for the line that names the omitted lines.
  private static let noteLimit = 700

  let text: String

  /// - Parameter whole: A text about another way to read the omitted lines.
  init(_ text: String, whole: String) {
    guard text.count > BoundedText.limit else {
      self.text = text
      return
    }
    let lines = text.components(separatedBy: "\n").map { line in
      line.count > BoundedText.lineLimit
        ? String(line.prefix(BoundedText.lineLimit - 1)) + "…" : line
    }
    let end = BoundedText.suffixCount(of: lines, within: BoundedText.endLimit)
    let room = BoundedText.limit - BoundedText.endLimit - BoundedText.noteLimit
    let start = BoundedText.suffixCount(of: Array(lines.dropLast(end).reversed()), within: room)
    let omitted = lines.count - start - end
    let note =
      omitted == 0
      ? "shortened: lines of more than \(grouped(BoundedText.lineLimit)) characters; \(whole)"
      : "omitted: \(grouped(omitted)) of \(grouped(lines.count)) lines, from line "
        + "\(grouped(start + 1)); \(whole)"
    let gap = omitted == 0 ? [] : ["…"]
    self.text =
      (lines.prefix(start) + gap + lines.suffix(end))
      .joined(separator: "\n") + "\n" + note.prefix(BoundedText.noteLimit - 10)
  }

  /// Returns the number of last lines that fit within `limit` characters.
  private static func suffixCount(of lines: [String], within limit: Int) -> Int {
    var (count, size) = (0, 0)
    for line in lines.reversed() {
      size += line.count + 1
      if size > limit { break }
      count += 1
    }
    return count
  }
}
