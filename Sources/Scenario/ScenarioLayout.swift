import Prose

/// The parts of a scenario, before any of them is understood.
struct ScenarioLayout {
  enum Section: String, CaseIterable {
    case model, stack, steps, claims
  }

  let prose: [String]
  let header: ArraySlice<Line>
  /// The line that shows that the header is over.
  let headerEnd: Int
  private let lastLine: Int
  private var headings: [Section: LineReader] = [:]
  private var bodies: [Section: ArraySlice<Line>] = [:]

  init(_ lines: [Line]) throws(TextError) {
    var rest = lines[...]
    prose = try takeProse(&rest)
    header = rest.prefix { ScenarioLayout.heading($0) == nil }
    rest = rest.dropFirst(header.count)
    headerEnd = rest.first?.number ?? lines.last?.number ?? 1
    lastLine = lines.last?.number ?? 1
    try readSections(rest)
  }

  private static func heading(_ line: Line) -> (Section, LineReader)? {
    var reader = LineReader(line)
    guard line.indentation == 0, let section = Section(rawValue: reader.word()) else { return nil }
    return (section, reader)
  }

  private mutating func readSections(_ lines: ArraySlice<Line>) throws(TextError) {
    var rest = lines
    var expected = Section.allCases[...]
    while let line = rest.first {
      guard let (section, reader) = ScenarioLayout.heading(line) else {
        var reader = LineReader(line)
        let known = Section.allCases.map(\.rawValue)
        throw line.error(unknown("no section", reader.word(), "the sections are", known))
      }
      guard let place = expected.firstIndex(of: section) else {
        throw line.error(
          "section '\(section.rawValue)' is given twice or too late; the order is model, stack, "
            + "steps, claims")
      }
      expected = expected[(place + 1)...]
      if section != .model { try reader.expectEnd() }
      let body = rest.dropFirst().prefix { $0.indentation > 0 }
      // Deeper lines are checked where it is known what they belong to.
      if let line = body.first(where: { $0.indentation == 1 || body.first?.indentation != 2 }) {
        throw line.error("line is indented by \(line.indentationText); a section is indented by 2")
      }
      headings[section] = reader
      bodies[section] = body
      rest = rest.dropFirst(1 + body.count)
    }
  }

  /// The section's first line, of which its name was read already.
  func heading(_ section: Section) throws(TextError) -> LineReader {
    if let heading = headings[section] { return heading }
    throw TextError(
      line: lastLine,
      message: "scenario has no section '\(section.rawValue)'; write it below the header")
  }

  func body(_ section: Section) -> ArraySlice<Line> { bodies[section] ?? [] }
}

/// The lines at the top that begin with `#`, without it; below them there are none.
func takeProse(_ rest: inout ArraySlice<Line>) throws(TextError) -> [String] {
  var prose: [String] = []
  while let line = rest.first, line.indentation == 0, line.begins(with: "#") {
    var reader = LineReader(line)
    _ = reader.takesDirectly("#")
    let text = reader.verbatimRest()
    if !text.isEmpty && line.bytes[1] != UInt8(ascii: " ") {
      throw line.error("prose stands close to its #; write '# ' and the text")
    }
    prose.append(text)
    rest.removeFirst()
  }
  if let line = rest.first(where: { $0.begins(with: "#") }) {
    throw line.error("a comment stands below the first lines; only prose at the top can have #")
  }
  return prose
}
