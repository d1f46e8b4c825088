import Determinism
import Vocabulary

/// Generates what a stack does when a context posts a notification.
///
/// However many merge, at most one does more, and it answers another context: none can set itself
/// off, so what a step sets off comes to rest.
struct ObserverGenerator {
  func addObservers(to stack: inout Stack, _ choices: inout Choices) {
    if stack.contexts.count > 1, choices.chance(1, in: 4, from: .shape) {
      addMerging(to: &stack, &choices)
    }
    if choices.chance(1, in: 8, from: .shape) { addReaction(to: &stack, &choices) }
  }

  /// The usual way to keep contexts in step: one merges what another saves.
  private func addMerging(to stack: inout Stack, _ choices: inout Choices) {
    let saving = context(of: stack, &choices)
    let merging = context(of: stack, &choices)
    guard saving != merging else { return }
    let hasIDsOnly = choices.chance(1, in: 4, from: .shape)
    let merge = AddressedStep(merging, .mergeChanges(.delivered))
    append(
      hasIDsOnly ? .didSaveObjectIDs : .didSave, of: saving, answeredBy: merge, to: &stack,
      &choices)
  }

  private func addReaction(to stack: inout Stack, _ choices: inout Choices) {
    let posting = context(of: stack, &choices)
    let reacting = context(of: stack, &choices)
    let kind = choices.draw(below: 4, from: .shape)
    if kind == 0 {
      // Before a save is the usual moment to bring everything up to date.
      return append(
        .contextWillSave, of: posting, answeredBy: AddressedStep(posting, .processPendingChanges),
        to: &stack, &choices)
    }
    guard posting != reacting else { return }
    switch kind {
    case 1:
      append(
        .objectsDidChange, of: posting, answeredBy: AddressedStep(reacting, .refreshAllObjects),
        to: &stack, &choices)
    case 2:
      append(
        .didSave, of: posting, answeredBy: AddressedStep(reacting, .save), to: &stack, &choices)
    default:
      append(
        .didSaveObjectIDs, of: posting, answeredBy: AddressedStep(reacting, .mergeHistory),
        to: &stack, &choices)
    }
  }

  private func append(
    _ notification: Stack.NotificationName, of posting: ContextID,
    answeredBy answer: AddressedStep, to stack: inout Stack, _ choices: inout Choices
  ) {
    // To wait for another queue while holding one may never end; some apps do it nevertheless.
    let waits = answer.context == posting || choices.chance(1, in: 16, from: .shape)
    let step = waits ? answer : AddressedStep(answer.context, .perform([answer]))
    stack.observers.append(
      Stack.Observer(notification: notification, context: posting, steps: [step]))
  }

  private func context(of stack: Stack, _ choices: inout Choices) -> ContextID {
    ContextID(choices.draw(below: stack.contexts.count, from: .shape))
  }
}
