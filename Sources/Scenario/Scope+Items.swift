import ObjectModel
import Vocabulary

/// The sections `steps` and `claims`, read to their ends: what is wrong with a line is added to
/// `errors`, and the lines that belong to it are passed over.
extension Scope {
  /// The steps with their blocks, each followed by its transcript and by what is claimed there.
  mutating func items(
    _ lines: ArraySlice<Line>
  ) -> (items: [Scenario.Item], claims: [Claim]) {
    var lines = LineCursor(lines)
    var (items, claims): ([Scenario.Item], [Claim]) = ([], [])
    /// The first transcript line or claim below the last step.
    var blockEnd: Line? = nil
    while var line = lines.next {
      do throws(TextError) {
        if line.begins(with: ">") {
          if blockEnd == nil { blockEnd = line }
          try takeTranscript(line, &lines, under: &items)
        } else if isClaim(line) {
          if blockEnd == nil { blockEnd = line }
          claims.append(try takeClaim(line, &lines, after: items.indices.last))
        } else {
          try checkIsOutside(line, of: items.last, endingAbove: blockEnd)
          // What is indented too far may have been meant for a block.
          let lane = line.indentation > 2 ? items.last?.step.context : nil
          line = lines.take(line, indentedBy: 2, of: "a step outside of blocks", &errors)
          let step = try step(line, &lines, blockLane: lane)
          items.append(Scenario.Item(step, line: line.number))
          blockEnd = nil
        }
      } catch {
        note(error, in: line)
        // The number of the step counts for the claims below it.
        if line.indentation == 2, !line.begins(with: ">") {
          items.append(Scenario.Item(AddressedStep(ContextID(0), .save), line: line.number))
          blockEnd = nil
        }
        lines.skip(under: line)
      }
    }
    return (items, claims)
  }

  /// A step of a block that stands below what is said of the time after the block is no step of the
  /// outermost level, whatever else it may be.
  private func checkIsOutside(
    _ line: Line, of item: Scenario.Item?, endingAbove end: Line?
  ) throws(TextError) {
    guard line.indentation > 2, let item, item.step.step.block != nil, let end else { return }
    let what = end.begins(with: ">") ? "transcript" : "claim"
    var error = line.error(
      "step stands below the \(what) in line \(end.number), where the block of line \(item.line) "
        + "ends; a \(what) is about the time after the whole block, so write it below the block's "
        + "last step")
    // Of several steps, the first says it.
    error.isConsequence = errors.hasOne(between: end.number, and: line.number)
    throw error
  }

  /// The claims about the end.
  mutating func claims(_ lines: ArraySlice<Line>) -> [Claim] {
    var lines = LineCursor(lines)
    var claims: [Claim] = []
    while var line = lines.next {
      do throws(TextError) {
        line = lines.take(line, indentedBy: 2, of: "a claim", &errors)
        var reader = LineReader(line)
        claims.append(try claim(&reader))
      } catch {
        note(error, in: line)
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
    lines.pass()
    var reader = LineReader(line)
    _ = reader.takes(">")
    items[last].transcript.append(reader.verbatimRest())
  }

  /// Whether the line is a claim between two steps. A context of this name takes precedence.
  func isClaim(_ line: Line) -> Bool {
    var reader = LineReader(line)
    return reader.takes(keyword: "claim") && !isContext("claim")
  }

  /// For a claim that stands among the steps of a block, or of a part of the stack.
  func claimInside(_ line: Line) -> TextError {
    if isDesign { return line.error("a stack claims nothing; claims are for scenarios") }
    return line.error(
      isInStack
        ? "claim stands in the stack; it belongs under a step of the outermost level, indented by 4 "
          + "spaces, or into the section 'claims'"
        : "claim stands inside of a block; it is about the time between two steps of the outermost "
          + "level, so write it below the block's last step, indented by 4 spaces")
  }

  private mutating func takeClaim(
    _ line: Line, _ lines: inout LineCursor, after item: Int?
  ) throws(TextError) -> Claim {
    if line.indentation != 4 || item == nil {
      errors.add(
        line.misplaced(
          "claim stands out of place; it belongs under a step of the outermost level, indented by 4 "
            + "spaces, or into the section 'claims'"))
    }
    lines.pass()
    var reader = LineReader(line)
    try reader.expect(keyword: "claim")
    var claim = try claim(&reader)
    claim.place = item
    return claim
  }
}

extension LineCursor {
  /// Passes over `line`, if it is still next, and over what is indented further than it.
  mutating func skip(under line: Line, until isWanted: (Line) -> Bool = { _ in false }) {
    if next?.number == line.number { pass() }
    while let other = next, other.indentation > line.indentation, !isWanted(other) { pass() }
  }
}
