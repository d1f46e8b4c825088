import InputFiles

/// Kinds of differences that have a verdict. Each has a line, `goes on | theirs | FACT | KIND`, or
/// `ends` if later answers mean nothing. `#` begins a comment.
struct KnownDifferences {
  struct Entry {
    let kind: String
    let goesOn: Bool
    /// `theirs`, `ours` or `unclear`, and the fact that decides.
    let verdict: String
  }

  private var entries: [Entry] = []

  init() {}

  init(path: String) throws {
    for line in try TextFile.read(path: path).split(separator: "\n") where !line.hasPrefix("#") {
      let parts = line.split(separator: "|", maxSplits: 3).map { part in
        String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      }
      guard parts.count == 4, ["goes on", "ends"].contains(parts[0]),
        ["theirs", "ours", "unclear"].contains(parts[1])
      else { throw ComparisonError("\(path): a line that is no known difference: \(line)") }
      entries.append(
        Entry(kind: parts[3], goesOn: parts[0] == "goes on", verdict: "\(parts[1]), \(parts[2])"))
    }
  }

  subscript(kind: String) -> Entry? { entries.first { $0.kind == kind } }
}
