package import Vocabulary

/// A part of a stack's design that takes steps. The identity of a part does not depend on other
/// parts, which may be omitted.
package enum DesignPart: Hashable, Sendable {
  /// An observer. Observers of one notification by one context count as one part if they begin in
  /// the same context, until the violating step is known.
  case observer(of: Stack.NotificationName, by: String, in: String)
  /// An entry point, or several that take the same steps, such as "finish and finishLate".
  case entryPoint(String)

  /// Creates the part of an author. Returns `nil` for the program, which is not part of the design.
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

  /// A text such as "the observer of didSave by work, in view".
  package var text: String {
    switch self {
    case .observer(of: let notification, by: let poster, in: let context):
      "the observer of \(notification.rawValue) by \(poster)"
        + (context == poster ? "" : ", in \(context)")
    case .entryPoint(let name):
      (name.contains(" and ") ? "the entry points " : "the entry point ") + name
    }
  }
}

extension Stack.Observer {
  /// The context of the observer's first step.
  fileprivate var beginning: ContextID { steps.first?.context ?? context }
}

// MARK: Alike parts

extension DesignPart {
  /// Returns a list such as "view, work and sync".
  fileprivate static func list(_ names: [String]) -> String {
    guard let last = names.last else { preconditionFailure("a list without names") }
    return names.count == 1 ? last : names.dropLast().joined(separator: ", ") + " and " + last
  }

  /// Returns the part extended to all contexts in which the design has an equivalent part. Examples
  /// are "finish*" for "finish2" of a pool, and "the observer of didSave by view and work, in
  /// record" where both contexts are observed alike. An observer that does the same in two contexts
  /// becomes "the observer of didSave by widget, in view and feed".
  ///
  /// - Parameters:
  ///   - design: The whole stack. A shrunk stack may lack the equivalent parts.
  ///   - step: The rest of the violating step of an observer, if that step is known.
  package func mergedWithEquivalents(in design: Stack, by step: AddressedStep? = nil) -> DesignPart
  {
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
        in: acting == posters && areEachOthers
          ? posters.contains(", ") || posters.contains("*") ? "each of the others" : "the other"
          : acting)
    case .entryPoint(let name):
      return .entryPoint(DesignPart.list(design.entryPointsLike(name)))
    }
  }
}

/// A step of an observer, which takes it in one context.
private struct Reaction: Hashable {
  let observer: Stack.Observer
  let step: AddressedStep
}

