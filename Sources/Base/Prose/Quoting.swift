/// Returns the end of a message about an unknown name: the most similar name, or the known names.
package func suggestion(for name: String, among names: [String]) -> String {
  if names.isEmpty { return "there are none" }
  // Ignore case when comparing names.
  let folded = names.map { $0.lowercased() }
  if let nearest = nearestWord(to: name.lowercased(), among: folded),
    let index = folded.firstIndex(of: nearest)
  {
    return "did you mean \(quoted(names[index]))?"
  }
  let listed = names.prefix(5).map { quoted($0) }.joined(separator: ", ")
  if names.count == 1 { return "there is \(listed)" }
  return names.count > 5 ? "there are \(listed), …" : "there are \(listed)"
}

/// Returns a quotation of text from a user's file, on one line and not too long.
package func quoted(_ text: String) -> String {
  let length = text.unicodeScalars.count
  let shown = printable(String(text.unicodeScalars.prefix(60)))
  return length > 60 ? "'\(shown)…'" : "'\(shown)'"
}

/// Returns `text` without line ends and control characters, which could disturb a terminal.
package func printable(_ text: String) -> String {
  let scalars = text.unicodeScalars.map { scalar in
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: "\u{FFFD}" as Unicode.Scalar
    default: scalar
    }
  }
  return String(String.UnicodeScalarView(scalars))
}
