import Failures
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// The unsaved edits of the program, and which of them an observer or an entry point has saved
/// unasked: a save takes everything that its context has changed, whichever code changed it
/// (SV-03). The program shows that its work was half done by giving it up. Its rollback comes too
/// late then: the cancelled edit is in the parent, or in the store.
///
/// A call of an entry point asks for the edits that the caller itself has made or enqueued before,
/// and for those that anyone has made in the context of the call or above it: a child's changes
/// reach the store with those of its parent. The call does not ask for later edits, nor for those
/// that another block has made in another context: a block that deletes something in the background
/// does not know what the user is editing.
///
/// A rollback or reset by an entry point takes everything of its context along in the same way.
/// A call asks for that where it is made on the queue of the context, and for the caller's own
/// edits. Edits of others are discarded by the design: those that the program has made there, and
/// those that a child has saved to there. Not among them are values for which a save of the design
/// has failed: to take them back is what a failed save asks for. Outside of blocks, a program asks
/// for everything that its calls do.
struct HalfDoneWork: InvariantCheck {
  static let invariants: [Invariant] = [.GivenUpWorkIsNotSaved, .ContextsTakeNothingWithThem]

  private struct Edit: Hashable {
    let object: ObjectID
    let property: PropertyID
    let value: Value
    let place: JournalPlace
    let lane: LaneID
    /// How many calls of entry points the program had made when it came to the block of the edit,
    /// and when it made the edit.
    let callCount: Int
    let seenCount: Int
    /// The author of the save by which a child has handed the edit to its context; nil if it was
    /// made there.
    let handedUpBy: Author?

    /// Returns true if one of the calls asks for the edit: its caller has made the edit, or has
    /// enqueued it, or calls on the context of the edit or on one below.
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

    /// Returns true if one of the calls gives the edit up: its caller has made the edit, or calls
    /// on the queue of the edit's context. All contexts of the main queue are one user's.
    func isGivenUp(by entryPoint: EntryPointID, on context: ContextID, in world: World) -> Bool {
      world.calls.indices.dropFirst(callCount).contains { index in
        let call = world.calls[index]
        if call.entryPoint != entryPoint { return false }
        if call.lane == lane { return index >= seenCount }
        return world.stack.shareQueue(call.context, context) || call.lane == world.driver
      }
    }

    /// The save of the design that took it, and the part that saved.
    var save: JournalPlace?
    var saver = Author.program
  }

  /// By context.
  private var edits: [[Edit]]

  /// By context: whether an entry point rolls it back or resets it.
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
    case .increment(let name, let property):
      guard case .value(let value)? = world.graph.result.events.last else { return }
      note(name, property, value, by: moment, context, journal, world)
    case .rollback, .discard:
      if moment.author == .program { report(context, journal, in: world, &found) }
      if step.step == .rollback { reportDiscards(moment, journal, in: world, &found) }
      edits[context.index] = []
    // It forgets what was saved as well as what was not.
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

  /// Forgets the values for which a save has failed. An exception ends the app.
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

  /// Reports the edits that a rollback or reset by an entry point takes along, though its call
  /// gives up others.
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
