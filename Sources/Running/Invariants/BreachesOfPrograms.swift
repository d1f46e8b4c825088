import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// The promises that a program has broken itself, in contexts with its unsaved changes and in the
/// stores. `KeptPromises` reports none of them.
struct BreachesOfPrograms: Hashable {
  private var breaches: [PromiseInPlace] = []
  /// The contexts with unsaved deletions by the program.
  private var deleters: Set<ContextID> = []
  /// A Boolean value that indicates whether breaches that only a save shows are the program's. This
  /// requires that no step of the design changes objects.
  var includesSaves = true

  /// Returns a Boolean value that indicates whether the program has broken the promise anywhere.
  func haveBroken(_ promise: Promise) -> Bool { breaches.contains { $0.promise == promise.text } }

  /// Returns a Boolean value that indicates whether the program has broken the promise in a place
  /// or in the stores.
  func haveBroken(_ promise: Promise, in place: DataClaim.Place) -> Bool {
    breaches.contains {
      $0.promise == promise.text && ($0.place == place || $0.place == .stores)
    }
  }

  /// Returns a Boolean value that indicates whether the program has broken the promise in the
  /// stores, in the context of an action, or by saving a deletion.
  func haveBroken(_ promise: Promise, _ moment: Moment, in world: World) -> Bool {
    // A batch request saves nothing of its context.
    haveBroken(
      promise,
      in: moment.signs.contains(.batches)
        ? .stores : .context(moment.committed ?? moment.context))
      || includesSaves && promise.claim.mentionsRelationship(in: world)
        && moment.committed.map(deleters.contains) == true
  }

  mutating func note(_ moment: Moment, _ promises: [Promise], in world: World) {
    noteStep(moment, promises, world)
    noteSave(moment, promises, world)
  }

  /// Notes the promises that a step of the program breaks, as its context sees it. The breach must
  /// concern objects of the step, because other contexts may have saved meanwhile.
  private mutating func noteStep(_ moment: Moment, _ promises: [Promise], _ world: World) {
    switch moment.kind {
    case .kill:
      breaches.removeAll { $0.place != .stores }
      deleters = []
      return
    case .reset, .discard:
      breaches.removeAll { $0.place == .context(moment.context) }
      deleters.remove(moment.context)
    case .rollback: deleters.remove(moment.context)
    case .delete where moment.author == .program: deleters.insert(moment.context)
    default: break
    }
    guard moment.author == .program, moment.done != nil, let step = moment.whole,
      step.step.dropsChanges || !step.step.traits.isDisjoint(with: [.writes, .takesStore])
    else { return }
    // A batch request changes the stores, whatever the context has not saved.
    let isBatch = moment.signs.contains(.batches)
    let promised =
      isBatch
      ? PromisedObjects(world.graph, in: .stores)
      : PromisedObjects(world.graph, seenFrom: step.context)
    for promise in promises where !isBeside(promise.claim.mentionedProperties, step, world) {
      let breach = PromiseInPlace(
        promise: promise.text, place: isBatch ? .stores : .context(step.context))
      let objects = promised.objects(of: promise.claim)
      guard let found = promise.claim.breach(among: objects, promised) else {
        // A refresh drops the edit of one end of a relationship, but the edit of the other end is
        // still saved.
        if !step.step.dropsChanges { breaches.removeAny { $0 == breach } }
        continue
      }
      if breaches.contains(breach) { continue }
      if isOwn(found, of: promise.claim, step, world) { breaches.append(breach) }
    }
  }

  /// Notes the promises about every object that a save breaks by changes of its context. Delete
  /// rules and validation have changed objects by then. A design whose own steps change objects is
  /// not excused.
  private mutating func noteSave(_ moment: Moment, _ promises: [Promise], _ world: World) {
    guard case .step(let step, .willSave) = moment.action, includesSaves else { return }
    let promised = PromisedObjects(world.graph, seenFrom: step.context)
    for promise in promises {
      guard promise.claim.isAboutEveryObject else { continue }
      let breach = PromiseInPlace(promise: promise.text, place: .context(step.context))
      guard !breaches.contains(breach),
        let found = promise.claim.breach(
          among: promised.objects(of: promise.claim), promised),
        found.isAboutChanges(of: step.context, in: world)
      else { continue }
      breaches.append(breach)
    }
  }

  /// Returns a Boolean value that indicates whether the step can change none of `properties`. Such
  /// a step sets another property, changes both ends of another relationship, or drops edits while
  /// the promise mentions no properties.
  private func isBeside(
    _ properties: [PropertyID], _ step: AddressedStep, _ world: World
  ) -> Bool {
    switch step.step {
    case .set(_, let property, _), .setPrimitive(_, let property, _),
      .increment(_, let property, by: _):
      return !properties.contains(property)
    case .relate(let name, let property, _), .add(let name, let property, _),
      .remove(let name, let property, _), .replace(let name, let property, _):
      guard let entity = world.graph.heldID(step.context, name)?.entity else { return false }
      let inverse = world.model[entity][property].relationship?.inverse
      return !properties.contains(property) && inverse.map(properties.contains) != true
    case .refresh, .forEach: return step.step.dropsChanges && properties.isEmpty
    default: return false
    }
  }

  /// Returns a Boolean value that indicates whether a step caused a breach that shows after it.
  private func isOwn(
    _ breach: PromiseBreach, of claim: DataClaim, _ step: AddressedStep, _ world: World
  ) -> Bool {
    switch (step.step.kind, claim.statement) {
    case (.delete, .unique): return false
    case (.delete, .every):
      // A delete rule has changed an object.
      return breach.isAboutChanges(of: step.context, in: world)
    case (.delete, .count), (.delete, .sum): return true
    default: break
    }
    var objects: Set<ObjectID> = []
    var namesAny = false
    step.visitNames { name in
      namesAny = true
      if let id = world.lifelongID(of: name, in: step.context) { objects.insert(id) }
    }
    // A step without names, such as undo or a batch request, may change any object.
    if !namesAny || breach.objects.contains(where: { objects.contains(world.lifelongID($0)) }) {
      return true
    }
    // A relationship step also changes the previous destinations, which it does not name.
    return step.step.changesRelationship
      && breach.isAboutChanges(of: step.context, in: world)
  }

  /// Moves the program's breaches up with a save, to the parent or to the stores. A breach in the
  /// stores ends when the promise holds there again.
  mutating func carryUp(_ moment: Moment, _ promises: [Promise], in world: World) {
    if breaches.isEmpty, deleters.isEmpty { return }
    if world.graph.result.storeAccess.writes {
      for promise in promises
      where breaches.contains(PromiseInPlace(promise: promise.text, place: .stores))
        && promise.claim.breach(in: .stores, world) == nil
      {
        breaches.removeAny { $0 == PromiseInPlace(promise: promise.text, place: .stores) }
      }
    }
    guard let context = moment.committed else { return }
    if let parent = world.graph.parent(of: context), deleters.contains(context) {
      deleters.insert(parent)
    }
    deleters.remove(context)
    let carried = breaches.filter { $0.place == .context(context) }
    breaches.removeAll { $0.place == .context(context) }
    let parent = world.graph.parent(of: context)
    for breach in carried {
      breaches.append(
        PromiseInPlace(promise: breach.promise, place: parent.map { .context($0) } ?? .stores))
    }
  }
}

extension Step {
  /// A Boolean value that indicates whether the step changes a relationship by its accessor.
  fileprivate var changesRelationship: Bool {
    switch self {
    case .relate, .add, .remove, .replace: true
    default: false
    }
  }
}
