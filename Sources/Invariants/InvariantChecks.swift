package import Failures
import ObjectModel
package import SimulatedCoreData
package import SimulatedDispatch
package import Vocabulary

/// How closely a run is looked at.
package enum CheckLevel: Sendable {
  /// What must hold in every run, whatever the stack.
  case soundness
  /// As that, with what tells violations of one kind apart (`FailureSignature`).
  case signature
  /// As that, with the proof of every violation.
  case proof
  /// As that, and what a stack's design promises: for designed stacks.
  case design
  /// As that, and counts that are lost, which generated programs lose often and by themselves: for
  /// programs that were written down, or recorded.
  case scenario
  /// As proof, and the updates that code loses in what it makes of its stack.
  case code
}

extension CheckLevel {
  package var proves: Bool {
    switch self {
    case .soundness, .signature: false
    case .proof, .design, .scenario, .code: true
    }
  }

  var judgesDesigns: Bool { self == .design || self == .scenario }
}

/// All invariants, asked after every action. Each has a file of its own; this one passes on what
/// happened.
package struct InvariantChecks {
  private var awakenings = Awakenings()
  private var visibility = Visibility()
  private var inversesOfRows = InversesOfRows()
  private var hookWrites = HookWrites()
  private var savedInsertions = SavedInsertions()
  private var marks = LoopMarks()
  private var reportedDeadlockCount = 0
  /// Whether the next check does not keep to what its action can have changed.
  private var looksAtEverything = false
  /// Nil if no proofs are asked for.
  private var journal: Journal?
  /// What signatures are made of; nil if none are asked for.
  private var changes: ChangeLog?
  /// Nil if the design is not judged.
  private var design: DesignChecks?
  /// Nil unless code is judged.
  private var editsOfCode: EditsInProgress?

  package init(_ world: World, _ checkLevel: CheckLevel) {
    if checkLevel != .soundness { changes = ChangeLog() }
    if checkLevel.proves { journal = Journal() }
    if checkLevel.judgesDesigns {
      design = DesignChecks(world, judgesCounts: checkLevel == .scenario)
    }
    followsTurns = design != nil
    if checkLevel == .code {
      editsOfCode = EditsInProgress(contextCount: max(1, world.stack.contexts.count))
    }
  }

  /// The code has declared more contexts.
  package mutating func grow(contextCount: Int) { editsOfCode?.grow(contextCount: contextCount) }

  package mutating func check(
    _ action: Action, by lane: LaneID, step: Int, in world: World
  ) -> [Violation] {
    var found: [Violation] = []
    let signs = EventSigns(world.graph.result.events)
    if signs.contains(.awakenings) { awakenings.check(world, &found) }
    visibility.check(action, signs, by: lane, in: world, &found)
    inversesOfRows.follow(world)
    if !world.graph.result.evidence.isEmpty {
      checkEvidence(world, hookWrites, savedInsertions, &found)
    }
    if signs.contains(.didSaves) { savedInsertions.note(world) }
    if signs.contains(.hookSets) { hookWrites.note(world) }
    if signs.contains(.hookSets) || !marks.isEmpty { marks.note(action, in: world) }
    if signs.contains(.loads) { checkLoads(world, &found) }
    switch action {
    case .step(let step, let phase):
      switch phase {
      case .commit where world.graph.isRoot(step.context):
        checkTemporaryIDs(after: step.context, in: world, &found)
        inversesOfRows.check(world, &found)
        checkDurability(of: step.context, in: world, &found)
      case .whole:
        if !world.graph.result.evidence.isEmpty { checkInverses(in: world, &found) }
        checkInstances(after: step, in: world, &found)
      default: break
      }
    case .merge, .mergeRemote, .wrongQueue, .endOfEvent, .endOfDelivery: break
    }
    guard changes != nil else {
      marks.strike(&found, in: world)
      return found
    }
    let moment = Moment(
      action, by: lane, step: step, signs, isThorough: looksAtEverything, in: world)
    looksAtEverything = false
    assert(design == nil || journal != nil, "a design is judged without a journal")
    assert(step >= 0 && lane.index < world.dispatcher.laneCount, "a moment of no lane")
    journal?.note(moment, in: world)
    if let journal {
      for index in found.indices { journal.prove(&found[index], in: world) }
      design?.check(moment, journal, in: world, &found)
      if editsOfCode != nil { checkQueue(moment, in: world, &found) }
      editsOfCode?.checkCounts(moment, journal, in: world, &found)
      editsOfCode?.check(moment, journal, in: world, &found)
    }
    changes?.note(moment, in: world)
    marks.strike(&found, in: world)
    for index in found.indices { sign(&found[index], by: moment.author, in: world) }
    design?.earlyLoads.hold(moment, in: world, &found)
    design?.failedSaves.hold(moment, &found)
    return found
  }

  /// Notes what the violation's signature is made of.
  private func sign(_ violation: inout Violation, by author: Author, in world: World) {
    guard let changes else { return }
    violation.author = violation.author ?? author
    // On raw values: what an option set inherits is not specialised across modules.
    let ways = changes.ways(of: violation.objects, in: world).rawValue
    violation.ways = ChangeWays(rawValue: ways | (violation.ways?.rawValue ?? 0))
  }

  /// Those that look at what an action can have changed look at all that there is, once: every so
  /// often, so that what they overlook is not overlooked for good.
  package mutating func lookAtEverything() {
    inversesOfRows.lookAtEverything()
    looksAtEverything = true
  }

  /// Whether some invariant looks at turns in which no action is performed.
  package let followsTurns: Bool

  /// After every turn of a lane.
  package mutating func followTurn(of lane: LaneID, in world: World) {
    design?.mainQueue.follow(world, turnOf: lane)
  }

  /// After the clock was moved.
  package mutating func followClock(in world: World, submitted: AddressedStep?) {
    design?.mainQueue.sample(world, submitted: submitted)
  }

  package mutating func deadlocks(in world: World, submitted: AddressedStep?) -> [Violation] {
    assert(reportedDeadlockCount <= world.dispatcher.deadlocks.count, "a deadlock has vanished")
    let new = world.dispatcher.deadlocks.dropFirst(reportedDeadlockCount)
    reportedDeadlockCount += new.count
    return new.map { deadlock in
      var violation = Violation(
        .WaitForGraphIsAcyclic,
        detail: deadlock.description(
          lane: { world.name(of: $0) }, queue: { world.name(of: $0) },
          isGroup: { world.isGroup($0) }))
      violation.waits = deadlock.queues.map { world.name(of: $0) }
      let author = authorOfDeadlock(deadlock, in: world, submitted: submitted)
      if design != nil, author?.isDesign == true { violation.site = .stack }
      sign(&violation, by: author ?? .program, in: world)
      if design != nil, author == .program { violation.ways?.insert(.programsWaits) }
      if journal != nil { violation.proof = proof(of: deadlock, in: world, submitted: submitted) }
      return violation
    }
  }

  /// The part of the design that names a queue of the cycle and waits for it; without one, the
  /// program if it does. A wait for a parent is Core Data's and breaks no order: the wait in the
  /// other direction does, and so does one for the main queue whose block comes back to a queue
  /// that its thread has. Nil if automatic merges have to do with it.
  private func authorOfDeadlock(
    _ deadlock: Deadlock, in world: World, submitted: AddressedStep?
  ) -> Author? {
    if let main = deadlock.through {
      return world.authorOfBlock(on: main, awaitedBy: deadlock.links[0].lane)
    }
    let reasons = deadlock.links.map {
      world.reason(ofWaitFor: $0.waitsFor, in: $0.lane, submitted: submitted)
    }
    let isMerged = reasons.contains(.automaticMerge)
    let waits = zip(deadlock.links, reasons).compactMap { link, reason in
      isMerged || reason == .named
        ? (isOnMain: world.ownsMainQueue(link.lane), author: world.authorOfWait(of: link.lane))
        : nil
    }
    // Whichever wait closes the cycle, it is one: blamed on what has the main thread wait, which is
    // to wait for nothing.
    let design = waits.filter { $0.author.isDesign }
    if let onMain = design.first(where: \.isOnMain) { return onMain.author }
    if let first = design.map(\.author).min() { return first }
    return isMerged || waits.isEmpty ? nil : .program
  }

  package func atEnd(of world: World) -> [Violation] {
    var found: [Violation] = []
    if world.dispatcher.deadlocks.isEmpty, world.dispatcher.isQuiescent {
      if world.waitsForResume {
        // A queue that a program's own steps suspend says nothing about a design.
        if design != nil, world.stack.suspendsQueues {
          found.append(Violation(.EveryBlockRuns, detail: suspension(in: world)))
        }
      } else if world.unfinishedBlockCount > 0 {
        let count = world.unfinishedBlockCount
        let detail =
          count == 1 ? "one block never ran to its end" : "\(count) blocks never ran to their end"
        found.append(Violation(.EveryBlockRuns, detail: detail))
      }
      if let design, let journal {
        checkLists(world, design.lookups, &found)
        checkCopies(world, journal, design.deletedRows, &found)
        checkReferences(world, journal, &found)
        design.deletedRows.checkReads(&found)
      }
    }
    design?.mainQueue.check(world, &found)
    for index in found.indices { sign(&found[index], by: .program, in: world) }
    if let design { found += design.earlyLoads.heldBack + design.failedSaves.heldBack }
    return found
  }

  /// "edit is suspended for good, and 2 blocks never run to their end"
  private func suspension(in world: World) -> String {
    let queues = world.suspendedQueues.filter(world.dispatcher.hasLine).map(world.name(of:))
    var waiting: [String] = []
    if world.unfinishedBlockCount > 0 {
      let count = world.unfinishedBlockCount
      waiting.append(
        count == 1 ? "one block never runs to its end" : "\(count) blocks never run to their end")
    }
    if !world.isDriverIdle { waiting.append("the program's thread waits") }
    let verb = queues.count == 1 ? "is" : "are"
    return "\(queues.joined(separator: " and ")) \(verb) suspended for good, and "
      + waiting.joined(separator: "; ")
  }
}

