import Vocabulary

extension Timeline {
  /// The order in which queues ran, by their names, and what each did:
  /// `view: insert Note as n, save; sync: fetch Note`. Of the moments after the first `count`, and
  /// up to `end`.
  package func order(after count: Int = 0, upTo end: Int? = nil) -> String {
    var runs: [(column: Int, texts: [String])] = []
    for moment in moments.prefix(end ?? moments.count).dropFirst(count) {
      if runs.last?.column != moment.column { runs.append((moment.column, [])) }
      runs[runs.count - 1].texts.append(name(of: moment))
    }
    return runs.map { "\(columns[$0.column].name): \($0.texts.joined(separator: ", "))" }
      .joined(separator: "; ")
  }

  /// Whether it has more moments than a reader takes in at once.
  var isLong: Bool { moments.count > 40 }

  /// What it is, without what it answered; with the context, on a queue of several.
  func name(of moment: Moment) -> String {
    guard let context = moment.context, columns[moment.column].contexts.count > 1 else {
      return moment.text
    }
    return "\(places[context.index]) \(moment.text)"
  }

  /// How many moments at the beginning are the same.
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
