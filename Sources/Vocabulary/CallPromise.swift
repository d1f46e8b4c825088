/// A promise of an entry point about each of its calls.
package struct CallPromise: Hashable, Sendable {
  package enum Statement: Hashable, Sendable {
    /// Each change that was unsaved in the context when the call was made is saved, or gone, when
    /// it is over.
    case leavesClean(ContextID)
    /// Its saves take nothing along that programs have changed in other contexts than these.
    case savesOnly([ContextID])
  }

  package var statement: Statement
  /// The promise in the words of the design. Names the promise.
  package var text: String

  package init(_ statement: Statement, text: String) {
    (self.statement, self.text) = (statement, text)
  }

  package var contexts: [ContextID] {
    switch statement {
    case .leavesClean(let context): [context]
    case .savesOnly(let contexts): contexts
    }
  }

  /// The promise in a stack without a context; nil if its words name the context.
  package func without(_ removed: ContextID) -> CallPromise? {
    contexts.contains(removed) ? nil : self
  }

  /// The promise with every context replaced.
  package func mapContexts(_ context: (ContextID) -> ContextID) -> CallPromise {
    var promise = self
    switch statement {
    case .leavesClean(let old): promise.statement = .leavesClean(context(old))
    case .savesOnly(let old): promise.statement = .savesOnly(old.map(context))
    }
    return promise
  }
}

extension Stack {
  /// The texts of all promises, in the order in which a stack lists them.
  package var promiseTexts: [String] {
    promises.map(\.text) + entryPoints.flatMap { $0.promises.map(\.text) }
  }
}
