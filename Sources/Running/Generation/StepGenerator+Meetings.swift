import Determinism
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Generates fragments in which two contexts meet, on their queues or over shared objects.
extension StepGenerator {
  /// A context works on its queue. Another context takes its own queue and waits for the first
  /// queue (CC-07). The waiting context is mostly on the main queue, or next to the first in the
  /// tree.
  mutating func waitForWork(
    of context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    let others = contexts.filter {
      world.queue(of: $0) != world.queue(of: context)
        && !hasEnding($0)
    }
    let near = others.filter {
      stack[$0].concurrencyType == .mainQueue || stack.parent(of: $0) == context
        || stack.parent(of: context) == $0
    }
    let isNear = !near.isEmpty && !choices.chance(1, in: 4, from: .workload)
    let candidates = isNear ? near : others
    guard !candidates.isEmpty else { return nil }
    let waiting = candidates[choices.draw(below: candidates.count, from: .workload)]
    var work: [AddressedStep]
    if choices.chance(1, in: 2, from: .workload), let change = set(in: context, world, &choices) {
      work = [AddressedStep(context, change)]
    } else {
      let entity = concrete[choices.draw(below: concrete.count, from: .workload)]
      work = newObject(of: entity, in: context, world, &choices).needs
    }
    work.append(AddressedStep(context, .save))
    due.append(wait(for: context, in: waiting))
    return .perform(work)
  }

  /// Returns a step in which a context takes its own queue and waits for another context's queue.
  func wait(for context: ContextID, in waiting: ContextID) -> AddressedStep {
    let question = AddressedStep(context, .performAndWait([AddressedStep(context, .hasChanges)]))
    return AddressedStep(waiting, .performAndWait([question]))
  }

  /// Two contexts read two objects, and each changes the object that the other has read. One saves
  /// while the other reads again, then the other saves.
  mutating func repeatedRead(
    in context: ContextID, _ world: World, _ choices: inout Choices
  ) -> Step? {
    let other = anyContext(&choices)
    guard other != context, !hasEnding(other),
      let (mine, property, attribute) = subject(for: context, world, &choices),
      let (theirs, secondProperty, secondAttribute) = subject(for: other, world, &choices)
    else { return nil }
    func look(_ place: ContextID, _ name: ObjectName, _ property: PropertyID) -> AddressedStep {
      AddressedStep(place, .get(name, property))
    }
    let entity = entities[mine.name.index]
    let value = newValue(for: attribute, property, of: entity, &choices)
    due = [
      AddressedStep(context, .object(with: theirs, as: theirs.name)),
      AddressedStep(other, .object(with: mine, as: mine.name)),
      AddressedStep(other, .object(with: theirs, as: theirs.name)),
      look(context, mine.name, property), look(other, theirs.name, secondProperty),
      AddressedStep(other, .set(mine.name, property, value)),
    ]
    let changesToo =
      (mine.name, property) != (theirs.name, secondProperty)
      && choices.chance(1, in: 2, from: .workload)
    if changesToo {
      let value = newValue(
        for: secondAttribute, secondProperty, of: entities[theirs.name.index], &choices)
      due.append(AddressedStep(context, .set(theirs.name, secondProperty, value)))
    }
    // In a design, a merge may be under way meanwhile, so one context saves while the other
    // fetches.
    if swarm.isDesigned, choices.chance(1, in: 2, from: .workload) {
      let fetch = AddressedStep(context, .fetch(FetchRequest(entity: entity)))
      due += [
        AddressedStep(other, .perform([AddressedStep(other, .save)])),
        AddressedStep(context, .performAndWait([fetch, look(context, mine.name, property)])),
      ]
    } else {
      due += [AddressedStep(other, .save), look(context, mine.name, property)]
    }
    if changesToo { due.append(AddressedStep(context, .save)) }
    return .object(with: mine, as: mine.name)
  }
}
