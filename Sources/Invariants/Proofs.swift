import Failures
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// The reads, writes and saves that prove a violation, as far back as the journal knows them.
extension Journal {
  /// To be asked right after the action that showed it.
  func prove(_ violation: inout Violation, in world: World) {
    guard let context = violation.context, let id = violation.object,
      let property = violation.property, let first = violation.values.first,
      let second = violation.values.last
    else { return }
    let subject = Subject(context: context, object: world.lifelongID(id), property: property)
    switch violation.invariant {
    case .SavedUpdatesAreNotLost:
      violation.proof = lostUpdate(subject, replaced: first, by: second, in: world)
    case .SavesAreNotIgnored:
      violation.proof = ignoredSave(
        subject, wanted: first, found: violation.values.count > 1 ? second : nil, in: world)
    case .UnsavedChangesStayPrivate: violation.proof = dirtyRead(subject, of: first)
    case .RolledBackValuesAreNotLoaded:
      violation.proof = abortedRead(subject, of: first, in: world)
    case .LoadsShowTheNewest:
      violation.proof = staleRead(subject, of: second, newest: first, in: world)
    // Their checks note what proves them.
    case .NoTemporaryIDOutlivesItsSave, .ObjectsAwakenOnce, .OneRowOneInstance,
      .InverseRelationshipsAgree, .SavedChangesAreInTheStore, .EveryBlockRuns,
      .WaitForGraphIsAcyclic, .EveryStepTerminates, .ReadsAreRepeatable, .MergedUpdatesAreNotLost,
      .SavesDoNotCross, .ListsShowTheStores, .ContextsKeepToTheirQueues,
      .MainQueueKeepsWithinItsBudget, .MainQueueAsksNoStore, .AcknowledgedSavesOutliveAKill,
      .ContextsTakeNothingWithThem, .KillsLeaveWhatWasCommitted, .SavesMeetNoConflict,
      .ContextsCanSaveAgain, .StepsFindTheirObjects, .CopiesAtRestAreCurrent,
      .FollowersReadWhatWasSaved, .StoredReferencesLeadToRows, .ReadsDeleteNothing,
      .GivenUpWorkIsNotSaved, .SavesAreMergedOnce:
      break
    }
  }

  private struct Subject {
    let context: ContextID
    let object: ObjectID
    let property: PropertyID

    func isOf(_ witness: ProofLine) -> Bool {
      witness.object == object && witness.property == property
    }
  }

  private func lastSet(
    _ subject: Subject, _ value: Value, here: Bool? = nil, before end: Int? = nil
  ) -> Int? {
    last(before: end) { witness in
      guard subject.isOf(witness), here != !(witness.context == subject.context) else {
        return false
      }
      return witness.operation == .sets(value) || witness.operation == .batchSets(value)
    }
  }

  private func lastSave(_ subject: Subject, _ value: Value, here: Bool) -> Int? {
    last { witness in
      guard subject.isOf(witness), here == (witness.context == subject.context),
        case .saves(value, to: _) = witness.operation
      else { return false }
      return true
    }
  }

  /// The load that the running action did.
  private func load(_ subject: Subject, _ value: Value) -> ProofLine? {
    let position = last { witness in
      if case .loads = witness.operation {
        witness.context == subject.context && witness.object == subject.object
      } else {
        false
      }
    }
    return position.map {
      ProofLine(
        .loads(value), by: subject.context, of: subject.object, subject.property,
        step: entries[$0].witness.step)
    }
  }

  private func lostUpdate(
    _ subject: Subject, replaced: Value, by new: Value, in world: World
  ) -> [ProofLine] {
    var base: Value?
    for case .overwrote(let change, let seen, _, _) in world.graph.result.evidence
    where world.lifelongID(change.object) == subject.object && change.property == subject.property {
      base = seen
    }
    let seen = base.flatMap {
      sight(of: $0, subject.object, subject.property, in: [subject.context], world)
    }
    return inOrder(
      [seen].compactMap(\.self)
        + lines(
          way(of: replaced, subject, here: false, in: world)
            + way(of: new, subject, here: true, in: world)
            // A context that has set nothing may still save the value: `overwrite` writes whole
            // objects.
            + [lastSave(subject, new, here: true)]))
  }

  /// The step that set the value, mostly in the subject's context (`here`) or elsewhere, and the
  /// saves that have carried it up since.
  private func way(
    of value: Value, _ subject: Subject, here: Bool? = nil, before end: Int? = nil, in world: World
  ) -> [Int] {
    guard
      let set = lastSet(subject, value, here: here, before: end)
        ?? lastSet(subject, value, before: end)
    else { return [] }
    let levels = entries[set].witness.context.map(world.stack.chain(from:)) ?? []
    let saves = entries.indices[set..<(end ?? entries.count)].filter { position in
      let witness = entries[position].witness
      guard subject.isOf(witness), let context = witness.context, levels.contains(context),
        case .saves(value, to: _) = witness.operation
      else { return false }
      return true
    }
    return [set] + saves
  }