extension Stack {
  /// Whether the design itself, in an observer or an entry point, suspends a queue.
  fileprivate var suspendsQueues: Bool {
    (observers.flatMap(\.steps) + entryPoints.flatMap(\.steps)).contains { step in
      step.contains { if case .suspend = $0.step { true } else { false } }
    }
  }
}

extension InvariantChecks {
  /// Feeds what signatures are made of.
  package func hashChanges(into hasher: inout Hasher) { hasher.combine(changes) }

  /// Feeds what `invariant` remembers of the run so far; most judge by what they see.
  package func hashMemory(
    of invariant: Invariant, in world: World, into hasher: inout Hasher
  ) {
    switch invariant {
    case .ObjectsAwakenOnce: hasher.combine(awakenings)
    case .UnsavedChangesStayPrivate: hasher.combine(visibility)
    case .RolledBackValuesAreNotLoaded:
      hasher.combine(visibility)
      hasher.combine(design?.units)
    case .ReadsAreRepeatable, .SavesDoNotCross: hasher.combine(design?.units)
    case .MergedUpdatesAreNotLost:
      hasher.combine(design?.edits)
      if let editsOfCode { hasher.combine(editsOfCode) }
      hasher.combine(marks)
    case .AcknowledgedSavesOutliveAKill: hasher.combine(design?.promises)
    case .KillsLeaveWhatWasCommitted: hasher.combine(design?.durability)
    case .SavesMeetNoConflict, .ContextsCanSaveAgain: hasher.combine(design?.failedSaves)
    case .LoadsShowTheNewest: hasher.combine(design?.earlyLoads)
    case .FollowersReadWhatWasSaved:
      hasher.combine(design?.earlyReads)
      hasher.combine(design?.earlyLoads)
      hasher.combine(design?.deletedRows)
      hasher.combine(design?.lookups)
    case .GivenUpWorkIsNotSaved:
      hasher.combine(design?.halfDoneWork)
      hasher.combine(world.calls)
    case .ReadsDeleteNothing:
      hasher.combine(design?.deletedRows)
      hasher.combine(design?.lookups)
    case .ContextsTakeNothingWithThem: hasher.combine(design?.losses)
    case .ListsShowTheStores, .StepsFindTheirObjects: hasher.combine(design?.lookups)
    case .CopiesAtRestAreCurrent: hasher.combine(design?.deletedRows)
    case .SavesAreMergedOnce: hasher.combine(design?.mergedSaves)
    case .MainQueueKeepsWithinItsBudget: hasher.combine(design?.mainQueue)
    case .InverseRelationshipsAgree: hasher.combine(inversesOfRows)
    case .SavedUpdatesAreNotLost, .SavesAreNotIgnored:
      if let editsOfCode { hasher.combine(editsOfCode) }
      hasher.combine(hookWrites)
      hasher.combine(savedInsertions)
      hasher.combine(marks)
    case .NoTemporaryIDOutlivesItsSave, .OneRowOneInstance, .SavedChangesAreInTheStore,
      .EveryBlockRuns, .WaitForGraphIsAcyclic, .EveryStepTerminates,
      .ContextsKeepToTheirQueues, .MainQueueAsksNoStore, .StoredReferencesLeadToRows:
      break
    }
  }
}
