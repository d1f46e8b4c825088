import Failures
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Checks that values that a save reported as saved survive a kill, whatever level they had
/// reached. Databases call this the durability of acknowledged writes.
///
/// A promise is kept once its value is in a store. Until then, it stands as long as the level that
/// has the value shows it. A context that overwrites, deletes or rolls back the value there does so
/// knowingly, which ends the promise. If an entry point saves both a context and an ancestor, the
/// program's own save of that context acknowledges nothing.
///
/// A part of the design that acknowledges a save must also bring the values to a store (SV-01). If
/// the part has ended and no pending work saves the level, it has left the values behind, with or
/// without a kill. That is not reported if another entry point also saves the level, or if a save
/// of the level has failed. Nor is it reported if another part or the program has carried the
/// values further.
struct AcknowledgedSaves: InvariantCheck {
  static let invariants: [Invariant] = [.AcknowledgedSavesOutliveAKill, .SavesReachAStore]

  private struct Promise: Hashable {
    enum Subject: Hashable {
      case value(PropertyID, Value)
      case insertion, deletion

      /// Returns a Boolean value that indicates whether a promise about `other` covers one about
      /// this subject.
      func isCovered(by other: Subject) -> Bool {
        switch (self, other) {
        case (.value(let mine, _), .value(let other, _)): mine == other
        case (_, .deletion), (.insertion, .insertion): true
        default: false
        }
      }
    }

    let context: ContextID
    let object: ObjectID
    let subject: Subject
    /// The highest context that has the value.
    var level: ContextID
    package let step: Int
    /// The lane of an entry point that made the save and has not ended. `nil` once the program has
    /// been informed. An entry point that ends with an error reports the error, so its promise is
    /// dropped.
    var unacknowledgedLane: LaneID?
    /// The author of the save, which acknowledges it.
    let acknowledger: Author
    /// A Boolean value that indicates whether a save of the level has failed, or was made by
    /// another author than the acknowledger.
    var isExcused = false
  }

  private var standing: [Promise] = []
  /// The promises about values that the running save of a context has passed to its parent, indexed
  /// by context.
  private var handedOver: [[Promise]]
  /// Boolean values, indexed by context, that indicate whether an entry point of the design saves
  /// the context and one of its ancestors.
  private let isCarriedUp: [Bool]
  /// The parts of the design that save a context, indexed by context.
  private let savers: [[Author]]

