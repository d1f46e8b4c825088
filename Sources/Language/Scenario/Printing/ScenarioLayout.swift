import Prose

/// The lines of a scenario, divided into its parts. The parts are not yet parsed.
struct ScenarioLayout {
  enum Section: String, CaseIterable {
    case model, stack, steps, claims
  }

  let prose: [String]
  let header: ArraySlice<Line>
  /// The number of the line that ends the header.
  let headerEnd: Int
  private let lastLine: Int
  private var headings: [Section: LineReader] = [:]
  private var bodies: [Section: ArraySlice<Line>] = [:]

  init(_ lines: [Line], _ errors: inout TextErrors) {
    var rest = lines[...]
    prose = takeProse(&rest, &errors)
    header = rest.prefix { ScenarioLayout.heading($0) == nil }
    rest = rest.dropFirst(header.count)
    headerEnd = rest.first?.number ?? lines.last?.number ?? 1
    lastLine = lines.last?.number ?? 1
    readSections(rest, &errors)
  }

  static func isHeading(_ line: Line) -> Bool { heading(line) != nil }

  private static func heading(_ line: Line) -> (Section, LineReader)? {
    var reader = LineReader(line)
    guard line.indentation == 0, let section = Section(rawValue: reader.word()) else { return nil }
    return (section, reader)
  }

  private mutating func readSections(_ lines: ArraySlice<Line>, _ errors: inout TextErrors) {
    var rest = lines
    var expected = Section.allCases[...]
    while let line = rest.first {
      let body = rest.dropFirst().prefix { $0.indentation > 0 }
      rest = rest.dropFirst(1 + body.count)
      guard let (section, reader) = ScenarioLayout.heading(line) else {
        var reader = LineReader(line)
        let known = Section.allCases.map(\.rawValue)
        errors.add(line.error(unknown("no section", reader.word(), "the sections are", known)))
        continue
      }
      if let place = expected.firstIndex(of: section) {
        expected = expected[(place + 1)...]
      } else {
        errors.add(
          line.error(
            "section '\(section.rawValue)' is given twice or too late; the order is model, stack, "
              + "steps, claims"))
      }
      // Read the first of two sections with the same name only.
      if headings[section] != nil { continue }
      if section != .model { _ = errors.collect(reader.expectEnd) }
      headings[section] = reader
      bodies[section] = indented(body, &errors)
    }
  }

  /// Returns the lines of a section with their indentation corrected.
  ///
  /// Deeper lines are checked later, when their owner is known.
  private func indented(
    _ body: ArraySlice<Line>, _ errors: inout TextErrors
  ) -> ArraySlice<Line> {
    let margin = body.first?.indentation ?? 2
    let isShifted = margin > 2
    var body = body
    for index in body.indices {
      let line = body[index]
      if line.indentation == 1 || isShifted && index == body.startIndex {
        errors.add(
          line.misplaced(
            "line is indented by \(line.indentationText); a section is indented by 2"))
      }
      body[index].indentation = max(2, line.indentation - (isShifted ? margin - 2 : 0))
    }
    return body
  }

  func has(_ section: Section) -> Bool { headings[section] != nil }

  func lack(of section: Section) -> TextError {
    TextError(
      line: lastLine,
      message: "scenario has no section '\(section.rawValue)'; write it below the header")
  }

  /// Returns the first line of a section, after its name.
  func heading(_ section: Section) -> LineReader? { headings[section] }

  func body(_ section: Section) -> ArraySlice<Line> { bodies[section] ?? [] }
}

/// Takes the lines at the top that begin with `#`, and returns them without it. Further down, such
/// lines are not allowed.
func takeProse(_ rest: inout ArraySlice<Line>, _ errors: inout TextErrors) -> [String] {
  var prose: [String] = []
  while let line = rest.first, line.indentation == 0, line.begins(with: "#") {
    var reader = LineReader(line)
    _ = reader.takesDirectly("#")
    let text = reader.verbatimRest()
    if !text.isEmpty && line.bytes[1] != UInt8(ascii: " ") {
      errors.add(line.error("no space after #; write '# ' and the text"))
    }
    prose.append(text)
    rest.removeFirst()
  }
  for line in rest where line.begins(with: "#") {
    errors.add(
      line.error("unexpected comment; only the description at the top can begin with #"))
  }
  rest.removeAll { $0.begins(with: "#") }
  return prose
}
