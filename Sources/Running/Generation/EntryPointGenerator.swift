import Determinism
import Vocabulary

/// Generates functions that an app calls. Most of them save, in ways that apps use.
struct EntryPointGenerator {
  func addEntryPoints(to stack: inout Stack, _ choices: inout Choices) {
    guard choices.chance(1, in: 5, from: .shape) else { return }
    repeat {
      addEntryPoint(to: &stack, &choices)
    } while stack.entryPoints.count < 3
      && choices.chance(1, in: 4, from: .shape)
  }

  private func addEntryPoint(to stack: inout Stack, _ choices: inout Choices) {
    let context = context(of: stack, &choices)
    switch choices.pick(weights: [4, 2, 2, 2, 2], from: .shape) {
    case 0: addSavingUpwards(from: context, to: &stack, &choices)
    case 1: addFinishing(context, to: &stack, &choices)
    case 2: addLoop(over: context, to: &stack, &choices)
    case 3: addSavingBehindFlag(of: context, to: &stack, &choices)
    default: addGroup(of: context, to: &stack, &choices)
    }
  }

  /// Saves one context and all of its ancestors. In some stacks, a failed save ends the chain.
  private func addSavingUpwards(
    from context: ContextID, to stack: inout Stack, _ choices: inout Choices
  ) {
    let waits = choices.chance(1, in: 2, from: .shape)
    let steps = stack.chain(from: context).map { level in
      let save = AddressedStep(level, .save)
      return waits ? save : AddressedStep(level, .perform([save]))
    }
    let isTried = waits && choices.chance(1, in: 2, from: .shape)
    add(
      "saveUpwards", isTried ? [AddressedStep(context, .trying(steps))] : steps, to: &stack)
  }

  /// Saves if the context has changes, then resets the context. In some stacks, a failed save
  /// prevents the reset.
  private func addFinishing(
    _ context: ContextID, to stack: inout Stack, _ choices: inout Choices
  ) {
    var steps = [saving(context), AddressedStep(context, .reset)]
    if choices.chance(1, in: 2, from: .shape) { steps = [AddressedStep(context, .trying(steps))] }
    add("finish", [block(of: context, steps, &choices)], to: &stack)
  }

  /// Loops over objects of the context, and saves the changes.
  private func addLoop(
    over context: ContextID, to stack: inout Stack, _ choices: inout Choices
  ) {
    let loops: [(ObjectSet, Treatment)] = [
      (.registered, .touch), (.registered, .refresh(mergeChanges: true)), (.inserted, .mark),
      (.updated, .edit), (.updated, .refresh(mergeChanges: false)),
    ]
    let (objects, treatment) = loops[choices.draw(below: loops.count, from: .shape)]
    let steps = [AddressedStep(context, .forEach(objects, treatment)), saving(context)]
    add("goThrough", [block(of: context, steps, &choices)], to: &stack)
  }

  /// Saves later, unless another such save is pending.
  private func addSavingBehindFlag(
    of context: ContextID, to stack: inout Stack, _ choices: inout Choices
  ) {
    if stack.flags.isEmpty { stack.flags = [Stack.Flag(name: "saving")] }
    let flag = FlagID(choices.draw(below: stack.flags.count, from: .shape))
    let later = AddressedStep(
      context, .perform([saving(context), AddressedStep(context, .setFlag(flag, false))]))
    let steps = [AddressedStep(context, .setFlag(flag, true)), later]
    let condition = Condition(.isRaised(flag), isNegated: true)
    add("saveOnce", [AddressedStep(context, .when(condition, steps))], to: &stack)
  }

  /// Saves one context in a group, and does something in another context when the group is empty.
  private func addGroup(
    of context: ContextID, to stack: inout Stack, _ choices: inout Choices
  ) {
    if stack.groups.isEmpty { stack.groups = [Stack.Group(name: "work")] }
    let group = GroupID(choices.draw(below: stack.groups.count, from: .shape))
    let other = self.context(of: stack, &choices)
    let last: Step = choices.chance(1, in: 2, from: .shape) ? .refreshAllObjects : .mergeHistory
    // Waiting with a queue that the group's work needs never ends. Some apps do it nevertheless.
    let waits = choices.chance(1, in: 16, from: .shape)
    let work = [AddressedStep(context, .save), AddressedStep(context, .leave(group))]
    let steps = [
      AddressedStep(context, .enter(group)), AddressedStep(context, .perform(work)),
      waits
        ? AddressedStep(other, .wait(group))
        : AddressedStep(other, .notify(group, [AddressedStep(other, last)])),
    ]
    add("saveInGroup", steps, to: &stack)
  }

  private func saving(_ context: ContextID) -> AddressedStep {
    AddressedStep(context, .when(Condition(.hasChanges), [AddressedStep(context, .save)]))
  }

  private func block(
    of context: ContextID, _ steps: [AddressedStep], _ choices: inout Choices
  ) -> AddressedStep {
    let waits = choices.chance(1, in: 2, from: .shape)
    return AddressedStep(context, waits ? .performAndWait(steps) : .perform(steps))
  }

  private func context(of stack: Stack, _ choices: inout Choices) -> ContextID {
    ContextID(choices.draw(below: stack.contexts.count, from: .shape))
  }

  private func add(_ name: String, _ steps: [AddressedStep], to stack: inout Stack) {
    let number = stack.entryPoints.count
    // Names are numbered, so that entry points have distinct names.
    stack.entryPoints.append(
      Stack.EntryPoint(name: number == 0 ? name : name + String(number + 1), steps: steps))
  }
}
