package import Failures
import Vocabulary

/// A timeline as text, with a column for each queue, time running downwards, and the answers of
/// steps.
///
///     step  main queue (view)   edit
///        1  insert Note as n
///        2                      object view.n → n
///           edit perform
///        3                      ┌ save
package struct LaneDiagram {
  private let timeline: Timeline
  /// The maximum number of characters of a line.
  private let width: Int
  /// The only kind of violation to mark, or nil to mark all kinds.
  private let kind: FailureKind?
  /// The maximum number of moments in the diagram. A longer run, such as a loop, is shown without
  /// its middle.
  private let momentLimit: Int

  package init(
    _ timeline: Timeline, width: Int = 100, marking kind: FailureKind? = nil,
    upTo momentLimit: Int = 40
  ) {
    (self.timeline, self.width, self.kind) = (timeline, width, kind)
    self.momentLimit = momentLimit
  }

  private static let numberWidth = 4
  private static let gap = 2
  private static let endCount = 8
  /// The minimum width of a column. If lanes do not fit into a line, the line becomes longer.
  private static let leastWidth = 17

  package var lines: [String] {
    let used = usedColumns
    guard !used.isEmpty else { return [] }
    let cells = timeline.moments.map { cell($0) }
    let widths = widths(of: used, cells)
    var lines = [row("step", zip(used, widths).map { shortened(header($0), to: $1) }, widths)]
    let count = timeline.moments.count
    let omitted =
      count > momentLimit
      ? momentLimit - LaneDiagram.endCount..<count - LaneDiagram.endCount : 0..<0
    for (index, (moment, cell)) in zip(timeline.moments, cells).enumerated() {
      if index == omitted.lowerBound, !omitted.isEmpty {
        lines.append("      … \(omitted.count) more …")
      }
      if omitted.contains(index) { continue }
      guard let position = used.firstIndex(of: moment.column) else { continue }
      let parts = wrapped(cell, widths[position])
      for (index, part) in parts.enumerated() {
        var texts = Array(repeating: "", count: used.count)
        texts[position] = part
        let number = index == 0 && moment.step > 0 ? "\(moment.step)" : ""
        lines.append(row(number, texts, widths))
      }
    }
    return lines
  }

  /// The indices of the queues on which something happens.
  private var usedColumns: [Int] {
    (0..<timeline.queueCount).filter { column in
      timeline.moments.contains { $0.column == column }
    }
  }

  /// Returns the heading of a column, such as `main queue (view)`. Omits the contexts if the queue
  /// is named after its only context.
  private func header(_ index: Int) -> String {
    let column = timeline.columns[index]
    let names = column.contexts.map { timeline.places[$0.index] }
    return names.isEmpty || names == [column.name]
      ? column.name : "\(column.name) (\(names.joined(separator: ", ")))"
  }

  private func shortened(_ name: String, to width: Int) -> String {
    name.count <= width ? name : name.prefix(width - 1) + "…"
  }

  private func cell(_ moment: Timeline.Moment) -> String {
    var text = moment.text
    if let context = moment.context, timeline.columns[moment.column].contexts.count > 1 {
      text = "\(timeline.places[context.index])  \(text)"
    }
    if !moment.answers.isEmpty {
      // Show only the beginning of a failure. The transcript gives the reason in full.
      let answers = moment.answers.map { moment.hasFailed ? $0.beginning : $0 }
      text += " → " + answers.joined(separator: "; ")
    }
    switch moment.origin {
    case .program: break
    case .observer: text += " (observer)"
    case .automaticMerge: text += " (automatically)"
    }
    switch moment.kind {
    case .action, .call, .rest: break
    case .wait: text = "… " + text
    case .deadlock: text = "✗ " + text
    }
    var kinds: [FailureKind] = []
    for violation in moment.violations {
      let kind = timeline.findings[violation].kind
      if !kinds.contains(kind), self.kind == nil || self.kind == kind { kinds.append(kind) }
    }
    if !kinds.isEmpty { text += " ✗ " + kinds.map(\.name).joined(separator: ", ") }
    return bracket(moment) + text
  }

  /// Returns a bracket character that marks the moments of one block.
  private func bracket(_ moment: Timeline.Moment) -> String {
    guard let block = moment.block else { return "" }
    let all = timeline.moments.filter { $0.block == block }
    guard all.count > 1 else { return "" }
    return moment.turn == all[0].turn ? "┌ " : moment.turn == all[all.count - 1].turn ? "└ " : "│ "
  }

  /// Returns the widths of columns. Each column fits its longest text if the line allows it. Scarce
  /// space is shared fairly.
  private func widths(of used: [Int], _ cells: [String]) -> [Int] {
    let wanted = used.map { column in
      zip(timeline.moments, cells).filter { $0.0.column == column }.map(\.1.count)
        .reduce(header(column).count, max)
    }
    var left = width - LaneDiagram.numberWidth - LaneDiagram.gap * used.count
    var widths = Array(repeating: 0, count: used.count)
    // The narrowest columns come first, and their unused space goes to wider columns.
    for (rank, index) in wanted.indices.sorted(by: { (wanted[$0], $0) < (wanted[$1], $1) })
      .enumerated()
    {
      let share = max(LaneDiagram.leastWidth, left / (used.count - rank))
      widths[index] = min(wanted[index], share)
      left -= widths[index]
    }
    return widths
  }

  private func row(_ number: String, _ texts: [String], _ widths: [Int]) -> String {
    let space = String(repeating: " ", count: max(0, LaneDiagram.numberWidth - number.count))
    var line = space + number
    for (text, width) in zip(texts, widths) {
      line += String(repeating: " ", count: LaneDiagram.gap) + text
      line += String(repeating: " ", count: max(0, width - text.count))
    }
    while line.last == " " { line.removeLast() }
    return line
  }

  /// Returns lines of at most `width` characters, broken at spaces where possible.
  private func wrapped(_ text: String, _ width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let joined = line.isEmpty ? String(word) : line + " " + word
      if joined.count <= width {
        line = joined
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = lines.isEmpty ? String(word) : "  " + word
      while line.count > width {
        lines.append(String(line.prefix(width)))
        line = "  " + line.dropFirst(width)
      }
    }
    return lines + [line]
  }
}

extension String {
  /// The text before the first colon, or all of the text if it has no colon.
  fileprivate var beginning: String {
    firstRange(of: ": ").map { String(self[..<$0.lowerBound]) } ?? self
  }
}
