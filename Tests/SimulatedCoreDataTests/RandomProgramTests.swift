import Determinism
import Foundation
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Testing
import Vocabulary

@Suite struct `A random program` {
  /// `.ci/thorough` runs all of them.
  private static let count: UInt64 =
    ProcessInfo.processInfo.environment["FAULTLINE_THOROUGH"] == nil ? 12 : 25

  @Test(arguments: 0..<8)
  func `a random program keeps every invariant, and repeats itself`(part: UInt64) {
    for seed in (part * Self.count)..<((part + 1) * Self.count) {
      let (first, world) = run(seed: seed, checksInvariants: true)
      let (second, again) = run(seed: seed, checksInvariants: false)
      #expect(first == second, "seed \(seed)")
      #expect(world == again && world.hashValue == again.hashValue, "seed \(seed)")
      // Only a deadlock ends a program early.
      #expect(
        first.count > 60 || !world.dispatcher.deadlocks.isEmpty,
        "seed \(seed) performed only \(first.count) actions")
    }
  }

  @Test func `a random program is different for another seed`() {
    let programs = (0..<20).map { run(seed: $0, checksInvariants: false).performed }
    #expect(Set(programs).count == 20)
  }

  @Test func `random programs go through every kind of trouble`() {
    var events: [Event] = []
    var deadlockCount = 0
    for seed: UInt64 in 0..<100 {
      let (performed, world) = run(seed: seed, checksInvariants: false)
      events += performed.events
      deadlockCount += world.dispatcher.deadlocks.count
    }
    func count(_ isMeant: (Failure) -> Bool) -> Int {
      events.count { if case .failed(let failure) = $0 { isMeant(failure) } else { false } }
    }
    #expect(deadlockCount > 0)
    #expect(events.count { $0 == .saved } > 200)
    #expect(count { if case .mergeConflicts = $0 { true } else { false } } > 0)
    #expect(count { if case .missingObject = $0 { true } else { false } } > 0)
    #expect(count { if case .inaccessible = $0 { true } else { false } } > 0)
    #expect(count { $0 == .noContext } > 0)
  }

  // MARK: The program

  private func run(
    seed: UInt64, checksInvariants: Bool
  ) -> (performed: [Performed], world: World) {
    var choices = Choices(seed: seed)
    let profile = Profile.allCases[choices.draw(below: Profile.allCases.count, from: .shape)]
    let policies = (0..<4).map { _ in
      choices.chance(1, in: 2, from: .shape)
        ? .error
        : MergePolicy.allCases[choices.draw(below: MergePolicy.allCases.count, from: .shape)]
    }
    let observer = Stack.Observer(
      notification: .didSave, context: ContextID(2),
      steps: [AddressedStep(3, .mergeChanges(.delivered))])
    // A separate root beside the tree causes conflicts. Its saves are merged into 1's tree by
    // steps.
    let parents: [Int?] =
      choices.chance(1, in: 2, from: .shape) ? [nil, 0, 1, 1] : [nil, nil, 1, 1]
    var world = Stage(
      parents, quirks: profile.quirks, policies: policies, merging: [2], main: [1],
      observers: choices.chance(1, in: 2, from: .shape) ? [observer] : []
    ) { note, folder in
      folder.properties[1].changeRelationship {
        let rules = DeleteRule.allCases
        $0.deleteRule = rules[choices.draw(below: rules.count, from: .shape)]
      }
    }.world
    var performed: [Performed] = []
    var scheduler = Scheduler(.random)
    var stepCount = 0
    while true {
      if world.isDriverIdle, stepCount < 60 {
        let c = choices.draw(below: 4, from: .workload)
        world.submit(step(in: c, depth: 0, &choices))
        stepCount += 1
      }
      if world.dispatcher.runnableCount > 0 {
        let lane = scheduler.choose(
          world.dispatcher.decision(driver: world.driver), in: world, &choices)
        if let done = world.turn(of: lane) { performed.append(done) }
      } else if !world.dispatcher.advanceTime() {
        // The driver has nothing left to do, or is stuck in a deadlock.
        break
      }
      if checksInvariants {
        world.checkInvariants()
        #expect(world.wrongAnswers == [], "seed \(seed)")
      }
    }
    return (performed, world)
  }

  private func step(in c: Int, depth: Int, _ choices: inout Choices) -> AddressedStep {
    func draw(_ bound: Int, _ choices: inout Choices) -> Int {
      choices.draw(below: bound, from: .workload)
    }
    let note: [ObjectName] = [.n, .m, .k]
    let folder: [ObjectName] = [.f, .g]
    let (n, f) = (note[draw(3, &choices)], folder[draw(2, &choices)])
    let other = HeldInstance(draw(4, &choices), choices.chance(1, in: 2, from: .workload) ? n : f)
    let merges = choices.chance(1, in: 2, from: .workload)
    let number = draw(4, &choices)
    let step: Step
    switch choices.pick(
      weights: [6, 2, 8, 5, 3, 2, 3, 2, 9, 3, 4, 5, 9, 1, 2, 1, 1, 1, 2, 2, 6, 5, 2],
      from: .workload)
    {
    case 0: step = .insert(Note.entity, as: n)
    case 1: step = .insert(Folder.entity, as: f)
    case 2: step = .set(n, Note.title, .text(number + 1))
    case 3: step = .relate(n, Note.folder, number == 0 ? nil : HeldInstance(c, f))
    case 4: step = .add(f, Folder.notes, HeldInstance(c, n))
    case 5: step = .remove(f, Folder.notes, HeldInstance(c, n))
    case 6: step = .delete(number < 3 ? n : f)
    case 7: step = .replace(f, Folder.notes, note.prefix(number).map { HeldInstance(c, $0) })
    case 8: step = .save
    case 9: step = .get(number < 3 ? n : f, PropertyID(draw(2, &choices)))
    case 10:
      var request = FetchRequest(entity: number < 3 ? Note.entity : Folder.entity)
      request.fetchLimit = draw(3, &choices)
      request.returnsObjectsAsFaults = merges
      step = .fetch(request)
    case 11: step = .object(with: other, as: other.name)
    case 12: step = .existingObject(with: other, as: other.name)
    case 13: step = .refreshAllObjects
    case 14: step = .refresh(n, mergeChanges: merges)
    case 15: step = .reset
    case 16: step = .rollback
    case 17: step = .obtainPermanentIDs([n, f])
    case 18: step = .mergeChanges(.didSave(ContextID(draw(4, &choices)), ordinal: number + 1))
    case 19: step = .release(number < 3 ? n : f)
    case 20, 21:
      guard depth < 2 else {
        step = .processPendingChanges
        break
      }
      let context = draw(4, &choices)
      let inner = (0..<(1 + draw(3, &choices))).map { _ in
        self.step(
          in: choices.chance(3, in: 4, from: .workload) ? context : draw(4, &choices),
          depth: depth + 1, &choices)
      }
      return AddressedStep(context, merges ? .perform(inner) : .performAndWait(inner))
    default: step = .sleep(number)
    }
    // The program's thread itself does not sleep, because other lanes would have nothing to do.
    if depth == 0, case .sleep = step {
      return AddressedStep(c, .perform([AddressedStep(c, step)]))
    }
    return AddressedStep(c, step)
  }
}
