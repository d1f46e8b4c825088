package import Vocabulary

/// A part of a stack's design that takes steps, by what stays the same when other parts are left
/// out.
package enum DesignPart: Hashable, Sendable {
  /// Observers that do their work in the same contexts are one part. These are `in`, in the order
  /// in which their first steps are written: "record and view".
  case observer(of: Stack.NotificationName, by: String, in: String)
  case entryPoint(String)

  /// Nil for the program, which is no part of the design.
  package init?(_ author: Author, in stack: Stack) {
    switch author {
    case .program: return nil
    case .observer(let index):
      let observer = stack.observers[index]
      var acting: [ContextID] = []
      for step in observer.steps { step.noteWhereItActs(&acting) }
      if acting.isEmpty { acting = [observer.context] }
      self = .observer(
        of: observer.notification, by: stack[observer.context].name,
        in: acting.map { stack[$0].name }.joined(separator: " and "))
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

extension AddressedStep {
  /// Adds the contexts that it works in: its own, unless it only has others take steps or speaks to
  /// a group or a flag, and those of the steps in its block.
  fileprivate func noteWhereItActs(_ contexts: inout [ContextID]) {
    switch step {
    case .enter, .leave, .wait, .notify, .setFlag, .async, .sync, .when: break
    default: if !contexts.contains(context) { contexts.append(context) }
    }
    for inner in step.block ?? [] { inner.noteWhereItActs(&contexts) }
  }
}
