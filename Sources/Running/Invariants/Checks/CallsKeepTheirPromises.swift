import Failures
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Checks the promises of entry points about their calls. A call is over when all steps of its
/// blocks have run, including blocks that it enqueued.
///
/// Only calls by programs are checked. Calls of an entry point that overlap end together.
///
/// `clean work after finish` promises that the call leaves no unsaved change of the program in the
/// context. The promise covers objects that the program had changed before the call. A call in
/// which a save fails reports the error, and is not judged.
///
/// `finish saves only work` promises that a save of another context includes no object that the
/// program changed there. Changes that a child has saved to that context do not count.
///
/// `count Draft <= 1 after finish` promises that the statement holds when the call is over. The
/// author of the changes does not matter.
struct KeptCallPromises: InvariantCheck {
  static let invariants: [Invariant] = [.CallsKeepTheirPromises]

  private struct Change: Hashable {
    let object: ObjectID
    let context: ContextID
    /// The number of calls that programs had made by then.
    let callCount: Int
    let place: JournalPlace
  }

  let isIdle: Bool
  /// The objects that programs have changed and not saved, in the order of their latest changes.
  private var changes: [Change] = []
  /// The calls that are not over, as indices of `World.calls`. `failed` are calls in which a save
  /// failed.
  private var open: [Int] = []
  private var failed: [Int] = []
  private var knownCount = 0
  private var trials = PromiseTrials()

  /// The texts of the promises that the run has tested.
  var tested: [String] { trials.promises }

