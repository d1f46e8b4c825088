import ObjectModel
import Vocabulary

/// The four phases of a save. Observers run between them, and may block.
///
/// 1. *flush* processes pending changes and posts ObjectsDidChange (SV-16).
/// 2. *willSave* calls `willSave` on objects in rounds, until no object changes itself, and posts
///    ContextWillSave.
/// 3. *commit* validates, settles conflicts, and changes the parent or the stores, as a whole or
///    not at all (SV-18).
/// 4. *finish* calls `didSave` on objects, posts DidSave, and announces automatic merges.
extension ObjectGraph {
  /// Performs a phase of a save. Returns `true` if the save continues with its next phase. §save
  mutating func runSave(_ phase: Phase, in context: ContextID) -> Bool {
    do throws(StepFailure) {
      switch phase {
      case .flush: processPendingChanges(context, during: .save)  // §flush
      case .willSave: try runWillSave(in: context)
      case .commit: try commit(context)
      case .finish: finishSave(in: context)
      case .whole: preconditionFailure("a save has phases")
      }
    } catch {
      fail(with: error.failure)
      return false
    }
    return true
  }

  /// Sends `willSave` in rounds. After the first round, a round consists of the objects that
  /// changed themselves (LC-09), and of changed objects that have not received `willSave` yet
  /// (LC-A9). §will-save
  private mutating func runWillSave(in context: ContextID) throws(StepFailure) {
    let c = context.index
    if quirks.contains(.contextWillSaveComesFirst) {
      result.events.append(.contextWillSave(context))
    }
    var round = contexts[c].changedSlots
    var asked = code == nil ? [] : Set(round)
    var roundCount = 0
    while !round.isEmpty {
      var changedAgain: [Int] = []
      for slot in round where runWillSave(of: slot, in: context) { changedAgain.append(slot) }
      roundCount += 1
      if roundCount == ObjectGraph.willSaveLimit, let first = changedAgain.first {
        marks.insert(.willSaveLoop)
        throw StepFailure(failure: .willSaveLoop(contexts[c].id(of: first)))
      }
      round = bugs.contains(.willSaveRunsOnce) ? [] : changedAgain
      // §will-save.4.6: only an app's classes change other objects.
      if code != nil {
        round += contexts[c].changedSlots.filter { asked.insert($0).inserted }
      }
    }
    processPendingChanges(context, during: .save)
    if !quirks.contains(.contextWillSaveComesFirst) {
      result.events.append(.contextWillSave(context))
    }
  }

  /// The number of rounds of `willSave` after which the save gives up. §will-save.4.4
  private static let willSaveLimit = 1_000

  /// Sends `willSave` to an object. Returns `true` if the object changed itself. §will-save-object
  private mutating func runWillSave(of slot: Int, in context: ContextID) -> Bool {
    let id = contexts[context.index].id(of: slot)
    result.events.append(.hook(.willSave, context, id))
    if callCode(.willSave, id, in: context) { return true }
    if contexts[context.index].isFault(slot) { return false }
    if contexts[context.index].isPendingDeletion(slot) { return false }
    var hasChanged = false
    assert(contexts[context.index].contains(slot), "\(id) has left in the middle of willSave")
    for action in model.entities[id.entity.index].hookActions
    where action.hook == .willSave {
      if run(action, for: slot, in: context) { hasChanged = true }
    }
    return hasChanged
  }

  /// Commits a context to its parent or to the stores. §commit
  private mutating func commit(_ context: ContextID) throws(StepFailure) {
    let c = context.index
    processPendingChanges(context, during: .save)
    contexts[c].committed = ChangeSets()
    assert(contexts[c].unpropagated.isEmpty || bugs.contains(.skipsPropagation), "a deletion waits")
    var changes = collectChanges(in: context)
    if !changes.isEmpty { try validate(changes, in: context) }
    guard contexts[c].isRoot else {
      if !changes.isEmpty { try saveToParent(&changes, from: context) }
      return
    }
    // A policy may drop all changes, but the context had changes to save.
    let hasChanges = !changes.isEmpty
    var requested = ChangeSets()
    if hasChanges {
      try saveToStore(&changes, requesting: &requested, from: context)
    } else {
      try askToWrite(changes, in: context)
    }
    writeMetadata(hasChanges: hasChanges, of: context)
    result.events.append(.saveRequest(contexts[c].coordinator, requested))  // §request-save.4
  }

  /// Collects the changes of a commit, and recovers objects. §collect-changes §recover
  private mutating func collectChanges(in context: ContextID) -> Changes {
    let c = context.index
    let slots = contexts[c].unsettledSlots
    var changes = Changes(expecting: slots.count)
    for slot in slots {
      let flags = contexts[c].flags(of: slot)
      if flags.contains(.inserted) {
        _ = fireQuietly(slot, in: context)
        changes.append(slot, .inserted)
      } else if flags.isSuperset(of: .unfound),
        exists(contexts[c].id(of: slot), above: context)
      {
        // §recover.1.1: a read does not delete an object that exists (ID-25).
        contexts[c].forgetInaccessibility(of: slot)
      } else if flags.contains(.deleted) {
        changes.append(slot, .deleted)
      } else if flags.contains(.updated) {
        changes.append(slot, .updated)
      }
    }
    changes.sortByKind()
    return changes
  }

