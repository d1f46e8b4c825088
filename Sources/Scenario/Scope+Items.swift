import ObjectModel
import Vocabulary

/// The sections `steps` and `claims`, read to their ends: what is wrong with a line is added to
/// `errors`, and the lines that belong to it are passed over.
extension Scope {
  /// The steps with their blocks, each followed by its transcript and by what is claimed there.
  mutating func items(
    _ lines: ArraySlice<Line>
  ) -> (items: [Scenario.Item], claims: [Claim]) {
    collectsErrors = true
    defer { collectsErrors = false }
    var lines = LineCursor(lines)
    var (items, claims): ([Scenario.Item], [Claim]) = ([], [])
    while let line = lines.next {
      do throws(TextError) {
        if line.begins(with: ">") {
          try takeTranscript(line, &lines, under: &items)
        } else if isClaim(line) {
          claims.append(try takeClaim(line, &lines, after: items.indices.last))
        } else {
          _ = try lines.take(indentedBy: 2, of: "a step outside of blocks")
          let step = try step(line, &lines, blockLane: nil)
          items.append(Scenario.Item(step, line: line.number))
        }
      } catch {
        errors.add(error)
        // The number of the step counts for the claims below it.
        if line.indentation == 2, !line.begins(with: ">") {
          items.append(Scenario.Item(AddressedStep(ContextID(0), .save), line: line.number))
        }
        lines.skip(under: line)
      }
    }
    return (items, claims)
  }

  /// The claims about the end.
  mutating func claims(_ lines: ArraySlice<Line>) -> [Claim] {
    var lines = LineCursor(lines)
    var claims: [Claim] = []
    while let line = lines.next {
      do throws(TextError) {
        _ = try lines.take(indentedBy: 2, of: "a claim")
        var reader = LineReader(line)
        claims.append(try claim(&reader))
      } catch {
        errors.add(error)
        lines.skip(under: line)
      }
    }
    return claims
  }

  private func takeTranscript(
    _ line: Line, _ lines: inout LineCursor, under items: inout [Scenario.Item]
  ) throws(TextError) {
    guard line.indentation == 4, let last = items.indices.last else {
      throw line.error(
        "transcript stands out of place; it belongs under a step of the outermost level, "
          + "indented by 4 spaces")
    }
    _ = try lines.take(indentedBy: 4, of: "a transcript")
    var reader = LineReader(line)
    _ = reader.takes(">")
    items[last].transcript.append(reader.verbatimRest())
  }

  /// Whether the line is a claim between two steps. A context of this name takes precedence.
  func isClaim(_ line: Line) -> Bool {
    var reader = LineReader(line)
    return reader.takes(keyword: "claim") && !isContext("claim")
  }

  private mutating func takeClaim(
    _ line: Line, _ lines: inout LineCursor, after item: Int?
  ) throws(TextError) -> Claim {
    guard line.indentation == 4, let item else {
      throw line.error(
        "claim stands out of place; it belongs under a step of the outermost level, indented by 4 "
          + "spaces, or into the section 'claims'")
    }
    _ = try lines.take(indentedBy: 4, of: "a claim")
    var reader = LineReader(line)
    try reader.expect(keyword: "claim")
    var claim = try claim(&reader)
    claim.place = item
    return claim
  }
}

extension LineCursor {
  /// Passes over `line`, if it is still next, and over what is indented further than it.
  mutating func skip(under line: Line) {
    if next?.number == line.number { pass() }
    while let other = next, other.indentation > line.indentation { pass() }
  }
}
