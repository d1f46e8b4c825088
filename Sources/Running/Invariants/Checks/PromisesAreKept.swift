import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Checks that the promises of the design hold, each in its places and on its occasions. A broken
/// promise is reported once, until it has been kept again.
///
/// A program breaks a promise itself if it could have known. Right after its step, a fetch in its
/// context would show that the promise does not hold. The design breaks a promise if each context
/// kept it as far as it knew, but the place does not.
///
/// A save of a deletion by the program may clear relationships that no step showed as cleared. By
/// that, the program breaks a promise about relationships.
///
/// A promise can also hold at the end of each call of an entry point in which no save fails. The
/// end of a call is noticed at the next action of any lane.
///
/// A promise is judged in a place from the moment at which the place first keeps it. For example,
/// an empty store has no owner yet, and no balance.
struct KeptPromises: InvariantCheck {
  static let invariants: [Invariant] = [.PromisesAreKept]

  private struct Breach: Hashable {
    let promise: String
    let place: Promise.Place
  }

  /// A promise that holds when a call of the entry point is over.
  private struct Ending: Hashable {
    let entryPoint: EntryPointID
    let data: Promise
    let text: String
  }

  private let promises: [Promise]
  private let endings: [Ending]
  /// A Boolean value that indicates whether steps of the design change objects.
  private let changesObjects: Bool
  /// The broken promises and their places that were reported, or that are not to be reported.
  private var breaches: [Breach] = []
  /// The promises that the program has broken, in contexts with its unsaved changes and in the
  /// stores.
  private var programsBreaches: [Breach] = []
  /// The contexts with unsaved deletions by the program.
  private var deleters: Set<ContextID> = []
  private var calls = OpenCalls()
  private var trials = PromiseTrials()

  var isIdle: Bool { promises.isEmpty && endings.isEmpty }

  private var allPromises: [Promise] { promises + endings.map(\.data) }

  /// The texts of the promises for which the run had objects to judge.
  var tested: [String] { trials.promises }

  init(_ world: World) {
    promises = world.stack.promises
    endings = world.stack.entryPoints.indices.flatMap { index in
      world.stack.entryPoints[index].promises.compactMap { promise in
        promise.data.map { Ending(entryPoint: EntryPointID(index), data: $0, text: promise.text) }
      }
    }
    changesObjects = world.stack.ownSteps.contains { $0.contains { $0.step.changesObjects } }
    startAgain(in: world)
  }

