/// The end of a message about an unknown name: the one that was probably meant, or those there are.
package func suggestion(for name: String, among names: [String]) -> String {
  if names.isEmpty { return "there are none" }
  // Upper and lower case are no difference that matters here.
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

/// Text of a user's file as a message may show it: on one line and not too long.
package func quoted(_ text: String) -> String {
  let length = text.unicodeScalars.count
  let shown = printable(String(text.unicodeScalars.prefix(60)))
  return length > 60 ? "'\(shown)…'" : "'\(shown)'"
}

/// `text` without characters that would end a line or do worse to a terminal.
package func printable(_ text: String) -> String {
  let scalars = text.unicodeScalars.map { scalar in
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: "\u{FFFD}" as Unicode.Scalar
    default: scalar
    }
  }
  return String(String.UnicodeScalarView(scalars))
}
