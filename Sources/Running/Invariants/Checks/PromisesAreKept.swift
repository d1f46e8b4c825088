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
/// an empty store has no owner yet, and no balance. By contrast, a promise with `eventually` is
/// judged from the moment at which the design first violates it in the place. It is broken if it
/// does not hold there once again, when everything is at rest at the latest.
struct KeptPromises: InvariantCheck {
  static let invariants: [Invariant] = [.PromisesAreKept]

  /// A promise that holds when a call of the entry point is over.
  private struct Ending: Hashable {
    let entryPoint: EntryPointID
    let data: Promise
    let text: String
  }

  private var promises: [Promise]
  private let endings: [Ending]
  /// The promises, and those of the ends of calls.
  private var all: [Promise] = []
  /// A Boolean value that indicates whether the program is an app's code. No program is then to
  /// blame, because the code is the design.
  private let judgesCode: Bool
  /// The broken promises and their places that were reported, or that are not to be reported.
  private var breaches: [PromiseInPlace] = []
  private var programs = BreachesOfPrograms()
  private var progress = PromiseProgress()
  private var calls = OpenCalls()
  private var trials = PromiseTrials()

  var isIdle: Bool { promises.isEmpty && endings.isEmpty }

  /// The texts of the promises for which the run had objects to judge.
  var testedPromises: [String] { trials.promises }

  init(_ world: World, judgesCode: Bool = false) {
    self.judgesCode = judgesCode
    promises = world.stack.promises
    endings = world.stack.entryPoints.indices.flatMap { index in
      world.stack.entryPoints[index].promises.compactMap { promise in
        promise.data.map { Ending(entryPoint: EntryPointID(index), data: $0, text: promise.text) }
      }
    }
    programs.includesSaves =
      !world.stack.ownSteps.contains { $0.contains { $0.step.changesObjects } }
    all = promises + endings.map(\.data)
    startAgain(in: world)
  }

  /// Adopts promises that were added to the end of the list.
  mutating func adoptPromises(in world: World) {
    let new = world.stack.promises.dropFirst(promises.count)
    promises = world.stack.promises
    all = promises + endings.map(\.data)
    for promise in new where promise.course != .eventually {
      for place in promise.places where promise.claim.breach(in: place, world) != nil {
        breaches.append(PromiseInPlace(promise: promise.text, place: place))
      }
    }
  }