  init(_ stack: Stack) {
    let contexts = stack.contextIDs
    let observers = stack.observers.indices.map { index in
      (Author.observer(index), stack.contextsSaved(by: stack.observers[index].steps))
    }
    let entryPoints = stack.entryPoints.indices.map { index in
      (
        Author.entryPoint(EntryPointID(index)),
        stack.contextsSaved(by: stack.entryPoints[index].steps)
      )
    }
    handedOver = contexts.map { _ in [] }
    isCarriedUp = contexts.map { context in
      let above = stack.chain(from: context).dropFirst()
      return entryPoints.contains { _, saves in
        saves[context.index] && above.contains { saves[$0.index] }
      }
    }
    savers = contexts.map { level in
      (observers + entryPoints).filter { _, saves in saves[level.index] }.map(\.0)
    }
  }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    let journal = notes.journal
    if standing.contains(where: { $0.unacknowledgedLane != nil }) { acknowledge(moment, in: world) }
    if moment.hasFailed, moment.action.isSave {
      for index in standing.indices where standing[index].level == moment.context {
        standing[index].isExcused = true
      }
    }
    // A commit or the end of a save may show or hide promised values although no object was
    // touched.
    var isMoved = moment.isThorough
    switch moment.action {
    case .step(_, .whole) where moment.kind == .kill:
      for promise in standing where promise.unacknowledgedLane == nil {
        let isLeft =
          isLeftBehind(promise, in: world) && !world.savesCutShort.contains(promise.level)
        let invariant: Invariant = isLeft ? .SavesReachAStore : .AcknowledgedSavesOutliveAKill
        if let violation = broken(promise, invariant, journal, in: world) {
          found.append(violation)
        }
      }
      standing = []
      handedOver = handedOver.map { _ in [] }
      return
    case .step(let step, .commit):
      if !moment.hasFailed { raise(step.context, moment, in: world) }
      isMoved = true
    case .step(let step, .finish):
      acknowledge(step.context, moment, in: world)
      isMoved = true
    default: break
    }
    if standing.isEmpty { return }
    let touched = isMoved ? .max : world.graph.touchedContexts
    if touched == 0 { return }
    standing.removeAny { promise in
      touched >> UInt64(promise.level.index & 63) & 1 == 1
        && !AcknowledgedSaves.isShown(promise, in: world)
    }
  }

  func checkAtRest(_ notes: RunNotes, in world: World, _ found: inout [Violation]) {
    for promise in standing {
      let isAcknowledged = promise.unacknowledgedLane.map { !world.isInUnfinishedCall($0) } ?? true
      guard isAcknowledged, isLeftBehind(promise, in: world) else { continue }
      if let violation = broken(promise, .SavesReachAStore, notes.journal, in: world) {
        found.append(violation)
      }
    }
  }

  private func isLeftBehind(_ promise: Promise, in world: World) -> Bool {
    guard promise.acknowledger.isDesign, !promise.isExcused else { return false }
    let chain = world.stack.chain(from: promise.context)
    return savers[promise.level.index].allSatisfy { saver in
      // An observer of a context on the way up carries the values on.
      if case .observer(let index) = saver {
        return chain.contains(world.stack.observers[index].context)
      }
      return world.stack.areAlike(saver, promise.acknowledger)
    }
  }

  /// Marks the promises of entry points that have ended as acknowledged. Drops the promises of an
  /// entry point that an error has ended.
  private mutating func acknowledge(_ moment: Moment, in world: World) {
    if moment.hasFailed, world.catchesError(of: moment.lane),
      !world.isInUnfinishedCall(moment.lane)
    {
      standing.removeAll { $0.unacknowledgedLane == moment.lane }
    }
    if moment.kind == .kill { return }
    for index in standing.indices {
      if let lane = standing[index].unacknowledgedLane, !world.isInUnfinishedCall(lane) {
        standing[index].unacknowledgedLane = nil
      }
    }
  }

  /// Moves the promises of a saved context one level up, and notes the values that the save passed
  /// to the parent. The save of a root keeps the promises of its level.
  private mutating func raise(_ context: ContextID, _ moment: Moment, in world: World) {
    guard let parent = world.graph.parent(of: context) else {
      return standing.removeAny { $0.level == context }
    }
    for index in standing.indices where standing[index].level == context {
      standing[index].level = parent
      if moment.author != standing[index].acknowledger { standing[index].isExcused = true }
    }
    handedOver[context.index] = []
    guard moment.signs.contains(.receipts) else { return }
    for case .receive(parent, let id, let received) in world.graph.result.events {
      for item in received {
        guard let value = item.value, !world.graph.isTransient(item.property, of: id.entity) else {
          continue
        }
        handedOver[context.index].append(
          Promise(
            context: context, object: world.lifelongID(id),
            subject: .value(item.property, world.lifelong(value)), level: parent,
            step: moment.step, acknowledger: moment.author))
      }
    }
  }

  /// Adds the promises of a save that has returned.
  private mutating func acknowledge(
    _ context: ContextID, _ moment: Moment, in world: World
  ) {
    var new = handedOver[context.index]
    handedOver[context.index] = []
    let isAcknowledged = world.author(of: moment.lane).isDesign || !isCarriedUp[context.index]
    guard isAcknowledged, let parent = world.graph.parent(of: context),
      moment.signs.contains(.saved)
    else {
      return
    }
    for case .didSave(_, let sets, _) in world.graph.result.events {
      for (ids, subject) in [
        (sets.inserted, Promise.Subject.insertion), (sets.deleted, .deletion),
      ] {
        new += ids.map {
          Promise(
            context: context, object: world.lifelongID($0), subject: subject, level: parent,
            step: moment.step, acknowledger: moment.author)
        }
      }
    }
    assert(
      new.allSatisfy { $0.level == parent && $0.context == context },
      "a save promises for another context")
    let unacknowledgedLane = world.isInUnfinishedCall(moment.lane) ? moment.lane : nil
    for var promise in new {
      promise.unacknowledgedLane = unacknowledgedLane
      assert(promise.step <= moment.step, "a promise of a later step")
      standing.removeAny {
        $0.object == promise.object && $0.subject.isCovered(by: promise.subject)
      }
      standing.append(promise)
    }
  }

  private static func isShown(_ promise: Promise, in world: World) -> Bool {
    switch promise.subject {
    // Deleted objects leave the context once the deletion is saved.
    case .deletion: world.graph.showsDeletion(of: promise.object, in: promise.level)
    case .insertion: world.graph.showsInsertion(of: promise.object, in: promise.level)
    case .value(let property, let value):
      world.graph.shownValue(of: property, promise.object, in: promise.level)
        .map { world.lifelong($0) == value } ?? false
    }
  }

  private func broken(
    _ promise: Promise, _ invariant: Invariant, _ journal: Journal, in world: World
  ) -> Violation? {
    let stored = world.graph.storedValues(of: promise.object)
    assert(promise.level != promise.context, "a promise that was never raised")
    var violation = Violation(invariant, in: promise.context, object: promise.object)
    violation.otherContext = promise.level
    if invariant == .SavesReachAStore { violation.author = promise.acknowledger }
    var left: Value?
    switch promise.subject {
    case .insertion: if stored != nil { return nil }
    case .deletion:
      if stored == nil { return nil }
      left = .null
      violation.detail = "the deletion of"
    case .value(let property, let value):
      // A missing object is reported once, by its insertion.
      guard let stored else { return nil }
      let there = world.lifelong(stored[world.graph.slot(of: property, in: promise.object.entity)])
      if there == value { return nil }
      left = there
      violation.property = property
      violation.values = [value, there]
    }
    // No proof line shows the saved deletion itself, so the last save would be an older one.
    let saved = journal.last { witness in
      if promise.subject == .deletion { return false }
      return if case .saves = witness.operation {
        witness.object == promise.object && witness.context == promise.context
          && (violation.property == nil || witness.property == violation.property)
      } else {
        false
      }
    }
    let save = Action.step(AddressedStep(promise.context, .save), .whole)
    // Values that were left behind were not lost by the kill.
    let killed =
      invariant == .SavesReachAStore ? nil : journal.last { $0.operation == .kill }
    violation.proof =
      (saved == nil
        ? [ProofLine(.performs(save, milliseconds: 0), by: promise.context, step: promise.step)]
        : [])
      + journal.lines([saved, killed])
      + [ProofLine(.isStored(left), of: promise.object, violation.property)]
    return violation
  }
}
