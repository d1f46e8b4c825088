/// Highlights words on a terminal. Text for a file or a pipe is not changed.
package struct Style: Sendable {
  private let isOn: Bool

  package static let plain = Style(isOn: false)
  /// Highlights with ECMA-48 escape sequences, which every terminal supports.
  package static let terminal = Style(isOn: true)

  package func heading(_ text: String) -> String { marked(text, "1") }
  package func bad(_ text: String) -> String { marked(text, "1;31") }
  package func good(_ text: String) -> String { marked(text, "32") }
  package func faint(_ text: String) -> String { marked(text, "2") }

  private func marked(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
