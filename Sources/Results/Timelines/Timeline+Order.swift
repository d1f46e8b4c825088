import Vocabulary

extension Timeline {
  /// Returns the queues in the order in which they ran, each with its actions, such as
  /// `view: insert Note as n, save; sync: fetch Note`. Omits the first `count` moments, and those
  /// from `end` on.
  package func order(after count: Int = 0, upTo end: Int? = nil) -> String {
    var runs: [(column: Int, texts: [String])] = []
    for moment in moments.prefix(end ?? moments.count).dropFirst(count) {
      if runs.last?.column != moment.column { runs.append((moment.column, [])) }
      runs[runs.count - 1].texts.append(name(of: moment))
    }
    return runs.map { "\(columns[$0.column].name): \($0.texts.joined(separator: ", "))" }
      .joined(separator: "; ")
  }

  /// A Boolean value that indicates whether the timeline has too many moments to see at a glance.
  var isLong: Bool { moments.count > 40 }

  /// Returns the text of a moment without its answers, and with its context if the queue has
  /// several.
  func name(of moment: Moment) -> String {
    guard let context = moment.context, columns[moment.column].contexts.count > 1 else {
      return moment.text
    }
    return "\(places[context.index]) \(moment.text)"
  }

  /// Returns the number of moments at the beginning that both timelines share.
  package func commonCount(with other: Timeline) -> Int {
    var count = 0
    for (own, another) in zip(moments, other.moments) {
      guard own.column == another.column, own.kind == another.kind, own.text == another.text,
        own.step == another.step, own.answers == another.answers
      else { break }
      count += 1
    }
    return count
  }
}
