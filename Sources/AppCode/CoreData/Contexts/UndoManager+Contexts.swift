import Foundation
import LiveCode
import SimulatedCoreData
import Vocabulary

/// Connects contexts to an undo manager. The engine keeps the events of contexts in stacks, with
/// one entry for each event. The manager records new and removed entries, and groups them.
extension UndoManager {
  /// A context, and the last known number of events in each of its stacks.
  struct Registration {
    weak var context: NSManagedObjectContext?
    var undoCount = 0
    var redoCount = 0
  }

  var knownContexts: [NSManagedObjectContext] { contexts.compactMap(\.context) }

  func add(_ context: NSManagedObjectContext) {
    if knownContexts.contains(where: { $0 === context }) { return }
    contexts.append(Registration(context: context))
  }

  /// Ends the current events of all contexts, so that they can be undone.
  func processPendingChanges() {
    for context in knownContexts where context.hasStack { context.act(.processPendingChanges) }
    absorb()
  }

  /// Registers the events that contexts have ended since the last call.
  func absorb() {
    guard !isUndoing, !isRedoing else { return }
    for index in contexts.indices {
      guard let context = contexts[index].context, context.hasStack else { continue }
      let id = context.id
      let counts = context.run.read { $0.undoCounts(of: id) }
      let known = contexts[index]
      contexts[index].undoCount = counts.undo
      contexts[index].redoCount = counts.redo
      // A reset and a rollback clear both stacks (UN-03, UN-04).
      if counts.undo < known.undoCount { remove { $0 === context } }
      let first = counts.undo < known.undoCount ? 0 : known.undoCount
      for _ in first..<counts.undo { register(.event(context)) }
    }
  }

  /// Undoes or redoes the last event of a context. The engine moves the event to the other stack.
  func carryOut(in context: NSManagedObjectContext) {
    let id = context.id
    let before = context.run.read { $0.undoCounts(of: id) }
    context.act(isUndoing ? .undo : .redo)
    let after = context.run.read { $0.undoCounts(of: id) }
    if isUndoing ? after.redo > before.redo : after.undo > before.undo {
      openGroups[openGroups.count - 1].actions.append(.event(context))
    }
    for index in contexts.indices where contexts[index].context === context {
      contexts[index].undoCount = after.undo
      contexts[index].redoCount = after.redo
    }
  }
}

extension NSManagedObjectContext {
  /// A Boolean value that indicates whether the context has a parent or a coordinator, which it
  /// needs for any use.
  var hasStack: Bool { persistentStoreCoordinator != nil }
}
