import Failures
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Checks the promises of entry points about changes and saves of their calls.
///
/// `clean work after finish` promises that the call leaves no unsaved change of the program in the
/// context. The promise covers objects that the program had changed before the call. A call in
/// which a save fails reports the error, and is judged only by `clean work after finish or
/// failure`. `eventually clean work after finish` promises the same for the moment at which
/// everything is at rest.
///
/// `finish saves only work` promises that a save of another context includes no object that the
/// program changed there. Changes that a child has saved to that context do not count.
///
/// `KeptPromises` checks the promises about data at the end of calls, and `KeptProperties` checks
/// the promises about properties.
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
  private var calls = OpenCalls()
  /// The latest finished call of each entry point that eventually leaves a context clean.
  private var awaitedCalls: [Int] = []
  private var trials = PromiseTrials()

  /// The texts of the promises that the run has tested.
  var testedPromises: [String] { trials.promises }

  init(_ world: World) {
    isIdle = world.stack.entryPoints.allSatisfy { entryPoint in
      entryPoint.promises.allSatisfy { promise in
        switch promise.statement {
        case .holds, .keeps: true
        case .leavesClean, .savesOnly: false
        }
      }
    }
  }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    if moment.kind == .kill {
      (changes, awaitedCalls) = ([], [])
      calls.forgetAll(in: world)
      return
    }
    note(moment, notes.journal, in: world)
    for call in calls.note(moment, in: world) {
      for (_, promise, context, _) in promisesToLeaveClean(call, world)
      where changes.contains(where: { $0.context == context }) {
        trials.note(promise.text)
      }
    }
    if case .entryPoint(let id) = moment.author, let context = moment.committed {
      judgeSave(of: context, by: id, notes.journal, in: world, &found)
    }
    if let context = moment.committed { forgetSaved(in: context, world) }
    let finished = calls.takeFinished(in: world)
    for call in finished.failed { judge(call, hasFailed: true, notes.journal, in: world, &found) }
    for call in finished.succeeded {
      judge(call, notes.journal, in: world, &found)
      awaitedCalls.removeAny { world.calls[$0].entryPoint == world.calls[call].entryPoint }
      awaitedCalls.append(call)
    }
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

  private func judge(
    _ call: Int, hasFailed: Bool = false, atRest: Bool = false, _ journal: Journal,
    in world: World, _ found: inout [Violation]
  ) {
    for (id, promise, context, occasion) in promisesToLeaveClean(call, world)
    where atRest ? occasion == .atRest : occasion == .always || occasion == .success && !hasFailed {
      found += leftover(of: promise, by: id, in: context, call, journal, world)
    }
  }

  func checkAtRest(_ notes: RunNotes, in world: World, _ found: inout [Violation]) {
    let finished = calls.finishedAtRest(in: world)
    for call in finished.failed { judge(call, hasFailed: true, notes.journal, in: world, &found) }
    for call in finished.succeeded { judge(call, notes.journal, in: world, &found) }
    // The latest call of an entry point answers for the changes before all of its calls.
    let ended = awaitedCalls + finished.succeeded
    for index in world.stack.entryPoints.indices {
      guard let call = ended.last(where: { world.calls[$0].entryPoint.index == index }) else {
        continue
      }
      judge(call, atRest: true, notes.journal, in: world, &found)
    }
  }

  func hashMemory(in world: World, into hasher: inout Hasher) {
    hasher.combine(self)
    hasher.combine(world.calls)
  }

  private func promisesToLeaveClean(
    _ call: Int, _ world: World
  ) -> [(
    id: EntryPointID, promise: CallPromise, context: ContextID, occasion: CallPromise.Occasion
  )] {
    let id = world.calls[call].entryPoint
    return world.stack.entryPoints[id.index].promises.compactMap { promise in
      switch promise.statement {
      case .leavesClean(let context, let occasion): (id, promise, context, occasion)
      case .savesOnly, .keeps, .holds: nil
      }
    }
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
    _ journal: Journal, _ breach: String
  ) -> Violation {
    var violation = Violation(
      .CallsKeepTheirPromises, in: context, object: change.object,
      detail: "'\(promise.text)' is violated: \(breach)")
    violation.subject = .promise(promise.text)
    violation.author = .entryPoint(id)
    violation.proof = journal.lines([change.place.position])
    return violation
  }
}
