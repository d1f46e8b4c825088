package import Vocabulary

/// A part of a stack's design that takes steps, by what stays the same when other parts are left
/// out.
package enum DesignPart: Hashable, Sendable {
  /// Of observers that begin in the same context, these are one part. Shrinking takes out what they
  /// do in other contexts; the name must not change with it.
  case observer(of: Stack.NotificationName, by: String, in: String)
  case entryPoint(String)

  /// Nil for the program, which is no part of the design.
  package init?(_ author: Author, in stack: Stack) {
    switch author {
    case .program: return nil
    case .observer(let index):
      let observer = stack.observers[index]
      self = .observer(
        of: observer.notification, by: stack[observer.context].name,
        in: stack[observer.beginning].name)
    case .entryPoint(let id): self = .entryPoint(stack.entryPoints[id.index].name)
    }
  }

  /// "the observer of didSave by work, in view"
  package var text: String {
    switch self {
    case .observer(of: let notification, by: let poster, in: let context):
      "the observer of \(notification.rawValue) by \(poster)"
        + (context == poster ? "" : ", in \(context)")
    case .entryPoint(let name): "the entry point \(name)"
    }
  }
}

extension Stack.Observer {
  /// The context of its first step.
  fileprivate var beginning: ContextID { steps.first?.context ?? context }
}

// MARK: Alike parts

extension DesignPart {
  /// As a part of all contexts for which a design has one like it: "finish*" for "finish2" of a
  /// pool, "the observer of didSave by view and work, in record" where both are observed alike.
  /// `design` is the whole stack: what is left of a shrunk one does not say what was alike.
  package func withItsLike(in design: Stack) -> DesignPart {
    switch self {
    case .observer(of: let notification, by: let poster, in: let context):
      let alike = design.observersLikeThose(of: notification, by: poster, in: context)
      if alike.isEmpty { return self }
      let posters = design.listed(alike.map(\.context))
      if poster == context { return .observer(of: notification, by: posters, in: posters) }
      let acting = design.listed(alike.map(\.beginning))
      return .observer(
        of: notification, by: posters, in: acting == posters ? "the other" : acting)
    case .entryPoint(let name): return .entryPoint(design.poolName(ofEntryPoint: name))
    }
  }
}

extension Stack {
  /// Those of the notification that do the same as the ones of this part, or as one of these.
  fileprivate func observersLikeThose(
    of notification: NotificationName, by poster: String, in context: String
  ) -> [Observer] {
    let all = observers.filter { $0.notification == notification }
    var alike = all.filter {
      self[$0.context].name == poster && self[$0.beginning].name == context
    }
    while true {
      let wider = all.filter { other in alike.contains { doTheSame($0, other) } }
      if wider.count == alike.count { return alike }
      alike = wider
    }
  }

  /// "view and worker*", in the order of the stack: "worker*" where several of a pool are there.
  fileprivate func listed(_ contexts: [ContextID]) -> String {
    var names: [String] = []
    for context in contextIDs where contexts.contains(context) {
      let isOneOfSeveral = twins(of: context.index).contains { contexts.contains(ContextID($0)) }
      let name = isOneOfSeveral ? self[context].name.stem + "*" : self[context].name
      if !names.contains(name) { names.append(name) }
    }
    guard let last = names.popLast() else { preconditionFailure("a list of no contexts") }
    return names.isEmpty ? last : names.joined(separator: ", ") + " and " + last
  }

  /// Each with what its own context is to it: also where either of two contexts has done to it what
  /// the other saves.
  private func doTheSame(_ one: Observer, _ other: Observer) -> Bool {
    var mapping = StepMapping()
    mapping.context = { context in
      if context == other.context { return one.context }
      return context == one.context ? other.context : context
    }
    return generalized(other.steps.map { mapping($0) }) == generalized(one.steps)
  }

  /// With the first context of each pool for all of it.
  private func generalized(_ steps: [AddressedStep]) -> [AddressedStep] {
    var mapping = StepMapping()
    mapping.context = { self.representative(of: $0) }
    return steps.map { mapping($0) }
  }

  /// "finish*" for "finish2", if it does what the other ones do, each with a context of its own.
  fileprivate func poolName(ofEntryPoint name: String) -> String {
    guard let entry = entryPoints.first(where: { $0.name == name }) else { return name }
    let hasTwin = entryPoints.contains { other in
      other.name != name && other.name.isNumbered(like: name)
        && generalized(other.steps) == generalized(entry.steps)
    }
    return hasTwin ? name.stem + "*" : name
  }

  /// The first of its pool; itself if it is in none.
  private func representative(of context: ContextID) -> ContextID {
    guard let first = twins(of: context.index).first, first < context.index else { return context }
    return ContextID(first)
  }

  private func twins(of index: Int) -> [Int] {
    contexts.indices.filter { other in
      var renamed = contexts[other]
      renamed.name = contexts[index].name
      // What may be let go of does the same until then.
      renamed.isDiscardable = contexts[index].isDiscardable
      return other != index && contexts[other].name.isNumbered(like: contexts[index].name)
        && renamed == contexts[index]
    }
  }
}

extension String {
  /// Without the digits at its end.
  fileprivate var stem: String { String(prefix(count - reversed().prefix { $0.isNumber }.count)) }

  fileprivate func isNumbered(like other: String) -> Bool {
    stem == other.stem && stem != self && other.stem != other
  }
}
