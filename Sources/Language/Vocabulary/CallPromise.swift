package import ObjectModel

/// A promise that an entry point keeps in each of its calls.
package struct CallPromise: Hashable, Sendable {
  package enum Statement: Hashable, Sendable {
    /// Every change that was unsaved in the context at the start of the call is saved or discarded
    /// by the occasion.
    case leavesClean(ContextID, Occasion)
    /// Saves of the call include no changes that programs made in contexts outside this list.
    case savesOnly([ContextID])
    /// The call changes none of these properties of an object, except by deleting the object.
    case keeps(EntityID, [PropertyID])
    /// The claim about data holds when the call ends. The promise's occasion has no effect.
    case holds(Promise)
  }

  /// The moment at which a call must have left its context clean.
  package enum Occasion: Hashable, Sendable {
    /// The end of the call, unless a save of the call has failed.
    case success
    /// The end of the call, even if a save of the call has failed.
    case always
    /// The moment at which all lanes are idle.
    case atRest
  }

  package var statement: Statement
  /// The promise in the words of the design. The text also identifies the promise.
  package var text: String

  package init(_ statement: Statement, text: String) {
    (self.statement, self.text) = (statement, text)
  }

  package var contexts: [ContextID] {
    switch statement {
    case .leavesClean(let context, _): [context]
    case .savesOnly(let contexts): contexts
    case .keeps: []
    case .holds(let promise): promise.contexts
    }
  }

  /// The promise about data, or `nil` if the promise is about changes or saves.
  package var data: Promise? {
    if case .holds(let promise) = statement { promise } else { nil }
  }

  /// A Boolean value that indicates whether the data of stores and contexts decides whether the
  /// promise is kept.
  package var isAboutData: Bool {
    switch statement {
    case .keeps, .holds: true
    case .leavesClean, .savesOnly: false
    }
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
    case .leavesClean(let old, let occasion):
      promise.statement = .leavesClean(context(old), occasion)
    case .savesOnly(let old): promise.statement = .savesOnly(old.map(context))
    case .keeps: break
    case .holds(let old): promise.statement = .holds(old.mapContexts(context))
    }
    return promise
  }
}

/// A promise about the behaviour of one context.
package struct ContextPromise: Hashable, Sendable {
  package enum Statement: Hashable, Sendable {
    /// When all lanes are idle, the context's objects have the values of their rows, and its
    /// fetched-results controllers list the objects that a fetch would return.
    case showsStore
    /// Merges and refreshes by the design announce an object in `objectsDidChange` of the context
    /// at most once for each change of the object.
    case announcesOnce
  }

  package var statement: Statement
  package var context: ContextID
  /// The promise in the words of the design. The text also identifies the promise.
  package var text: String

  package init(_ statement: Statement, of context: ContextID, text: String) {
    (self.statement, self.context, self.text) = (statement, context, text)
  }

  /// Returns the promise with its context replaced.
  package func mapContexts(_ context: (ContextID) -> ContextID) -> ContextPromise {
    var promise = self
    promise.context = context(self.context)
    return promise
  }
}

extension Stack {
  /// The promises about data, including those that hold at the end of calls.
  package var dataPromises: [Promise] {
    promises + entryPoints.flatMap { $0.promises.compactMap(\.data) }
  }

  /// The entities whose objects and properties the promises name.
  package var promisedEntities: [EntityID] {
    let kept = entryPoints.flatMap(\.promises).compactMap { promise -> EntityID? in
      if case .keeps(let entity, _) = promise.statement { entity } else { nil }
    }
    return dataPromises.flatMap(\.claims).map(\.entity) + kept
  }

  /// The texts of all promises, in the order in which the text of a stack lists them.
  package var promiseTexts: [String] {
    promises.map(\.text) + contextPromises.map(\.text)
      + entryPoints.flatMap { $0.promises.map(\.text) }
  }
}
