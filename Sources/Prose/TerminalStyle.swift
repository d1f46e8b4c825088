/// How words stand out on a terminal; nothing changes for a file or a pipe.
package struct Style: Sendable {
  private let isOn: Bool

  package static let plain = Style(isOn: false)
  /// Escape sequences of ECMA-48, which every terminal knows.
  package static let terminal = Style(isOn: true)

  package func heading(_ text: String) -> String { marked(text, "1") }
  package func bad(_ text: String) -> String { marked(text, "1;31") }
  package func good(_ text: String) -> String { marked(text, "32") }
  package func faint(_ text: String) -> String { marked(text, "2") }

  private func marked(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
