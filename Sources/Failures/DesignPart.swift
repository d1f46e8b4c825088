package import Vocabulary

/// A part of a stack's design that takes steps, by what stays the same when other parts are left
/// out.
package enum DesignPart: Hashable, Sendable {
  /// Of observers that begin in the same context, these are one part. What they do elsewhere goes
  /// while a program is shrunk, and the name has to stay.
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

extension DesignPart {
  /// The same part of any member of a pool, or of contexts that differ in a number alone: `worker1`
  /// and `worker2` of `design` are `worker*`.
  package func ofAnyMember(in design: Stack) -> DesignPart {
    func any(_ name: String, of names: [String]) -> String {
      let stem = DesignPart.stem(of: name)
      return names.count { $0 != stem && DesignPart.stem(of: $0) == stem } > 1 ? stem + "*" : name
    }
    let contexts = design.contexts.map(\.name)
    switch self {
    case .observer(let notification, let poster, let place):
      return .observer(
        of: notification, by: any(poster, of: contexts), in: any(place, of: contexts))
    case .entryPoint(let name):
      return .entryPoint(any(name, of: design.entryPoints.map(\.name)))
    }
  }

  /// Without the number at its end.
  private static func stem(of name: String) -> String {
    String(name.reversed().drop(while: \.isNumber).reversed())
  }
}
