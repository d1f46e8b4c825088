package import Vocabulary

/// A part of a stack's design that takes steps, by what stays the same when other parts are left
/// out.
package enum DesignPart: Hashable, Sendable {
  /// Of observers that begin in the same context, these are one part until it is known which of
  /// their steps it is.
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
  /// pool, "the observer of didSave by view and work, in record" where both are observed alike,
  /// "the observer of didSave by widget, in view and feed" where it does the same in both.
  /// `design` is the whole stack: what is left of a shrunk one does not say what was alike. Of an
  /// observer `step` is what is left of the step that it is about, if that is known.
  package func withItsLike(in design: Stack, by step: AddressedStep? = nil) -> DesignPart {
    switch self {
    case .observer(of: let notification, by: let poster, in: let context):
      let alike = design.reactionsLikeThose(of: notification, by: poster, in: context, step)
      if alike.isEmpty { return self }
      let posters = design.listed(alike.map(\.observer.context))
      if alike.allSatisfy({ $0.step.context == $0.observer.context }) {
        return .observer(of: notification, by: posters, in: posters)
      }
      let acting = design.listed(alike.map(\.step.context))
      let areEachOthers = alike.allSatisfy { $0.step.context != $0.observer.context }
      return .observer(
        of: notification, by: posters,
        in: acting == posters && areEachOthers ? "the other" : acting)
    case .entryPoint(let name): return .entryPoint(design.poolName(ofEntryPoint: name))
    }
  }
}

/// What an observer does in one context.
private struct Reaction: Hashable {
  let observer: Stack.Observer
  let step: AddressedStep
}

extension Stack {
  /// Those to the notification that are the ones of this part, or do the same as one of these.
  fileprivate func reactionsLikeThose(
    of notification: NotificationName, by poster: String, in context: String,
    _ step: AddressedStep?
  ) -> [Reaction] {
    let all = observers.filter { $0.notification == notification }.flatMap { observer in
      observer.steps.map { Reaction(observer: observer, step: $0) }
    }
    var alike = all.filter { reaction in
      self[reaction.observer.context].name == poster
        && self[reaction.step.context].name == context
        && step.map { reaction.step.step.verbs.isSuperset(of: $0.step.verbs) } != false
    }
    while true {
      let wider = all.filter { other in alike.contains { doTheSame($0, other, by: step) } }
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

  /// The same step, a step of two observers that are alike if each has its own context for the
  /// other's, or what one observer does in two contexts. If `step` is given, two observers are
  /// alike if both take the kinds of steps that it consists of.
  private func doTheSame(
    _ one: Reaction, _ other: Reaction, by step: AddressedStep?
  ) -> Bool {
    if one == other || one.step == other.step && !one.step.step.onlyKeepsNote { return true }
    func areTheSame(
      _ steps: [AddressedStep], _ others: [AddressedStep], exchanging a: ContextID, _ b: ContextID
    ) -> Bool {
      var mapping = StepMapping()
      mapping.context = { $0 == a ? b : $0 == b ? a : $0 }
      return mapping(other.step).context == one.step.context
        && generalized(others.map { mapping($0) }) == generalized(steps)
    }
    if one.observer == other.observer {
      let (mine, theirs) = (one.step.context, other.step.context)
      let steps = one.observer.steps
      return mine != theirs
        && areTheSame(
          steps.filter { $0.context == mine }, steps.filter { $0.context == theirs },
          exchanging: mine, theirs)
    }
    let (mine, theirs) = (one.observer.context, other.observer.context)
    if let step, one.step.context == theirs, other.step.context == mine {
      return [one, other].allSatisfy { $0.step.step.verbs.isSuperset(of: step.step.verbs) }
    }
    return areTheSame(one.observer.steps, other.observer.steps, exchanging: mine, theirs)
  }

  /// With the first context of each pool for all of it.
  private func generalized(_ steps: [AddressedStep]) -> [AddressedStep] {
    var mapping = StepMapping()
    mapping.context = { self.representative(of: $0) }
    return steps.map { mapping($0) }
  }

  /// Returns true if the two are one part, or entry points of one pool.
  package func areAlike(_ one: Author, _ other: Author) -> Bool {
    if one == other { return true }
    guard case .entryPoint(let a) = one, case .entryPoint(let b) = other else { return false }
    return poolName(ofEntryPoint: entryPoints[a.index].name)
      == poolName(ofEntryPoint: entryPoints[b.index].name)
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

extension Step {
  /// Whether it changes nothing but what the app keeps beside its contexts.
  package var onlyKeepsNote: Bool {
    if let block { return block.allSatisfy(\.step.onlyKeepsNote) }
    return traits.contains(.keepsNote)
  }

  /// The kinds of steps that it consists of.
  fileprivate var verbs: Set<Kind> {
    (block ?? []).reduce(into: [kind]) { $0.formUnion($1.step.verbs) }
  }
}

extension String {
  /// Without the digits at its end.
  fileprivate var stem: String { String(prefix(count - reversed().prefix { $0.isNumber }.count)) }

  fileprivate func isNumbered(like other: String) -> Bool {
    stem == other.stem && stem != self && other.stem != other
  }
}