  /// Finishes a save: calls `didSave` of its objects, and posts its notifications. §finish
  private mutating func finishSave(in context: ContextID) {
    let sets = contexts[context.index].committed
    contexts[context.index].committed = ChangeSets()
    if sets.isEmpty, bugs.contains(.emptySaveStaysSilent) { return result.events.append(.saved) }
    var saved: [ObjectID] = []
    saved.reserveCapacity(sets.inserted.count + sets.updated.count + sets.deleted.count)
    for id in sets.inserted { saved.append(id) }
    for id in sets.updated { saved.append(id) }
    for id in sets.deleted { saved.append(id) }
    saved.sort()
    for id in saved {
      result.events.append(.hook(.didSave, context, id))
      _ = callCode(.didSave, id, in: context)
    }
    // §announce
    let number = didSaves.count
    if didSaves.isEmpty { didSaves.reserveCapacity(8) }
    didSaves.append(DidSave(context: context, sets: sets))
    assert(didSaves[number].context == context, "the notification has another number")
    result.events.append(.didSave(context, sets, number: number))
    result.events.append(.didSaveObjectIDs(context, sets, number: number))
    result.events.append(.saved)
    announceAutomaticMerges(of: number, from: context)
  }

  // MARK: Conflicts

  /// The state of an object above the context that saves it.
  enum Theirs {
    case gone
    case there(Loaded)
  }

  /// The outcome of a conflict for its object.
  struct Settlement {
    /// A Boolean value that indicates whether the object is saved despite the conflict.
    var isSaved: Bool
    /// A Boolean value that indicates whether the object took values from the level above (LC-07).
    var takesTheirs: Bool

    static let saved = Settlement(isSaved: true, takesTheirs: false)
    static let merged = Settlement(isSaved: true, takesTheirs: true)
    static let dropped = Settlement(isSaved: false, takesTheirs: true)
    static let gone = Settlement(isSaved: false, takesTheirs: false)
  }

  /// Settles a conflict by the merge policy. §settle-conflict
  ///
  /// A root's save uses it for conflicts with the store. A child's save uses it for conflicts with
  /// the parent, if the profile respects the child's policy.
  mutating func resolve(
    _ slot: Int, against theirs: Theirs, by policy: MergePolicy, in context: ContextID
  ) -> Settlement {
    let c = context.index
    assert(policy != .error, "the error policy settles no conflict")
    assert(contexts[context.index].contains(slot), "slot \(slot) is in conflict and not registered")
    let isDeletion = contexts[c].has(.deleted, slot)
    let trump: MergePolicy = bugs.contains(.swapsTrumps) ? swapped(policy) : policy
    switch theirs {
    case .gone:
      let hadRow = !row(of: contexts[c].id(of: slot)).isTemporaryID
      if recreatesRows(trump), contexts[c].isRoot, hadRow {
        marks.insert(.rowRecreated)
        return .saved
      }
      marks.insert(.updateLostToDeletion)
      unregister(slot, in: context)
      return .gone
    case .there where isDeletion:  // §settle-conflict.3
      let deletes = policy == .overwrite || trump == .mergeByPropertyObjectTrump
      if deletes || quirks.contains(.deletionOverrulesUpdate) {
        marks.insert(.deletionOverrules)
        return .saved
      }
      marks.insert(.deletionDropped)
      return takeTheirs(theirs, for: slot, in: context)
    case .there(let loaded):
      noteLosses(of: slot, against: loaded, by: policy, in: context)
      if policy == .rollback { return takeTheirs(theirs, for: slot, in: context) }
      contexts[c].rebase(slot, on: loaded, under: trump, by: setting)
      return policy == .overwrite ? .saved : .merged
    }
  }

  /// Decides whether a policy re-creates the deleted row of an update (MP-19, X-06).
  /// §brings-back-row
  func recreatesRows(_ policy: MergePolicy) -> Bool {
    policy == .overwrite
      || policy == .mergeByPropertyObjectTrump && quirks.contains(.objectTrumpRecreatesDeletedRow)
  }

  /// Replaces the changes of an object with the state above. §take-theirs
  mutating func takeTheirs(
    _ theirs: Theirs, for slot: Int, in context: ContextID
  ) -> Settlement {
    guard case .there(let loaded) = theirs else {
      unregister(slot, in: context)
      return .gone
    }
    contexts[context.index].becomeClean(slot, showing: loaded, by: setting)
    return .dropped
  }

  private func swapped(_ policy: MergePolicy) -> MergePolicy {
    switch policy {
    case .mergeByPropertyStoreTrump: .mergeByPropertyObjectTrump
    case .mergeByPropertyObjectTrump: .mergeByPropertyStoreTrump
    default: policy
    }
  }

}
