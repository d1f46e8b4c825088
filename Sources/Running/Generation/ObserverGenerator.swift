import Determinism
import Vocabulary

/// Generates observers of notifications.
///
/// At most one observer does more than merge. No observer posts the notification that it answers,
/// so the reactions to a step end.
struct ObserverGenerator {
  func addObservers(to stack: inout Stack, _ choices: inout Choices) {
    if stack.contexts.count > 1, choices.chance(1, in: 4, from: .shape) {
      addMerging(to: &stack, &choices)
    }
    if choices.chance(1, in: 8, from: .shape) { addReaction(to: &stack, &choices) }
  }

  /// Adds an observer by which one context merges the saves of another.
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
    switch choices.draw(below: 9, from: .shape) {
    case 0:
      // Apps usually bring everything up to date before a save.
      let isMarked = choices.chance(1, in: 2, from: .shape)
      append(
        .contextWillSave, of: posting,
        answeredBy: AddressedStep(
          posting, isMarked ? .forEach(.inserted, .mark) : .processPendingChanges),
        to: &stack, &choices)
    case _ where posting == reacting: break
    case 1:
      append(
        .objectsDidChange, of: posting, answeredBy: AddressedStep(reacting, .refreshAllObjects),
        to: &stack, &choices)
    case 2:
      append(
        .didSaveObjectIDs, of: posting, answeredBy: AddressedStep(reacting, .mergeHistory),
        to: &stack, &choices)
    case 3: addRemembering(of: posting, lookedUpIn: reacting, to: &stack, &choices)
    default:
      append(
        .didSave, of: posting,
        answeredBy: AddressedStep(reacting, answerToSave(in: reacting, &stack, &choices)),
        to: &stack, &choices)
    }
  }

  /// Returns a save, a loop over the saved objects, or a conditional save or merge.
  private func answerToSave(
    in context: ContextID, _ stack: inout Stack, _ choices: inout Choices
  ) -> Step {
    let save = AddressedStep(context, .save)
    switch choices.draw(below: 5, from: .shape) {
    case 0: return .save
    case 1: return .forEach(.delivered, .touch)
    case 2: return .forEach(.deliveredUpdates, .refresh(mergeChanges: true))
    case 3:
      let question: Condition.Question =
        choices.chance(1, in: 2, from: .shape) ? .hasChanges : .offMainThread
      return .when(Condition(question), [save])
    default:
      if stack.flags.isEmpty { stack.flags = [Stack.Flag(name: "paused")] }
      let flag = FlagID(choices.draw(below: stack.flags.count, from: .shape))
      let merge = AddressedStep(context, .mergeChanges(.delivered))
      return .when(Condition(.isRaised(flag), isNegated: true), [merge])
    }
  }

  /// Remembers the IDs of objects that one context saves, until another context looks them up.
  private func addRemembering(
    of posting: ContextID, lookedUpIn reacting: ContextID, to stack: inout Stack,
    _ choices: inout Choices
  ) {
    if stack.idSets.isEmpty { stack.idSets = [Stack.IDSet(name: "saved")] }
    let ids = IDSetID(choices.draw(below: stack.idSets.count, from: .shape))
    stack.observers.append(
      Stack.Observer(
        notification: .didSave, context: posting,
        steps: [AddressedStep(posting, .remember(ids, .delivered))]))
    let lookUp = [
      AddressedStep(reacting, .forEach(.remembered(ids), .touch)),
      AddressedStep(reacting, .forget(ids)),
    ]
    stack.entryPoints.append(
      Stack.EntryPoint(
        name: "lookUp", steps: [AddressedStep(reacting, .performAndWait(lookUp))]))
  }

  private func append(
    _ notification: Stack.NotificationName, of posting: ContextID,
    answeredBy answer: AddressedStep, to stack: inout Stack, _ choices: inout Choices
  ) {
    // Waiting for another queue while holding one may never end. Some apps do it nevertheless.
    let waits = answer.context == posting || choices.chance(1, in: 16, from: .shape)
    let step = waits ? answer : AddressedStep(answer.context, .perform([answer]))
    stack.observers.append(
      Stack.Observer(notification: notification, context: posting, steps: [step]))
  }

  private func context(of stack: Stack, _ choices: inout Choices) -> ContextID {
    ContextID(choices.draw(below: stack.contexts.count, from: .shape))
  }
}