  /// Notes the promises that do not hold yet, and their places.
  private mutating func startAgain(in world: World) {
    breaches = []
    for (promise, text) in promises.map({ ($0, $0.text) }) + endings.map({ ($0.data, $0.text) }) {
      for place in promise.places {
        let promised = PromisedObjects(world.graph, in: place)
        if promise.breach(among: promised.objects(of: promise), promised) != nil {
          breaches.append(Breach(promise: text, place: place))
        }
      }
    }
  }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    noteProgramsBreaches(moment, world)
    noteBreachesOfSave(moment, world)
    for promise in promises {
      for place in promise.places where moment.isOccasion(for: promise, in: place, world) {
        let breach = Breach(promise: promise.text, place: place)
        let (violation, isTested) = judge(promise, named: promise.text, in: place, notes, world)
        let isPrograms =
          isBrokenByProgram(promise, moment.committed ?? moment.context)
          || !changesObjects && promise.mentionsRelationship(in: world)
            && moment.committed.map(deleters.contains) == true
        if isTested, !isPrograms { trials.note(promise.text) }
        guard let violation else {
          breaches.removeAny { $0 == breach }
          continue
        }
        // A promise about rest is reported at rest.
        if breaches.contains(breach) || promise.occasion == .atRest { continue }
        breaches.append(breach)
        if !isPrograms { found.append(violation) }
      }
    }
    carryUp(moment, world)
    if !endings.isEmpty { judgeFinishedCalls(moment, notes, world, &found) }
  }

  private mutating func judgeFinishedCalls(
    _ moment: Moment, _ notes: RunNotes, _ world: World, _ found: inout [Violation]
  ) {
    if moment.kind == .kill { return calls.forgetAll(in: world) }
    _ = calls.note(moment, in: world)
    for ending in endings(of: calls.takeFinished(in: world), world) {
      for place in ending.data.places {
        let breach = Breach(promise: ending.text, place: place)
        let (violation, isTested) = judge(ending.data, named: ending.text, in: place, notes, world)
        let isPrograms = isBrokenByProgram(ending, in: place)
        if isTested, !isPrograms { trials.note(ending.text) }
        guard let violation else {
          breaches.removeAny { $0 == breach }
          continue
        }
        if breaches.contains(breach) { continue }
        breaches.append(breach)
        if !isPrograms { found.append(violation) }
      }
    }
  }

  private func endings(of finished: [Int], _ world: World) -> [Ending] {
    if finished.isEmpty { return [] }
    let called = finished.map { world.calls[$0].entryPoint }
    return endings.filter { called.contains($0.entryPoint) }
  }

  private func isBrokenByProgram(_ ending: Ending, in place: Promise.Place) -> Bool {
    programsBreaches.contains {
      $0.promise == ending.data.text && ($0.place == place || $0.place == .stores)
    }
  }

  private func isBrokenByProgram(_ promise: Promise, _ context: ContextID) -> Bool {
    programsBreaches.contains {
      $0.promise == promise.text && ($0.place == .stores || $0.place == .context(context))
    }
  }

  /// Notes the promises that a step of the program breaks, as its context sees it. The breach must
  /// concern objects of the step, because other contexts may have saved meanwhile.
  private mutating func noteProgramsBreaches(_ moment: Moment, _ world: World) {
    switch moment.kind {
    case .kill:
      programsBreaches.removeAll { $0.place != .stores }
      deleters = []
      startAgain(in: world)
      return
    case .reset, .discard:
      programsBreaches.removeAll { $0.place == .context(moment.context) }
      deleters.remove(moment.context)
    case .rollback: deleters.remove(moment.context)
    case .delete where moment.author == .program: deleters.insert(moment.context)
    default: break
    }
    guard moment.author == .program, moment.done != nil, let step = moment.whole,
      step.step.dropsChanges || !step.step.traits.isDisjoint(with: [.writes, .takesStore])
    else { return }
    let promised = PromisedObjects(world.graph, seenFrom: step.context)
    for promise in allPromises where !isBeside(promise.mentionedProperties, step, world) {
      let breach = Breach(promise: promise.text, place: .context(step.context))
      let objects = promised.objects(of: promise)
      guard let found = promise.breach(among: objects, promised) else {
        // A refresh drops the edit of one end of a relationship, but the edit of the other end is
        // still saved.
        if !step.step.dropsChanges { programsBreaches.removeAny { $0 == breach } }
        continue
      }
      if programsBreaches.contains(breach) { continue }
      if isOwn(found, of: promise, step, world) { programsBreaches.append(breach) }
    }
  }

  /// Notes the promises about every object that a save breaks by changes of its context. Delete
  /// rules and validation have changed objects by then. A design whose own steps change objects is
  /// not excused.
  private mutating func noteBreachesOfSave(_ moment: Moment, _ world: World) {
    guard case .step(let step, .willSave) = moment.action, !changesObjects else { return }
    let promised = PromisedObjects(world.graph, seenFrom: step.context)
    for promise in allPromises {
      guard promise.isAboutEveryObject else { continue }
      let breach = Breach(promise: promise.text, place: .context(step.context))
      guard !programsBreaches.contains(breach),
        let found = promise.breach(among: promised.objects(of: promise), promised),
        found.isAboutChanges(of: step.context, in: world)
      else { continue }
      programsBreaches.append(breach)
    }
  }

  /// Returns a Boolean value that indicates whether the step can change none of `properties`. Such
  /// a step sets another property, changes both ends of another relationship, or drops edits while
  /// the promise mentions no properties.
  private func isBeside(
    _ properties: [PropertyID], _ step: AddressedStep, _ world: World
  ) -> Bool {
    switch step.step {
    case .set(_, let property, _), .setPrimitive(_, let property, _), .increment(_, let property):
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
    _ breach: PromiseBreach, of promise: Promise, _ step: AddressedStep, _ world: World
  ) -> Bool {
    switch (step.step.kind, promise.statement) {
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

  /// Moves the program's breaches up with a save or a batch request, to the parent or to the
  /// stores. A breach in the stores ends when the promise holds there again.
  private mutating func carryUp(_ moment: Moment, _ world: World) {
    if programsBreaches.isEmpty, deleters.isEmpty { return }
    if world.graph.result.storeAccess.writes {
      let promised = PromisedObjects(world.graph, in: .stores)
      for promise in allPromises
      where programsBreaches.contains(Breach(promise: promise.text, place: .stores))
        && promise.breach(among: promised.objects(of: promise), promised) == nil
      {
        programsBreaches.removeAny { $0 == Breach(promise: promise.text, place: .stores) }
      }
    }
    let isBatch =
      moment.done == .batchUpdate || moment.done == .batchInsert
      || moment.done == .batchDelete
    guard let context = moment.committed ?? (isBatch ? moment.context : nil) else { return }
    if let parent = world.graph.parent(of: context), deleters.contains(context) {
      deleters.insert(parent)
    }
    deleters.remove(context)
    let carried = programsBreaches.filter { $0.place == .context(context) }
    programsBreaches.removeAll { $0.place == .context(context) }
    let parent = isBatch ? nil : world.graph.parent(of: context)
    for breach in carried {
      programsBreaches.append(
        Breach(promise: breach.promise, place: parent.map { .context($0) } ?? .stores))
    }
  }

  func hashMemory(in world: World, into hasher: inout Hasher) {
    hasher.combine(self)
    if !endings.isEmpty { hasher.combine(world.calls) }
  }

  func checkAtRest(_ notes: RunNotes, in world: World, _ found: inout [Violation]) {
    for promise in promises
    where promise.occasion == .atRest
      && !programsBreaches.contains(where: { $0.promise == promise.text })
    {
      for place in promise.places
      where !breaches.contains(Breach(promise: promise.text, place: place)) {
        let judged = judge(promise, named: promise.text, in: place, notes, world)
        if let violation = judged.violation { found.append(violation) }
      }
    }
    for ending in endings(of: calls.finishedAtRest(in: world), world) {
      for place in ending.data.places
      where !breaches.contains(Breach(promise: ending.text, place: place))
        && !isBrokenByProgram(ending, in: place)
      {
        let judged = judge(ending.data, named: ending.text, in: place, notes, world)
        if let violation = judged.violation { found.append(violation) }
      }
    }
  }

  /// Returns the violation, or `nil` if the promise is kept. `isTested` indicates whether objects
  /// were judged.
  private func judge(
    _ promise: Promise, named text: String, in place: Promise.Place, _ notes: RunNotes,
    _ world: World
  ) -> (violation: Violation?, isTested: Bool) {
    let promised = PromisedObjects(world.graph, in: place)
    let objects = promised.objects(of: promise)
    let isTested = !objects.isEmpty
    guard let breach = promise.breach(among: objects, promised) else { return (nil, isTested) }
    let violation = promise.violation(
      .PromisesAreKept, breach, in: place, named: text, notes, world)
    return (violation, isTested)
  }
}

extension Promise {
  fileprivate func mentionsRelationship(in world: World) -> Bool {
    mentionedProperties.contains { world.model[entity][$0].relationship != nil }
  }
}

extension Step {
  /// A Boolean value that indicates whether the step inserts, changes or deletes objects.
  fileprivate var changesObjects: Bool {
    switch self {
    case .save, .rollback: false
    case .forEach(_, .edit), .forEach(_, .mark), .forEach(_, .delete): true
    default: traits.contains(.writes)
    }
  }

  /// A Boolean value that indicates whether the step changes a relationship by its accessor.
  fileprivate var changesRelationship: Bool {
    switch self {
    case .relate, .add, .remove, .replace: true
    default: false
    }
  }
}
