import LiveCode
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Declarations of contexts to the engine.
extension NSManagedObjectContext {
  private func declaration(named name: String) -> Stack.Context {
    let above: Stack.Parent
    if let parent {
      above = .context(parent.id)
    } else if let coordinator {
      above = .coordinator(coordinator.id)
    } else {
      misuse("a context without a parent and without a coordinator is used")
    }
    var declared = Stack.Context(
      name: name,
      concurrencyType: concurrencyType == .mainQueueConcurrencyType ? .mainQueue : .privateQueue,
      parent: above)
    guard let policy = mergePolicy as? NSMergePolicy else {
      misuse("the merge policy is not an NSMergePolicy")
    }
    declared.mergePolicy =
      policy.isOfApp && !isTryingAgain ? .error : policy.mergeType.policy
    declared.automaticallyMergesChangesFromParent = automaticallyMergesChangesFromParent
    declared.shouldDeleteInaccessibleFaults = shouldDeleteInaccessibleFaults
    declared.retainsRegisteredObjects = retainsRegisteredObjects
    declared.propagatesDeletesAtEndOfEvent = propagatesDeletesAtEndOfEvent
    declared.hasZeroStaleness = stalenessInterval == 0
    declared.hasUndoManager = undoManager != nil
    return declared
  }

  /// The ID of the context in the engine. The first use declares the context to the engine.
  var id: ContextID {
    checkIsOfRun(run, name ?? kind)
    if let declaredID { return declaredID }
    let id = state.add(self, declaration(named: state.uniqueName(name ?? kind)))
    declaredID = id
    return id
  }

  func redeclare() {
    guard let declaredID else { return }
    let declared = declaration(named: run.stack[declaredID].name)
    run.declare { stack, _ in stack.contexts[declaredID.index] = declared }
  }
}
