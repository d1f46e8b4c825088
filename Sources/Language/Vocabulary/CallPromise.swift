/// A promise that an entry point keeps in each of its calls.
package struct CallPromise: Hashable, Sendable {
  package enum Statement: Hashable, Sendable {
    /// When the call ends, every change that was unsaved in the context at its start is saved or
    /// discarded.
    case leavesClean(ContextID)
    /// Saves of the call include no changes that programs made in contexts outside this list.
    case savesOnly([ContextID])
    /// The statement about data holds when the call ends. The promise's occasion has no effect.
    case holds(Promise)
  }

  package var statement: Statement
  /// The promise in the words of the design. The text also identifies the promise.
  package var text: String

  package init(_ statement: Statement, text: String) {
    (self.statement, self.text) = (statement, text)
  }

  package var contexts: [ContextID] {
    switch statement {
    case .leavesClean(let context): [context]
    case .savesOnly(let contexts): contexts
    case .holds(let promise): promise.contexts
    }
  }

  /// The promise about data, or `nil` if the promise is about changes or saves.
  package var data: Promise? {
    if case .holds(let promise) = statement { promise } else { nil }
  }

  /// Returns the promise in a stack without `removed`, or `nil` if nothing is left to promise.
  package func without(_ removed: ContextID) -> CallPromise? {
    guard let data else { return contexts.contains(removed) ? nil : self }
    return data.without(removed).map { CallPromise(.holds($0), text: text) }
  }

  /// Returns the promise with every context replaced.
  package func mapContexts(_ context: (ContextID) -> ContextID) -> CallPromise {
    var promise = self
    switch statement {
    case .leavesClean(let old): promise.statement = .leavesClean(context(old))
    case .savesOnly(let old): promise.statement = .savesOnly(old.map(context))
    case .holds(let old): promise.statement = .holds(old.mapContexts(context))
    }
    return promise
  }
}

extension Stack {
  /// The promises about data, including those that hold at the end of calls.
  package var dataPromises: [Promise] {
    promises + entryPoints.flatMap { $0.promises.compactMap(\.data) }
  }

  /// The texts of all promises, in the order in which the text of a stack lists them.
  package var promiseTexts: [String] {
    promises.map(\.text) + entryPoints.flatMap { $0.promises.map(\.text) }
  }
}