extension Stack {
  /// Returns the reactions to the notification that belong to the part, and all reactions
  /// equivalent to these.
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
      let wider = all.filter { other in alike.contains { areEquivalent($0, other, by: step) } }
      if wider.count == alike.count { return alike }
      alike = wider
    }
  }

  /// Returns a list such as "view and worker*", in the order of the stack. "worker*" stands for
  /// several contexts of a pool.
  fileprivate func listed(_ contexts: [ContextID]) -> String {
    var names: [String] = []
    for context in contextIDs where contexts.contains(context) {
      let isOneOfSeveral = twins(of: context.index).contains { contexts.contains(ContextID($0)) }
      let name = isOneOfSeveral ? self[context].name.stem + "*" : self[context].name
      if !names.contains(name) { names.append(name) }
    }
    return DesignPart.list(names)
  }

  /// Returns a Boolean value that indicates whether two reactions are equivalent. Reactions are
  /// equivalent if their steps are equal and do more than keep notes, or if an observer does the
  /// same in two contexts. Reactions of two observers are also equivalent if the observers differ
  /// only by exchanging their contexts. If `step` is given, it suffices that each reaction takes
  /// place in the other observer's context and contains the kinds of `step`.
  private func areEquivalent(
    _ one: Reaction, _ other: Reaction, by step: AddressedStep?
  ) -> Bool {
    if one == other || one.step == other.step && !one.step.step.onlyChangesAppVariables {
      return true
    }
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

  /// Returns the steps with every context of a pool replaced by the first context of the pool.
  private func generalized(_ steps: [AddressedStep]) -> [AddressedStep] {
    var mapping = StepMapping()
    mapping.context = { self.representative(of: $0) }
    return steps.map { mapping($0) }
  }

  /// Returns a Boolean value that indicates whether two authors are one part, or entry points of
  /// one pool.
  package func areAlike(_ one: Author, _ other: Author) -> Bool {
    if one == other { return true }
    guard case .entryPoint(let a) = one, case .entryPoint(let b) = other else { return false }
    return poolName(ofEntryPoint: entryPoints[a.index].name)
      == poolName(ofEntryPoint: entryPoints[b.index].name)
  }

  /// Returns the names of the entry points that take the same steps as the given one, in the order
  /// of the stack. They may take them in other contexts that differ only in name. The entry points
  /// of a pool have one name.
  fileprivate func entryPointsLike(_ name: String) -> [String] {
    guard let entry = entryPoints.first(where: { $0.name == name }) else { return [name] }
    var names: [String] = []
    for other in entryPoints where isMirror(other.steps, of: entry.steps) {
      let name = poolName(ofEntryPoint: other.name)
      if !names.contains(name) { names.append(name) }
    }
    return names.isEmpty ? [poolName(ofEntryPoint: name)] : names
  }

  /// Returns a Boolean value that indicates whether the steps are the same, perhaps with two
  /// contexts exchanged that differ only in name.
  private func isMirror(_ steps: [AddressedStep], of others: [AddressedStep]) -> Bool {
    let (mine, theirs) = (generalized(steps), generalized(others))
    if mine == theirs { return true }
    guard let a = mine.first?.context, let b = theirs.first?.context, a != b else { return false }
    var renamed = self[a]
    renamed.name = self[b].name
    if renamed != self[b] { return false }
    var mapping = StepMapping()
    mapping.context = { $0 == a ? b : $0 == b ? a : $0 }
    return generalized(steps.map { mapping($0) }) == theirs
  }

  /// Returns the name of the entry point's pool, such as "finish*" for "finish2", or `name` without
  /// a pool. The entry points of a pool take the same steps, each in its own context.
  fileprivate func poolName(ofEntryPoint name: String) -> String {
    guard let entry = entryPoints.first(where: { $0.name == name }) else { return name }
    let hasTwin = entryPoints.contains { other in
      other.name != name && other.name.isNumbered(like: name)
        && generalized(other.steps) == generalized(entry.steps)
    }
    return hasTwin ? name.stem + "*" : name
  }

  /// Returns the first context of the context's pool, or the context itself without a pool.
  private func representative(of context: ContextID) -> ContextID {
    guard let first = twins(of: context.index).first, first < context.index else { return context }
    return ContextID(first)
  }

  private func twins(of index: Int) -> [Int] {
    contexts.indices.filter { other in
      var renamed = contexts[other]
      renamed.name = contexts[index].name
      // Contexts that differ only in whether they may be discarded are twins.
      renamed.isDiscardable = contexts[index].isDiscardable
      return other != index && contexts[other].name.isNumbered(like: contexts[index].name)
        && renamed == contexts[index]
    }
  }
}

extension Step {
  /// A Boolean value that indicates whether the step changes only variables that the app keeps
  /// beside its contexts.
  package var onlyChangesAppVariables: Bool {
    if let block { return block.allSatisfy(\.step.onlyChangesAppVariables) }
    return traits.contains(.changesAppVariable)
  }

  /// The kinds of the step and of the steps in its block. A block that is waited for counts as one
  /// that is not, because both do the same.
  fileprivate var verbs: Set<Kind> {
    let own: Kind = kind == .performAndWait ? .perform : kind
    return (block ?? []).reduce(into: [own]) { $0.formUnion($1.step.verbs) }
  }
}

extension String {
  /// The string without the digits at its end.
  fileprivate var stem: String { String(prefix(count - reversed().prefix { $0.isNumber }.count)) }

  fileprivate func isNumbered(like other: String) -> Bool {
    stem == other.stem && stem != self && other.stem != other
  }
}
