import Failures
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Finds unsaved edits of the program that an observer or an entry point saved without request. A
/// save includes all changes of its context, whichever code made them (SV-03). If the program then
/// discards its work, the edit was half done. The rollback comes too late, because the edit is
/// already in the parent or the store.
///
/// A call of an entry point requests a save of edits that its caller made or enqueued before. The
/// call also requests all edits in its own context or an ancestor, because a child's changes reach
/// the store together with its parent's. The call requests neither later edits nor edits of other
/// blocks in other contexts. A block that deletes objects in the background does not know which
/// object a user is editing.
///
/// A rollback or reset by an entry point discards all changes of its context in the same way. A
/// call requests a discard of the caller's own edits and, if made on the queue of the context, of
/// all edits there. Otherwise the design discards edits that the program made there, or that a
/// child saved to there. Values for which a save of the design failed are exempt, because a failed
/// save calls for a rollback. Outside of blocks, a program requests everything that its calls do.
struct HalfDoneWork: InvariantCheck {
  static let invariants: [Invariant] = [.GivenUpWorkIsNotSaved, .ContextsTakeNothingWithThem]

  private struct Edit: Hashable {
    let object: ObjectID
    let property: PropertyID
    let value: Value
    let place: JournalPlace
    let lane: LaneID
    /// The number of entry point calls of the program when it reached the edit's block. `seenCount`
    /// is the number when it made the edit.
    let callCount: Int
    let seenCount: Int
    /// The author of the save by which a child passed the edit to this context, or `nil` if the
    /// edit was made in this context.
    let handedUpBy: Author?

    /// Returns a Boolean value that indicates whether a call requests a save of the edit. A call
    /// does if its caller made or enqueued the edit, or calls on the edit's context or a
    /// descendant.
    func isAskedFor(
      by entryPoint: EntryPointID, on context: ContextID, in world: World
    ) -> Bool {
      world.calls.indices.dropFirst(callCount).contains { index in
        let call = world.calls[index]
        if call.entryPoint != entryPoint { return false }
        if call.lane == lane { return index >= seenCount }
        return world.graph.isAtOrBelow(context, call.context) || call.lane == world.driver
      }
    }

    /// Returns a Boolean value that indicates whether a call discards the edit on purpose. A call
    /// does if its caller made the edit, or calls on the queue of the edit's context. All
    /// main-queue contexts belong to one user.
    func isGivenUp(by entryPoint: EntryPointID, on context: ContextID, in world: World) -> Bool {
      world.calls.indices.dropFirst(callCount).contains { index in
        let call = world.calls[index]
        if call.entryPoint != entryPoint { return false }
        if call.lane == lane { return index >= seenCount }
        return world.stack.shareQueue(call.context, context) || call.lane == world.driver
      }
    }

    /// The save of the design that included the edit. `saver` is the part that saved.
    var save: JournalPlace?
    var saver = Author.program
  }

  /// The edits, indexed by context.
  private var edits: [[Edit]]

  /// Boolean values, indexed by context, that indicate whether an entry point rolls the context
  /// back or resets it.
  private let isGivenUp: [Bool]

  init(_ stack: Stack) {
    edits = stack.contexts.map { _ in [] }
    isGivenUp = stack.contextIDs.map { context in
      stack.entryPoints.contains { entry in
        entry.steps.contains {
          $0.contains { step in
            step.context == context && (step.step == .rollback || step.step == .reset)
          }
        }
      }
    }
  }

