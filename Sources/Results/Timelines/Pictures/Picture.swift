package import Failures
import Vocabulary

/// A timeline as SVG, with time running downwards and a column for each queue and store. Blocks are
/// bars. Saves, merges and hops are arrows, labelled with the changes that they carry.
///
/// The steps that prove a violation are numbered. Red edges close the cycle of a deadlock. Colours
/// come from the page, or from the style in the picture if it is a separate file.
package struct Picture {
  let timeline: Timeline
  let layout: PictureLayout
  /// The index of the violation that the picture is about, or nil to show all moments alike.
  let subject: Int?
  /// The moment from which the schedules of a scenario differ, and the text to show there.
  let parting: (moment: Int, text: String)?
  let carried: CarriedText
  /// The space between a box and the label of its save. Edges of deadlocks need more space.
  let labelGap: Int
  /// The downward shifts of labels that would overlap other labels.
  private(set) var labelShifts: [PictureLabel: Int] = [:]

  package init(_ timeline: Timeline, about subject: FailureKind? = nil) {
    self.init(timeline, showing: timeline.mainFinding(about: subject), parting: nil)
  }

  /// Creates a picture with narrow lanes and short texts, for a card of an index.
  package init(forCard timeline: Timeline, about subject: FailureKind?) {
    self.init(
      timeline.abridged, showing: timeline.mainFinding(about: subject), parting: nil, in: .card)
  }

  init(
    _ timeline: Timeline, showing subject: Int?, parting: (moment: Int, text: String)?,
    in space: PictureLayout.Space = .page
  ) {
    self.timeline = timeline
    self.subject = subject
    self.parting = parting
    carried = CarriedText(timeline, about: subject.map { timeline.findings[$0] })
    var layout = PictureLayout(timeline, partingBefore: parting?.moment, in: space)
    labelGap = timeline.findings.contains { !$0.cycle.isEmpty } ? 34 : 8
    for moment in timeline.moments {
      for arrow in moment.arrows {
        let column = arrow.from.map { timeline.moments[$0].column } ?? moment.column
        layout.makeRoom(
          for: carried.label(arrow),
          at: layout.end(of: column) + max(0, labelGap - PictureLayout.inset))
      }
    }
    for link in timeline.findings.flatMap(\.cycle) {
      for (moment, text) in [
        (link.taken ?? link.wait, link.claim ?? ""), (link.wait, "waits for \(link.waitsFor)"),
      ] {
        guard let moment else { continue }
        let end = layout.end(of: timeline.moments[moment].column)
        layout.makeRoom(for: text, at: end)
      }
    }
    self.layout = layout
    let links = timeline.findings.flatMap { finding in
      finding.cycle.indices.flatMap { cycleLabels(of: $0, in: finding.cycle) }
    }
    labelShifts = shifts(of: links + timeline.moments.indices.flatMap(arrowLabels))
  }

  // MARK: Elements

  /// The picture as a separate file, in which the proof of the violation stands out.
  package var file: String {
    let height = layout.height + PictureLayout.headHeight
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      \(opening(height: height)) role="img" aria-label="timeline"\(isFocused ? " class=\"focus\"" : "")>
      <style>\(DesignTokens.style)
      \(PictureStyle.style)</style>
      <defs>\(markers)</defs>
      <rect class="ground" width="100%" height="100%"/>
      \(contents)
      </svg>

      """
  }

  /// The names of the lanes and the picture below, without selectable steps.
  private var contents: String {
    """
    \(lanes)
    <g transform="translate(0 \(PictureLayout.headHeight))">
    \(parts(isInteractive: false).joined(separator: "\n"))
    </g>
    """
  }

  /// The picture as an element of a page, which provides the colours. The steps are its text for
  /// screen readers.
  package var element: String {
    let text = timeline.moments.indices.map(spoken).joined(separator: "; ")
    return """
      \(opening(height: layout.height + PictureLayout.headHeight)) role="img" \
      aria-label="\(escaped(text))"\(isFocused ? " class=\"focus\"" : "")>
      \(contents)
      </svg>
      """
  }

  /// The names of the lanes, which stay visible while the rest scrolls.
  var heads: String {
    "\(opening(height: PictureLayout.headHeight)) class=\"heads\" aria-hidden=\"true\">\n"
      + lanes + "\n</svg>"
  }

  /// The picture below the names of the lanes, with selectable steps.
  var body: String {
    "\(opening(height: layout.height)) class=\"steps\" role=\"group\" aria-label=\"Timeline\">\n"
      + parts(isInteractive: true).joined(separator: "\n") + "\n</svg>"
  }

  /// An element of size zero with definitions that all pictures of a page refer to.
  package static let definitions =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"0\" height=\"0\" class=\"definitions\" "
    + "aria-hidden=\"true\"><defs>\(markers)</defs></svg>"

  /// A Boolean value that indicates whether some steps stand out from the rest.
  var isFocused: Bool { subject.map { timeline.isProvedBySteps($0) } ?? false }

  private func opening(height: Int) -> String {
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(layout.width)\" height=\"\(height)\" "
      + "viewBox=\"0 0 \(layout.width) \(height)\""
  }

  private func parts(isInteractive: Bool) -> [String] {
    var parts = timeline.columns.indices.map(lane)
    parts += timeline.blocks.indices.map(block)
    parts += timeline.moments.indices.map { box(at: $0, isInteractive: isInteractive) }
    // Arrows are drawn above boxes, so that no box hides an arrow.
    parts += timeline.blocks.indices.map(hop)
    parts += timeline.moments.indices.map(arrows)
    parts += timeline.findings.indices.map(marks)
    // Labels are drawn above the edges of deadlocks, which may cross them.
    parts += timeline.moments.indices.map(labels)
    parts.append(partingLine)
    return parts.filter { !$0.isEmpty }
  }

  // MARK: Lanes

  private var lanes: String {
    timeline.columns.indices.map { index in
      let center = layout.center(of: index)
      let below = timeline.contextNames(of: index)
      return "<g class=\"\(laneClass(index))\">"
        + "<text class=\"head\" x=\"\(center)\" y=\"\(below.isEmpty ? 28 : 20)\">"
        + "\(escaped(layout.headText(timeline.columns[index].name, in: index)))"
        + "<title>\(escaped(timeline.columns[index].name))</title></text>"
        + (below.isEmpty
          ? ""
          : "<text class=\"sub\" x=\"\(center)\" y=\"36\">"
            + "\(escaped(layout.headText(below, in: index)))<title>\(escaped(below))</title></text>")
        + "<rect class=\"tint\" x=\"\(layout.boxLeft(of: index))\" y=\"43\" "
        + "width=\"\(layout.width(of: index) - 2 * PictureLayout.inset)\" height=\"4\" rx=\"2\"/></g>"
    }.joined(separator: "\n")
  }

  private func lane(_ index: Int) -> String {
    let center = layout.center(of: index)
    return
      "<line class=\"lane\" x1=\"\(center)\" y1=\"0\" x2=\"\(center)\" y2=\"\(layout.height)\"/>"
  }

  private func laneClass(_ index: Int) -> String { timeline.laneClass(of: index) }

  private func block(_ index: Int) -> String {
    let rows = timeline.moments.indices.filter { timeline.moments[$0].block == index }
    guard let first = rows.first, let last = rows.last else { return "" }
    let column = timeline.blocks[index].column
    return
      "<rect class=\"block\" x=\"\(layout.x(of: column) + 6)\" y=\"\(layout.y(of: first) - 5)\" "
      + "width=\"\(layout.width(of: column) - 12)\" height=\""
      + "\(layout.y(of: last) - layout.y(of: first) + PictureLayout.boxHeight + 10)\" rx=\"8\"/>"
  }

  // MARK: Boxes

  private func box(at index: Int, isInteractive: Bool) -> String {
    let moment = timeline.moments[index]
    let text = timeline.boxLabel(moment)
    let column = moment.column
    let left = layout.boxLeft(of: column)
    let control =
      isInteractive
      ? " role=\"button\" tabindex=\"-1\" aria-label=\"\(escaped(spoken(index)))\"" : ""
    let number =
      moment.step > 0
      ? "<text class=\"step\" x=\"\(layout.space.left - 26)\" y=\"\(layout.middle(of: index) + 4)\">"
        + "\(moment.step)</text>" : ""
    return "<g class=\"\(classes(of: index))\" data-moment=\"\(index)\"\(control)>"
      + "<title>\(escaped(hint(index)))</title>\(number)"
      + "<rect x=\"\(left)\" y=\"\(layout.y(of: index))\" "
      + "width=\"\(layout.width(of: column) - 2 * PictureLayout.inset)\" "
      + "height=\"\(PictureLayout.boxHeight)\" rx=\"5\"/>"
      + "<text x=\"\(left + layout.space.padding)\" y=\"\(layout.middle(of: index) + 4)\">"
      + "\(escaped(layout.boxText(text, in: column)))</text></g>"
  }

  private func classes(of index: Int) -> String {
    let moment = timeline.moments[index]
    var classes = ["moment", moment.kind.rawValue]
    if moment.hasFailed { classes.append("failed") }
    if !moment.violations.isEmpty { classes.append("violated") }
    if moment.origin != .program { classes.append("reaction") }
    if isInProof(index) { classes.append("proof") }
    return classes.joined(separator: " ")
  }

  func isInProof(_ moment: Int) -> Bool {
    subject.map { timeline.provingMoments(of: $0).contains(moment) } ?? false
  }

  /// Returns the text that appears under the pointer. In a long run, it repeats only the label.
  private func hint(_ index: Int) -> String {
    let moment = timeline.moments[index]
    if timeline.isLong { return timeline.label(moment) }
    let kinds = timeline.kinds(at: moment).map { "✗ \($0)" }
    return
      ([timeline.label(moment)] + kinds
      + moment.arrows.flatMap(carried.lines)
      + moment.details).joined(separator: "\n")
  }

  /// Returns the text for screen readers, such as `step 8, right: save`.
  private func spoken(_ index: Int) -> String {
    let moment = timeline.moments[index]
    let step = moment.step > 0 ? "step \(moment.step), " : ""
    let kinds = timeline.kinds(at: moment).map { ", violation: \($0)" }
    return step + timeline.columns[moment.column].name + ": " + timeline.label(moment)
      + kinds.joined()
  }
}

extension Timeline {
  /// Returns the class of a lane, which selects one of six colours in turn.
  func laneClass(of column: Int) -> String { "lane-\(column % 6)" }
}

/// Returns `text` escaped for XML and HTML. Replaces control characters, which XML cannot
/// represent.
package func escaped(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    case "\"": result += "&quot;"
    case "\n", "\t": result.unicodeScalars.append(scalar)
    case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}
