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
      let acting = observer.steps.first?.context ?? observer.context
      self = .observer(
        of: observer.notification, by: stack[observer.context].name, in: stack[acting].name)
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

// MARK: Pools

extension DesignPart {
  /// As a part of all contexts of a pool, where it is one of several alike: "finish*" for
  /// "finish2". `design` is the whole stack: what is left of a shrunk one does not say what was
  /// alike.
  package func ofPool(in design: Stack) -> DesignPart {
    switch self {
    case .observer(of: let notification, by: let poster, in: let context):
      design.hasTwin(ofObserverOf: notification, by: poster)
        ? .observer(
          of: notification, by: design.poolName(ofContext: poster),
          in: design.poolName(ofContext: context)) : self
    case .entryPoint(let name): .entryPoint(design.poolName(ofEntryPoint: name))
    }
  }
}

extension Stack {
  /// "worker*" for "worker2", if there are other workers and they differ in nothing but their
  /// numbers.
  fileprivate func poolName(ofContext name: String) -> String {
    guard let index = contexts.firstIndex(where: { $0.name == name }), !twins(of: index).isEmpty
    else { return name }
    return name.stem + "*"
  }

  /// Whether another context of the same pool has an observer that does the same.
  fileprivate func hasTwin(
    ofObserverOf notification: NotificationName, by poster: String
  ) -> Bool {
    let all = observers.filter { $0.notification == notification }
    return all.contains { one in
      self[one.context].name == poster
        && all.contains { other in
          other.context != one.context
            && representative(of: other.context) == representative(of: one.context)
            && generalized(other.steps) == generalized(one.steps)
        }
    }
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