  /// Notes the promises that do not hold yet, and their places.
  private mutating func startAgain(in world: World) {
    breaches = []
    progress.forgetContexts()
    for (promise, text) in promises.map({ ($0, $0.text) }) + endings.map({ ($0.data, $0.text) })
    where promise.course != .eventually {
      for place in promise.places {
        if promise.claim.breach(in: place, world) != nil {
          breaches.append(PromiseInPlace(promise: text, place: place))
        }
      }
    }
  }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    if moment.kind == .kill { startAgain(in: world) }
    if !judgesCode { programs.note(moment, all, in: world) }
    // By index, because most actions are no occasion, and a copy would be made for each.
    for index in promises.indices {
      for place in promises[index].places
      where moment.isOccasion(for: promises[index], in: place, world) {
        let promise = promises[index]
        let isPrograms = programs.haveBroken(promise, moment, in: world)
        let spot = PromiseInPlace(promise: promise.text, place: place)
        if promise.course == .eventually {
          if !progress.isFulfilled(spot) { follow(promise, spot, isPrograms, in: world) }
        } else {
          judge(promise, spot, isPrograms, notes, world, &found)
        }
      }
    }
    endWaits(moment, world)
    programs.carryUp(moment, all, in: world)
    if !endings.isEmpty { judgeFinishedCalls(moment, notes, world, &found) }
  }

  /// Reports a promise that the place has just stopped keeping.
  private mutating func judge(
    _ promise: Promise, _ spot: PromiseInPlace, _ isPrograms: Bool, _ notes: RunNotes,
    _ world: World, _ found: inout [Violation]
  ) {
    if progress.isReleased(spot, promise.course, in: world) { return progress.release(spot) }
    let (violation, isTested) = violation(of: promise, spot, notes, world)
    if isTested, !isPrograms { trials.note(spot.promise) }
    guard let violation else { return breaches.removeAny { $0 == spot } }
    // A promise about rest is reported at rest.
    if breaches.contains(spot) || promise.occasion == .atRest { return }
    breaches.append(spot)
    if !isPrograms { found.append(violation) }
  }

  /// Waits for a promise that the design has to keep eventually, from its first violation on.
  private mutating func follow(
    _ promise: Promise, _ spot: PromiseInPlace, _ isPrograms: Bool, in world: World
  ) {
    if promise.claim.breach(in: spot.place, world) == nil {
      if progress.isAwaited(spot) { progress.fulfill(spot) }
    } else if !isPrograms {
      trials.note(spot.promise)
      progress.beginWait(spot)
    }
  }

  /// Ends the waits for promises that calls have to keep eventually, in the places that keep them.
  private mutating func endWaits(_ moment: Moment, _ world: World) {
    for ending in endings where ending.data.course == .eventually {
      for place in ending.data.places where moment.isOccasion(for: ending.data, in: place, world) {
        let spot = PromiseInPlace(promise: ending.text, place: place)
        if progress.isAwaited(spot), ending.data.claim.breach(in: place, world) == nil {
          progress.endWait(spot)
        }
      }
    }
  }

  private mutating func judgeFinishedCalls(
    _ moment: Moment, _ notes: RunNotes, _ world: World, _ found: inout [Violation]
  ) {
    if moment.kind == .kill { return calls.forgetAll(in: world) }
    _ = calls.note(moment, in: world)
    for ending in endings(of: calls.takeFinished(in: world).succeeded, world) {
      for place in ending.data.places {
        let isPrograms = programs.haveBroken(ending.data, in: place)
        let spot = PromiseInPlace(promise: ending.text, place: place)
        if ending.data.course == .eventually {
          if ending.data.claim.breach(in: place, world) == nil {
            progress.endWait(spot)
            continue
          }
          if isPrograms { continue }
          trials.note(spot.promise)
          progress.beginWait(spot)
        } else {
          judge(ending.data, spot, isPrograms, notes, world, &found)
        }
      }
    }
  }

  private func endings(of finished: [Int], _ world: World) -> [Ending] {
    if finished.isEmpty { return [] }
    let called = finished.map { world.calls[$0].entryPoint }
    return endings.filter { called.contains($0.entryPoint) }
  }

  func hashMemory(in world: World, into hasher: inout Hasher) {
    hasher.combine(self)
    if !endings.isEmpty { hasher.combine(world.calls) }
  }

  func checkAtRest(_ notes: RunNotes, in world: World, _ found: inout [Violation]) {
    for promise in promises
    where !programs.haveBroken(promise) {
      for place in promise.places {
        let spot = PromiseInPlace(promise: promise.text, place: place)
        let isJudged =
          promise.course == .eventually
          ? progress.isAwaited(spot) : promise.occasion == .atRest && !breaches.contains(spot)
        if isJudged { judgeAtRest(promise, spot, notes, world, &found) }
      }
    }
    let finished = endings(of: calls.finishedAtRest(in: world).succeeded, world)
    for ending in endings {
      for place in ending.data.places where !programs.haveBroken(ending.data, in: place) {
        let spot = PromiseInPlace(promise: ending.text, place: place)
        let isJudged =
          progress.isAwaited(spot) || finished.contains(ending) && !breaches.contains(spot)
        if isJudged { judgeAtRest(ending.data, spot, notes, world, &found) }
      }
    }
  }

  private func judgeAtRest(
    _ promise: Promise, _ spot: PromiseInPlace, _ notes: RunNotes, _ world: World,
    _ found: inout [Violation]
  ) {
    if progress.isReleased(spot, promise.course, in: world) { return }
    if let violation = violation(of: promise, spot, notes, world).violation {
      found.append(violation)
    }
  }

  /// Returns the violation, or `nil` if the place keeps the promise. `isTested` indicates whether
  /// objects were judged.
  private func violation(
    of promise: Promise, _ spot: PromiseInPlace, _ notes: RunNotes, _ world: World
  ) -> (violation: Violation?, isTested: Bool) {
    let promised = PromisedObjects(world.graph, in: spot.place)
    let objects = promised.objects(of: promise.claim)
    let isTested = !objects.isEmpty
    guard let breach = promise.claim.breach(among: objects, promised) else {
      return (nil, isTested)
    }
    let violation = promise.violation(
      .PromisesAreKept, breach, in: spot.place, named: spot.promise, notes, world)
    return (violation, isTested)
  }
}

extension Step {
  /// A Boolean value that indicates whether the step inserts, changes or deletes objects.
  var changesObjects: Bool {
    switch self {
    case .save, .rollback: false
    case .forEach(_, .edit), .forEach(_, .mark), .forEach(_, .delete): true
    default: traits.contains(.writes)
    }
  }
}