  private func ignoredSave(
    _ subject: Subject, wanted: Value, found: Value?, in world: World
  ) -> [ProofLine] {
    let place = world.stack.parent(of: subject.context)
    guard let found else {
      return lines([lastEnd(of: subject), lastSet(subject, wanted, here: true)]) + [
        ProofLine(
          .savesTooLate(in: place), by: subject.context, of: subject.object, subject.property)
      ]
    }
    return lines([
      lastSet(subject, found, here: false), lastSave(subject, found, here: false),
      lastSet(subject, wanted, here: true),
    ]) + [
      ProofLine(
        .savesInVain(found, in: place), by: subject.context, of: subject.object, subject.property)
    ]
  }

  /// How the object came to its end; nil if a delete rule took it.
  private func lastEnd(of subject: Subject) -> Int? {
    last { witness in
      guard witness.object == subject.object, witness.context != subject.context else {
        return false
      }
      switch witness.operation {
      case .deletes, .batchDeletes, .leavesOut, .merges: return true
      default: return false
      }
    }
  }

  private func dirtyRead(_ subject: Subject, of value: Value) -> [ProofLine] {
    lines([lastSet(subject, value, here: false)]) + [load(subject, value)].compactMap(\.self)
  }

  /// It may have been given up on a level to which it had been saved.
  private func abortedRead(
    _ subject: Subject, of value: Value, in world: World
  ) -> [ProofLine] {
    let set = lastSet(subject, value)
    let levels =
      set.flatMap { entries[$0].witness.context }.map(world.stack.chain(from:)) ?? []
    let end = last { witness in
      guard let context = witness.context, levels.contains(context) else { return false }
      switch witness.operation {
      case .rollsBack, .resets, .discards: return true
      default: return false
      }
    }
    return lines(way(of: value, subject, before: end, in: world) + [set, end])
      + [load(subject, value)].compactMap(\.self)
  }

  private func staleRead(
    _ subject: Subject, of value: Value, newest: Value, in world: World
  ) -> [ProofLine] {
    let ancestors = Array(world.stack.chain(from: subject.context).dropFirst())
    let copy = sight(of: value, subject.object, subject.property, in: ancestors, world)
    let save = lastSave(subject, newest, here: false) ?? lastSave(subject, newest, here: true)
    return inOrder(
      [copy].compactMap(\.self) + lines([lastSet(subject, newest), save])
        + [load(subject, value)].compactMap(\.self))
  }

  private func inOrder(_ witnesses: [ProofLine]) -> [ProofLine] {
    witnesses.enumerated().sorted { ($0.element.step, $0.offset) < ($1.element.step, $1.offset) }
      .map(\.element)
  }
}

/// For each lane of the cycle: the step by which it owns a queue, and the step in which it waits
/// for the next.
func proof(
  of deadlock: Deadlock, in world: World, submitted: AddressedStep?
) -> [ProofLine] {
  var lines: [ProofLine] = []
  var owned = deadlock.links[deadlock.links.count - 1].waitsFor
  for (index, link) in deadlock.links.enumerated() {
    let activities = world.activities(of: link.lane, submitted: submitted)
    let lane = world.name(of: link.lane)
    // No lane takes a group.
    if !world.isGroup(owned),
      let activity = activities.first(where: { $0.queues.contains(owned) })
    {
      lines.append(
        ProofLine(.takes(lane: lane, queue: world.name(of: owned), activity.subject)))
    }
    if let through = deadlock.through,
      let activity = activities.first(where: { $0.queues.last == through })
    {
      let wait = ProofLine.Operation.waits(
        lane: lane, queue: world.name(of: through), reason: "to which it hands this block",
        activity.subject)
      lines.append(ProofLine(wait))
    }
    if let activity = activities.last(where: { $0.queues.last == link.waitsFor }) {
      let next = deadlock.links[(index + 1) % deadlock.links.count].lane
      let holder = world.name(of: next)
      let reason =
        if deadlock.through != nil {
          "which is not given back before this block ends"
        } else if !world.isGroup(link.waitsFor) {
          "which \(holder) has"
        } else if deadlock.links.count == 1 {
          deadlock.reason { world.name(of: $0) }
        } else {
          "which \(holder) is to leave"
        }
      lines.append(
        ProofLine(
          .waits(
            lane: lane, queue: world.name(of: link.waitsFor), reason: reason, activity.subject)))
    }
    owned = link.waitsFor
  }
  return lines
}
