import Vocabulary

/// The gates of a block. They keep blocks of different queues in the order of the run.
struct Gates {
  /// The gate that the block waits for before it begins.
  var entry: String?
  /// The gate that the block opens when it ends.
  var exit: String?
  /// A Boolean value that indicates whether the preceding block enqueues this block when it ends.
  var isChained = false
}

extension TestWriter {
  /// Returns the steps, with gates for those that enqueue a block. If consecutive blocks run on
  /// different queues, the second waits until the first has ended.
  mutating func gated(_ steps: [AddressedStep]) throws(Refusal) -> [(AddressedStep, Gates)] {
    var result = steps.map { ($0, Gates()) }
    if interleaving != nil, !isInReaction { return result }
    var last: Int?
    for index in steps.indices where steps[index].isEnqueued {
      defer { last = index }
      guard let last, !stack.shareQueue(steps[last].context, steps[index].context) else { continue }
      if !isInReaction, takeTurns(steps[last].context, steps[index].context) {
        throw refusal(steps[index], "a test cannot keep the order of blocks that alternate")
      }
      if stack.queue(of: steps[index].context, isNeededBy: steps[last].context) {
        result[index].1.isChained = true
        continue
      }
      let gate = names.claim("gate", or: "Gate")
      gates.append(gate)
      result[last].1.exit = gate
      result[index].1.entry = gate
    }
    return result
  }

  /// Returns whether `first` was used during this item after `second` was first used.
  private func takeTurns(_ first: ContextID, _ second: ContextID) -> Bool {
    let order = rehearsal.performances.filter { $0.item == item }.map(\.action.context)
    guard let begin = order.firstIndex(of: second), let end = order.lastIndex(of: first) else {
      return false
    }
    return end > begin
  }
}

extension Stack {
  /// Returns whether `other` needs the queue of `context`. If so, a block that waited on that queue
  /// would keep `other` from finishing.
  func queue(of context: ContextID, isNeededBy other: ContextID) -> Bool {
    if self[context].isOnMainQueue { return needsMainQueue(other) }
    return context == other || parent(of: other).map { queue(of: context, isNeededBy: $0) } ?? false
  }
}

extension AddressedStep {
  fileprivate var isEnqueued: Bool { if case .perform = step { true } else { false } }
}

extension [Statement] {
  /// Returns these statements followed by `others`. Chained statements are appended to the closure
  /// at the end of these statements.
  func followed(by others: [Statement], _ gates: Gates) -> [Statement] {
    let others = others.behind(gates)
    guard gates.isChained, case .block(let opening, let body, let end)? = last else {
      return self + others
    }
    return dropLast() + [.block(opening, body + others, end: end)]
  }

  /// Returns the statements with `gates` added to the closure at their end.
  private func behind(_ gates: Gates) -> [Statement] {
    guard gates.entry != nil || gates.exit != nil,
      case .block(let opening, let body, let end)? = last
    else { return self }
    let entry = gates.entry.map { [Statement.line("\($0).wait()")] } ?? []
    let exit = gates.exit.map { [Statement.line("\($0).signal()")] } ?? []
    return dropLast() + [.block(opening, entry + body + exit, end: end)]
  }
}
