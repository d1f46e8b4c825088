import Failures
import Vocabulary

/// A timeline as SVG: time downwards, a column for each queue and store, blocks as bars, saves,
/// merges and hops as arrows, violations in red. Colours come from the page or, alone, from its own
/// style.
package struct Picture {
  private let timeline: Timeline
  /// By column: where it begins; then where the last one ends.
  private var edges = [Picture.left]

  package init(_ timeline: Timeline) {
    self.timeline = timeline
    for column in timeline.columns.indices { edges.append(edges[column] + width(for: column)) }
  }

  private static let rowHeight = 38
  private static let top = 52
  private static let left = 52
  private static let boxHeight = 28
  /// Of a character, in tenths of a pixel, and what a box and its margins take besides.
  private static let characterWidth = 67
  private static let margin = 32
  private static let widths = (least: 110, most: 370)

  private var width: Int { (edges.last ?? 0) + 12 }
  private var height: Int { Picture.top + timeline.moments.count * Picture.rowHeight + 12 }

  /// A file of its own.
  package var file: String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + element(style: Picture.style) + "\n"
  }

  /// To be put into a page; of several, one page has the definitions once.
  package func element(style: String = "", hasDefinitions: Bool = true) -> String {
    var parts = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" "
        + "viewBox=\"0 0 \(width) \(height)\" role=\"img\" aria-label=\"timeline\">",
      style.isEmpty ? "" : "<style>\(style)</style>", hasDefinitions ? Picture.arrowheads : "",
      style.isEmpty ? "" : "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>",
    ]
    parts += timeline.columns.indices.map(column)
    parts += timeline.blocks.indices.map(block)
    for index in timeline.moments.indices { parts.append(arrows(at: index)) }
    for index in timeline.moments.indices { parts.append(box(at: index)) }
    parts.append("</svg>")
    return parts.filter { !$0.isEmpty }.joined(separator: "\n")
  }

  // MARK: Places

  private func x(of column: Int) -> Int { edges[column] }

  private func width(of column: Int) -> Int { edges[column + 1] - edges[column] }

  /// As wide as its longest text, within reason.
  private func width(for column: Int) -> Int {
    let texts =
      [timeline.columns[column].name]
      + timeline.moments.filter { $0.column == column }.map(text)
    let longest = texts.map(\.count).max() ?? 0
    let wanted = (longest + 1) * Picture.characterWidth / 10 + Picture.margin
    return min(Picture.widths.most, max(Picture.widths.least, wanted))
  }

  private func center(of column: Int) -> Int { x(of: column) + width(of: column) / 2 }

  private func y(of row: Int) -> Int { Picture.top + row * Picture.rowHeight }

  private func middle(of row: Int) -> Int { y(of: row) + Picture.boxHeight / 2 }

  // MARK: Parts

  private func column(_ index: Int) -> String {
    let column = timeline.columns[index]
    let names = column.contexts.map { timeline.places[$0.index] }.filter { $0 != column.name }
    let center = center(of: index)
    let below = names.isEmpty ? "" : names.joined(separator: ", ")
    return "<text class=\"head\" x=\"\(center)\" y=\"20\">\(escaped(column.name))</text>"
      + (below.isEmpty
        ? "" : "<text class=\"sub\" x=\"\(center)\" y=\"36\">\(escaped(below))</text>")
      + "<line class=\"lane\" x1=\"\(center)\" y1=\"42\" x2=\"\(center)\" y2=\"\(height - 4)\"/>"
  }

  private func block(_ index: Int) -> String {
    let block = timeline.blocks[index]
    let rows = timeline.moments.indices.filter { timeline.moments[$0].block == index }
    guard let first = rows.first, let last = rows.last else { return "" }
    var text =
      "<rect class=\"block\" x=\"\(x(of: block.column) + 3)\" y=\"\(y(of: first) - 4)\" "
      + "width=\"\(width(of: block.column) - 6)\" "
      + "height=\"\((last - first) * Picture.rowHeight + Picture.boxHeight + 8)\" rx=\"8\"/>"
    if let turn = block.enqueuedAt {
      let before = timeline.moments[..<first].lastIndex { moment in
        moment.turn <= turn && (block.enqueuedFrom == nil || moment.column == block.enqueuedFrom)
      }
      let start = block.enqueuedFrom.map(center) ?? Picture.left - 14
      let end = center(of: block.column) - 24
      text += line(
        "hop", start, before.map { y(of: $0) + Picture.boxHeight } ?? Picture.top - 8, end,
        y(of: first) - 4)
    }
    return text
  }

  private func arrows(at index: Int) -> String {
    let moment = timeline.moments[index]
    return moment.arrows.map { arrow in
      if let from = arrow.from {
        let source = timeline.moments[from]
        return line(
          arrow.kind.rawValue, center(of: source.column), y(of: from) + Picture.boxHeight,
          center(of: moment.column), y(of: index))
      }
      guard let to = arrow.to else { return "" }
      let isRight = to > moment.column
      let edge = x(of: moment.column) + (isRight ? width(of: moment.column) - 8 : 8)
      return line(
        arrow.kind.rawValue, edge, middle(of: index),
        center(of: to) + (to == moment.column ? 20 : 0), middle(of: index))
    }.joined()
  }

  private func line(_ kind: String, _ x1: Int, _ y1: Int, _ x2: Int, _ y2: Int) -> String {
    let bend = (y1 + y2) / 2
    let path =
      y1 == y2
      ? "M\(x1) \(y1)H\(x2)" : "M\(x1) \(y1)C\(x1) \(bend) \(x2) \(bend) \(x2) \(y2)"
    return "<path class=\"arrow \(kind)\" d=\"\(path)\" marker-end=\"url(#\(kind)-head)\"/>"
  }

  private func box(at index: Int) -> String {
    let moment = timeline.moments[index]
    let text = text(moment)
    var classes = ["moment", moment.kind.rawValue]
    if moment.hasFailed { classes.append("failed") }
    if !moment.violations.isEmpty { classes.append("violated") }
    if moment.origin != .program { classes.append("reaction") }
    let left = x(of: moment.column) + 8
    let kinds = moment.violations.map { timeline.findings[$0].kind.name }
    let hint = ([text] + kinds.map { "✗ \($0)" } + moment.details).joined(separator: "\n")
    let number =
      moment.step > 0
      ? "<text class=\"step\" x=\"\(Picture.left - 22)\" y=\"\(middle(of: index) + 4)\">\(moment.step)</text>"
      : ""
    return "<g class=\"\(classes.joined(separator: " "))\" data-moment=\"\(index)\">"
      + "<title>\(escaped(hint))</title>\(number)"
      + "<rect x=\"\(left)\" y=\"\(y(of: index))\" width=\"\(width(of: moment.column) - 16)\" "
      + "height=\"\(Picture.boxHeight)\" rx=\"5\"/>"
      + "<text x=\"\(left + 8)\" y=\"\(middle(of: index) + 4)\">\(escaped(shortened(text, moment.column)))</text></g>"
  }

  private func text(_ moment: Timeline.Moment) -> String {
    var text = moment.text
    if let context = moment.context, timeline.columns[moment.column].contexts.count > 1 {
      text = "\(timeline.places[context.index]): \(text)"
    }
    if !moment.answers.isEmpty { text += " → " + moment.answers.joined(separator: "; ") }
    return text
  }

  private func shortened(_ text: String, _ column: Int) -> String {
    let limit = (width(of: column) - Picture.margin) * 10 / Picture.characterWidth
    return text.count <= limit ? text : text.prefix(limit - 1) + "…"
  }

  private static let arrowheads =
    "<defs>"
    + ["save", "merge", "hop"].map {
      "<marker id=\"\($0)-head\" class=\"\($0)\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" "
        + "markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker>"
    }.joined() + "</defs>"

  /// An element without a size, for what all pictures of a page refer to.
  package static let definitions =
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"0\" height=\"0\" style=\"position:absolute\">"
    + arrowheads + "</svg>"

  /// For pages, too: light and dark.
  static let style = """
    :root{--ground:#fff;--ink:#1c1e21;--faint:#6b7076;--rule:#d9dce0;--box:#f4f6f8;--bar:#e9eef5;
    --save:#1d6fd1;--merge:#7a3fc0;--hop:#8a8f96;--wait:#a86a00;--bad:#c62828;--badbox:#fdecea;--pick:#ffe9a8}
    @media(prefers-color-scheme:dark){:root{--ground:#15171a;--ink:#e8eaed;--faint:#9aa0a6;--rule:#34383d;
    --box:#22262b;--bar:#1c2733;--save:#6fb0ff;--merge:#c79bff;--hop:#7d838a;--wait:#e0a94a;--bad:#ff7b72;
    --badbox:#3a1d1d;--pick:#5a4a14}}
    svg{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
    svg text{fill:var(--ink)}.ground{fill:var(--ground)}
    .head{font-weight:600;text-anchor:middle}.sub{fill:var(--faint)!important;text-anchor:middle;font-size:11px}
    .step{fill:var(--faint)!important;text-anchor:end;font-size:11px}
    .lane{stroke:var(--rule)}.block{fill:var(--bar);stroke:none}
    .moment rect{fill:var(--box);stroke:var(--rule)}.moment text{font-size:11px}
    .call rect{fill:none;stroke:none}.call text:last-child{fill:var(--faint);font-style:italic}
    .reaction rect{stroke-dasharray:4 3}.wait rect{fill:var(--ground);stroke:var(--wait);stroke-dasharray:2 3}
    .wait text:last-child{fill:var(--wait)}.failed rect{stroke:var(--bad)}
    .violated rect,.deadlock rect{fill:var(--badbox);stroke:var(--bad);stroke-width:1.6}
    .arrow{fill:none;stroke-width:1.5}.arrow.save{stroke:var(--save)}.arrow.merge{stroke:var(--merge)}
    .arrow.hop{stroke:var(--hop);stroke-dasharray:4 3}
    marker.save path{fill:var(--save)}marker.merge path{fill:var(--merge)}marker.hop path{fill:var(--hop)}
    """
}

/// As XML and HTML take it; control characters, which XML has no way to write, are replaced.
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
