/// The end of a message about an unknown name: the one that was probably meant, or those there are.
func suggestion(for name: String, among names: [String]) -> String {
  if names.isEmpty { return "there are none" }
  let nearest = names.indices.map { (distance: editDistance(name, names[$0]), index: $0) }
    .min { ($0.distance, $0.index) < ($1.distance, $1.index) }
  // Who mistypes a name gets most of it right.
  let limit = min(max(1, name.count / 3), name.count - 1)
  if let nearest, nearest.distance <= limit {
    return "did you mean \(quoted(names[nearest.index]))?"
  }
  let listed = names.prefix(5).map { quoted($0) }.joined(separator: ", ")
  if names.count == 1 { return "there is \(listed)" }
  return names.count > 5 ? "there are \(listed), …" : "there are \(listed)"
}

/// Text of a user's file as a message may show it: on one line and not too long.
func quoted(_ text: String) -> String {
  let length = text.unicodeScalars.count
  let shown = printable(String(text.unicodeScalars.prefix(60)))
  return length > 60 ? "'\(shown)…'" : "'\(shown)'"
}

/// `text` without characters that would end a line or do worse to a terminal.
func printable(_ text: String) -> String {
  let scalars = text.unicodeScalars.map { scalar in
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: "\u{FFFD}" as Unicode.Scalar
    default: scalar
    }
  }
  return String(String.UnicodeScalarView(scalars))
}

/// The fewest letters to add, drop, change or swap with a neighbour that turn one into the other,
/// upper and lower case being equal.
private func editDistance(_ a: String, _ b: String) -> Int {
  // What is this long was never a slip of the finger.
  guard a.utf8.count <= 100, b.utf8.count <= 100 else { return .max }
  let a = Array(a.lowercased())
  let b = Array(b.lowercased())
  var rows = [Array(0...b.count)]
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      let change = rows[i][j] + (a[i] == b[j] ? 0 : 1)
      var distance = min(change, rows[i][j + 1] + 1, row[j] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
        distance = min(distance, rows[i - 1][j - 1] + 1)
      }
      row.append(distance)
    }
    rows.append(row)
  }
  return rows[a.count][b.count]
}
