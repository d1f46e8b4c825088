import ObjectModel
import Scenario
import Vocabulary

/// Persistent history, merged as an app does it. Each context keeps its token and skips
/// transactions by its own author.
extension TestWriter {
  /// A Boolean value that indicates whether the scenario merges persistent history. If so, stores
  /// keep a history and contexts have authors.
  var mergesHistory: Bool { scenario.contains { $0.step == .mergeHistory } }

  mutating func historyStatements(_ step: AddressedStep) throws(Refusal) -> [Statement] {
    let coordinator = stack.coordinators[stack.coordinator(of: step.context).index]
    if coordinator.stores.contains(where: { stack.stores[$0.index].isInMemory }) {
      throw refusal(step, "a store in memory keeps no history")
    }
    let destroysStore = scenario.contains { step in
      if case .destroyStore = step.step { true } else { false }
    }
    if destroysStore {
      throw refusal(step, "Core Data does not accept a history token of a destroyed store")
    }
    helpers.insert(.mergeHistory)
    return [.line("try mergeHistory(into: \(names[step.context]))")]
  }

  /// Returns lines that set the context's transaction author. The author is the name of the root
  /// context, which writes the saves.
  func historyLines(_ context: ContextID) -> [String] {
    guard mergesHistory else { return [] }
    let root = stack.chain(from: context).last ?? context
    let author = "\(names[context]).transactionAuthor = \(SwiftLiteral.text(stack[root].name))"
    // A context that replaces another begins with the first transaction, as the original did.
    let isRemade = isKilled || remadeContexts.contains(context)
    return isRemade ? [author, "tokens[\(names[context]).name!] = nil"] : [author]
  }

  static var historyMethod: [Statement] {
    [
      .line("/// Merges the changes of other contexts since the last merge of the history."),
      .block(
        "private func mergeHistory(into context: NSManagedObjectContext) throws {",
        [
          .line(
            "let request = NSPersistentHistoryChangeRequest"
              + ".fetchHistory(after: tokens[context.name!])"),
          .line("let answer = try context.execute(request) as? NSPersistentHistoryResult"),
          .line(
            "let transactions = answer?.result as? [NSPersistentHistoryTransaction] ?? []"),
          .line("if let last = transactions.last { tokens[context.name!] = last.token }"),
          .block(
            "for transaction in transactions "
              + "where transaction.author != context.transactionAuthor {",
            [
              .line(
                "context.mergeChanges("
                  + "fromContextDidSave: transaction.objectIDNotification())")
            ]),
        ]),
      .empty,
    ]
  }
}
