import Vocabulary

/// Gates: what keeps blocks of several queues in the order of the run.
struct Gates {
  /// What the block waits for before it begins.
  var entry: String?
  /// What it opens when it has ended.
  var exit: String?
  /// Whether the block before it enqueues it when it ends.
  var isChained = false
}

extension TestWriter {
  /// Steps with the gates of those that enqueue a block: of two in a row for different queues, the
  /// second waits until the first has ended.
  mutating func gated(_ steps: [AddressedStep]) throws(Refusal) -> [(AddressedStep, Gates)] {
    var result = steps.map { ($0, Gates()) }
    if interleaving != nil, !isInReaction { return result }
    var last: Int?
    for index in steps.indices where steps[index].isEnqueued {
      defer { last = index }
      guard let last, !stack.shareQueue(steps[last].context, steps[index].context) else { continue }
      if !isInReaction, takeTurns(steps[last].context, steps[index].context) {
        throw refusal(steps[index], "blocks that take turns cannot be kept in their order")
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

  /// Whether one context was used again, during this item, after the other was.
  private func takeTurns(_ first: ContextID, _ second: ContextID) -> Bool {
    let order = rehearsal.performances.filter { $0.item == item }.map(\.action.context)
    guard let begin = order.firstIndex(of: second), let end = order.lastIndex(of: first) else {
      return false
    }
    return end > begin
  }
}

extension Stack {
  /// Whether the queue of `context` is one that the other needs: a block that waited there would
  /// keep the other from what it waits for.
  func queue(of context: ContextID, isNeededBy other: ContextID) -> Bool {
    if self[context].isOnMainQueue { return needsMainQueue(other) }
    return context == other || parent(of: other).map { queue(of: context, isNeededBy: $0) } ?? false
  }
}

extension AddressedStep {
  fileprivate var isEnqueued: Bool { if case .perform = step { true } else { false } }
}

extension [Statement] {
  /// These statements and then `others`: at the end of the closure before if they are chained.
  func followed(by others: [Statement], _ gates: Gates) -> [Statement] {
    let others = others.behind(gates)
    guard gates.isChained, case .block(let opening, let body, let end)? = last else {
      return self + others
    }
    return dropLast() + [.block(opening, body + others, end: end)]
  }

  /// The statements with these gates in the closure that they end with.
  private func behind(_ gates: Gates) -> [Statement] {
    guard gates.entry != nil || gates.exit != nil,
      case .block(let opening, let body, let end)? = last
    else { return self }
    let entry = gates.entry.map { [Statement.line("\($0).wait()")] } ?? []
    let exit = gates.exit.map { [Statement.line("\($0).signal()")] } ?? []
    return dropLast() + [.block(opening, entry + body + exit, end: end)]
  }
}