  init(_ world: World) {
    isIdle = world.stack.entryPoints.allSatisfy(\.promises.isEmpty)
  }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    if moment.kind == .kill {
      (changes, open, failed, knownCount) = ([], [], [], world.calls.count)
      return
    }
    note(moment, notes.journal, in: world)
    while knownCount < world.calls.count {
      let promises = world.stack.entryPoints[world.calls[knownCount].entryPoint.index].promises
      if !promises.isEmpty { open.append(knownCount) }
      for (_, promise, context) in promisesToLeaveClean(knownCount, world)
      where changes.contains(where: { $0.context == context }) {
        trials.note(promise.text)
      }
      knownCount += 1
    }
    if case .entryPoint(let id) = moment.author {
      if moment.hasFailed, moment.action.isSave {
        failed += open.filter { world.calls[$0].entryPoint == id && !failed.contains($0) }
      }
      if let context = moment.committed {
        judgeSave(of: context, by: id, notes.journal, in: world, &found)
      }
    }
    if let context = moment.committed { forgetSaved(in: context, world) }
    if !open.isEmpty { judgeFinishedCalls(notes, in: world, &found) }
  }

  /// Notes the object that a step of the program changes, and forgets objects without unsaved
  /// changes.
  private mutating func note(_ moment: Moment, _ journal: Journal, in world: World) {
    switch moment.done {
    case .rollback, .reset, .discard: changes.removeAll { $0.context == moment.context }
    default: break
    }
    // A step may undo a change.
    if !moment.action.isSave {
      changes.removeAny {
        $0.context == moment.context && !$0.context.hasUnsaved($0.object, in: world)
      }
    }
    guard moment.author == .program, moment.done?.traits.contains(.writes) == true,
      let step = moment.whole, step.step != .save
    else { return }
    guard let object = step.subject(in: world), step.context.hasUnsaved(object, in: world) else {
      return
    }
    changes.removeAll { $0.object == object && $0.context == step.context }
    let place = journal.last { $0.object == object && $0.context == step.context }
    changes.append(
      Change(
        object: object, context: step.context, callCount: world.calls.count,
        place: JournalPlace(place)))
  }

  private mutating func forgetSaved(in context: ContextID, _ world: World) {
    changes.removeAll { $0.context == context }
  }

  private mutating func judgeSave(
    of context: ContextID, by id: EntryPointID, _ journal: Journal, in world: World,
    _ found: inout [Violation]
  ) {
    for promise in world.stack.entryPoints[id.index].promises {
      guard case .savesOnly(let contexts) = promise.statement, !contexts.contains(context) else {
        continue
      }
      trials.note(promise.text)
      guard let change = changes.last(where: { $0.context == context }) else { continue }
      found.append(
        violation(
          of: promise, by: id, in: context, change, journal,
          "the save of \(world.stack[context].name) includes"))
    }
  }

  private mutating func judgeFinishedCalls(
    _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    let over = open.filter { !world.isAtWork(.entryPoint(world.calls[$0].entryPoint)) }
    if over.isEmpty { return }
    let judged = over.filter { !failed.contains($0) }
    for call in judged {
      for (id, promise, context) in promisesToLeaveClean(call, world) {
        found += leftover(of: promise, by: id, in: context, call, notes.journal, world)
      }
    }
    for (id, promise, data) in dataPromises(of: judged, world) {
      let (violations, isTested) = breaches(of: promise, data, by: id, notes, world)
      if isTested { trials.note(promise.text) }
      found += violations
    }
    open.removeAll(where: over.contains)
    failed.removeAll(where: over.contains)
  }

  /// At rest, a call is over even if its last block was lost or it performed no action.
  func checkAtRest(_ notes: RunNotes, in world: World, _ found: inout [Violation]) {
    let calls = (open + (knownCount..<world.calls.count)).filter { !failed.contains($0) }
    for call in calls {
      for (id, promise, context) in promisesToLeaveClean(call, world) {
        found += leftover(of: promise, by: id, in: context, call, notes.journal, world)
      }
    }
    for (id, promise, data) in dataPromises(of: calls, world) {
      found += breaches(of: promise, data, by: id, notes, world).violations
    }
  }

  func hashMemory(in world: World, into hasher: inout Hasher) {
    hasher.combine(self)
    hasher.combine(world.calls)
  }

  private func promisesToLeaveClean(
    _ call: Int, _ world: World
  ) -> [(id: EntryPointID, promise: CallPromise, context: ContextID)] {
    let id = world.calls[call].entryPoint
    return world.stack.entryPoints[id.index].promises.compactMap { promise in
      guard case .leavesClean(let context) = promise.statement else { return nil }
      return (id, promise, context)
    }
  }

  /// Returns the promises about data of the entry points that the calls are of, each once.
  private func dataPromises(
    of calls: [Int], _ world: World
  ) -> [(id: EntryPointID, promise: CallPromise, data: Promise)] {
    let called = calls.map { world.calls[$0].entryPoint }
    return world.stack.entryPoints.indices.map { EntryPointID($0) }.filter(called.contains)
      .flatMap { id in
        world.stack.entryPoints[id.index].promises.compactMap { promise in
          promise.data.map { (id, promise, $0) }
        }
      }
  }

  /// Returns the violations of a promise about data, and whether there were objects to judge.
  private func breaches(
    of promise: CallPromise, _ data: Promise, by id: EntryPointID, _ notes: RunNotes, _ world: World
  ) -> (violations: [Violation], isTested: Bool) {
    var (violations, isTested): ([Violation], Bool) = ([], false)
    for place in data.places {
      let promised = PromisedObjects(world.graph, in: place)
      let objects = promised.objects(of: data)
      if !objects.isEmpty { isTested = true }
      guard let breach = data.breach(among: objects, promised) else { continue }
      var violation = data.violation(
        .CallsKeepTheirPromises, breach, in: place, named: promise.text, notes, world)
      violation.author = .entryPoint(id)
      violations.append(violation)
    }
    return (violations, isTested)
  }

  /// Returns a violation for the latest change that precedes the call and is still unsaved. Returns
  /// an empty array if no such change exists.
  private func leftover(
    of promise: CallPromise, by id: EntryPointID, in context: ContextID, _ call: Int,
    _ journal: Journal, _ world: World
  ) -> [Violation] {
    let left = changes.last {
      $0.context == context && $0.callCount <= call && context.hasUnsaved($0.object, in: world)
    }
    return left.map {
      [
        violation(
          of: promise, by: id, in: context, $0, journal,
          "\(world.stack[context].name) has not saved")
      ]
    } ?? []
  }

  private func violation(
    of promise: CallPromise, by id: EntryPointID, in context: ContextID, _ change: Change,
    _ journal: Journal, _ deed: String
  ) -> Violation {
    var violation = Violation(
      .CallsKeepTheirPromises, in: context, object: change.object,
      detail: "'\(promise.text)' is violated: \(deed)")
    violation.promise = promise.text
    violation.author = .entryPoint(id)
    violation.proof = journal.lines([change.place.position])
    return violation
  }
}
