import ObjectModel
import Vocabulary

/// Reads the sections `steps` and `claims` to their ends. An error is added to `errors`, and the
/// lines below the erroneous line that belong to it are skipped.
extension Scope {
  /// Reads the steps with their blocks, each followed by its transcript and its claims.
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
          // A line that is indented too far may have been meant as a step of a block.
          let lane = line.indentation > 2 ? items.last?.step.context : nil
          line = lines.take(line, indentedBy: 2, of: "a step outside of blocks", &errors)
          let step = try step(line, &lines, blockLane: lane)
          items.append(Scenario.Item(step, line: line.number))
          blockEnd = nil
        }
      } catch {
        note(error, in: line)
        // Keep the numbering of steps, on which the claims below depend.
        if line.indentation == 2, !line.begins(with: ">") {
          items.append(Scenario.Item(AddressedStep(ContextID(0), .save), line: line.number))
          blockEnd = nil
        }
        lines.skip(under: line)
      }
    }
    return (items, claims)
  }

  /// Throws an error if an indented step is written below the transcript or claim that ends a
  /// block.
  private func checkIsOutside(
    _ line: Line, of item: Scenario.Item?, endingAbove end: Line?
  ) throws(TextError) {
    guard line.indentation > 2, let item, item.step.step.block != nil, let end else { return }
    let what = end.begins(with: ">") ? "transcript" : "claim"
    var error = line.error(
      "step follows the \(what) in line \(end.number), which ends the block of line \(item.line); "
        + "a \(what) applies after the whole block, so write it below the block's last step")
    // Only the first of several such steps is reported.
    error.isConsequence = errors.hasOne(between: end.number, and: line.number)
    throw error
  }

  /// Reads the claims about the end of the run.
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
        "misplaced transcript; write it below a step of the outermost level, "
          + "indented by 4 spaces")
    }
    lines.pass()
    var reader = LineReader(line)
    _ = reader.takes(">")
    items[last].transcript.append(reader.verbatimRest())
  }

  /// Returns a Boolean value that indicates whether the line is a claim between two steps. If a
  /// context is named `claim`, the line is a step of that context.
  func isClaim(_ line: Line) -> Bool {
    var reader = LineReader(line)
    return reader.takes(keyword: "claim") && !isContext("claim")
  }

  /// Returns the error for a misplaced claim. The steps of a block or of a part of the stack cannot
  /// include claims.
  func claimInside(_ line: Line) -> TextError {
    if isDesign { return line.error("a stack cannot have claims; write them in a scenario") }
    return line.error(
      isInStack
        ? "claim in the stack; write it below a step of the outermost level, indented by 4 "
          + "spaces, or in the section 'claims'"
        : "claim inside of a block; a claim applies between two steps of the outermost "
          + "level, so write it below the block's last step, indented by 4 spaces")
  }

  private mutating func takeClaim(
    _ line: Line, _ lines: inout LineCursor, after item: Int?
  ) throws(TextError) -> Claim {
    if line.indentation != 4 || item == nil {
      errors.add(
        line.misplaced(
          "misplaced claim; write it below a step of the outermost level, indented by 4 "
            + "spaces, or in the section 'claims'"))
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
  /// Skips `line`, if it is still next, and the lines below it that are indented further.
  mutating func skip(under line: Line, until isWanted: (Line) -> Bool = { _ in false }) {
    if next?.number == line.number { pass() }
    while let other = next, other.indentation > line.indentation, !isWanted(other) { pass() }
  }
}