  private mutating func forgetAll() { edits = edits.map { _ in [] } }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    let journal = notes.journal
    if let context = moment.committed {
      switch moment.author {
      case .observer: noteSave(of: context, by: moment.author, journal, in: world)
      case .entryPoint(let id):
        edits[context.index].removeAny { $0.isAskedFor(by: id, on: context, in: world) }
        noteSave(of: context, by: moment.author, journal, in: world)
      case .program: edits[context.index] = []
      }
      edits[context.index].removeAny { $0.handedUpBy != nil }
      if let parent = world.graph.parent(of: context), isGivenUp[parent.index] {
        noteReceipts(moment, parent, journal, world)
      }
    }
    if moment.hasFailed, moment.action.isSave, moment.author.isDesign {
      noteFailure(in: moment.context, world)
    }
    switch moment.done {
    case .set, .increment, .rollback, .discard, .reset, .kill: break
    default: return
    }
    guard let step = moment.whole else { return }
    let context = step.context
    switch step.step {
    case .set(let name, let property, let value):
      note(name, property, value, by: moment, context, journal, world)
    case .increment(let name, let property, by: _):
      guard case .value(let value)? = world.graph.result.events.last else { return }
      note(name, property, value, by: moment, context, journal, world)
    case .rollback, .discard:
      if moment.author == .program { report(context, journal, in: world, &found) }
      if step.step == .rollback { reportDiscards(moment, journal, in: world, &found) }
      edits[context.index] = []
    // A reset forgets saved and unsaved values.
    case .reset:
      reportDiscards(moment, journal, in: world, &found)
      edits[context.index] = []
    case .kill: forgetAll()
    default: break
    }
  }

  func hashMemory(in world: World, into hasher: inout Hasher) {
    hasher.combine(self)
    hasher.combine(world.calls)
  }

  private mutating func note(
    _ name: ObjectName, _ property: PropertyID, _ value: Value, by moment: Moment,
    _ context: ContextID, _ journal: Journal, _ world: World
  ) {
    guard let object = world.lifelongID(of: name, in: context) else { return }
    assert(journal.count > 0, "an edit that is not in the journal")
    edits[context.index].removeAny { $0.object == object && $0.property == property }
    guard moment.author == .program else { return }
    edits[context.index].append(
      Edit(
        object: object, property: property, value: value, place: JournalPlace(journal.count - 1),
        lane: moment.lane, callCount: world.callCount(of: moment.lane),
        seenCount: world.calls.count, handedUpBy: nil))
  }

  /// Notes the values that a child has saved to the context.
  private mutating func noteReceipts(
    _ moment: Moment, _ context: ContextID, _ journal: Journal, _ world: World
  ) {
    for case .receive(context, let id, let received) in world.graph.result.events {
      let object = world.lifelongID(id)
      for item in received {
        guard let value = item.value else { continue }
        edits[context.index].removeAny { $0.object == object && $0.property == item.property }
        let save = journal.last { line in
          line.object == object && line.property == item.property
            && line.operation == .saves(value, to: context)
        }
        edits[context.index].append(
          Edit(
            object: object, property: item.property, value: value, place: JournalPlace(save),
            lane: moment.lane, callCount: world.callCount(of: moment.lane),
            seenCount: world.calls.count, handedUpBy: moment.author))
      }
    }
  }

  /// Forgets the values for which a save failed. An exception ends the app, so all edits are
  /// forgotten.
  private mutating func noteFailure(in context: ContextID, _ world: World) {
    for case .failed(let failure) in world.graph.result.events {
      switch failure {
      case .validation(let issues):
        let refused = issues.map { world.lifelongID($0.object) }
        edits[context.index].removeAny { refused.contains($0.object) }
      case .willSaveLoop: forgetAll()
      default: break
      }
    }
  }

  private mutating func noteSave(
    of context: ContextID, by saver: Author, _ journal: Journal, in world: World
  ) {
    if edits[context.index].isEmpty { return }
    for evidence in world.graph.result.evidence {
      guard let (change, _, new) = evidence.write, change.context == context else { continue }
      let object = world.lifelongID(change.object)
      for index in edits[context.index].indices
      where edits[context.index][index].handedUpBy == nil
        && edits[context.index][index].object == object
        && edits[context.index][index].property == change.property
        && edits[context.index][index].value == new
      {
        let save = journal.last { line in
          line.object == object && line.property == change.property && line.context == context
            && line.operation == .saves(new, to: change.parent)
        }
        edits[context.index][index].save = JournalPlace(save)
        edits[context.index][index].saver = saver
      }
    }
  }

  /// Reports the edits that a rollback or reset by an entry point discards without request.
  private func reportDiscards(
    _ moment: Moment, _ journal: Journal, in world: World, _ found: inout [Violation]
  ) {
    guard case .entryPoint(let id) = moment.author else { return }
    let context = moment.context
    var violation = Violation(.ContextsTakeNothingWithThem, in: context)
    violation.site = .stack
    violation.step = moment.whole
    for case .lost(context, let object, let loss) in world.graph.result.evidence
    where loss != .deletion {
      let (object, property) = (world.lifelongID(object), loss.property)
      guard
        let edit = edits[context.index].first(where: {
          $0.object == object && (property == nil || $0.property == property) && $0.save == nil
            && $0.handedUpBy != moment.author
        }), !edit.isGivenUp(by: id, on: context, in: world)
      else { continue }
      violation.object = violation.object ?? object
      violation.proof += journal.lines([edit.place.position])
      violation.proof.append(
        ProofLine(.loses(loss), by: context, of: object, property, step: moment.step))
    }
    if violation.object != nil { found.append(violation) }
  }

  private func report(
    _ context: ContextID, _ journal: Journal, in world: World, _ found: inout [Violation]
  ) {
    guard let edit = edits[context.index].first(where: { $0.save != nil }) else { return }
    var violation = Violation(
      .GivenUpWorkIsNotSaved, in: context, object: edit.object, property: edit.property,
      values: [edit.value], detail: DesignPart(edit.saver, in: world.stack)?.text)
    violation.author = edit.saver
    violation.proof = journal.lines([
      edit.place.position, edit.save?.position, journal.count - 1,
    ])
    found.append(violation)
  }
}
