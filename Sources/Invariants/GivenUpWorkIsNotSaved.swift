import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// What programs have changed in their contexts and not saved, and what of it an observer has saved
/// all the same: a save takes everything that its context has changed, whichever code changed it.
/// That the work was half done shows when the program gives it up. A rollback then comes too late:
/// what the user has cancelled is in the parent, or in the store.
///
/// An entry point saves because the program calls it, so that its saves are the program's own.
struct HalfDoneWork: Hashable {
  private struct Edit: Hashable {
    let object: ObjectID
    let property: PropertyID
    let value: Value
    let place: JournalPlace
    /// The save of an observer that took it.
    var save: JournalPlace?
  }

  /// By context.
  private var edits: [[Edit]]

  init(contextCount: Int) {
    assert(contextCount > 0, "a stack without contexts")
    edits = Array(repeating: [], count: contextCount)
  }

  mutating func check(
    _ moment: Moment, _ journal: Journal, in world: World, _ found: inout [Violation]
  ) {
    if let context = moment.committed {
      if moment.author.isObserver {
        noteSave(of: context, journal, in: world)
      } else {
        edits[context.index] = []
      }
    }
    guard let step = moment.whole, !moment.hasFailed else { return }
    let context = step.context
    switch step.step {
    case .set(let name, let property, let value):
      note(name, property, value, context, journal, world)
    case .increment(let name, let property):
      guard case .value(let value)? = world.events.last else { return }
      note(name, property, value, context, journal, world)
    case .rollback, .reset, .discard:
      if moment.author == .program { report(context, journal, &found) }
      edits[context.index] = []
    case .kill: self = HalfDoneWork(contextCount: edits.count)
    default: break
    }
  }

  private mutating func note(
    _ name: ObjectName, _ property: PropertyID, _ value: Value, _ context: ContextID,
    _ journal: Journal, _ world: World
  ) {
    guard let object = world.lifelongID(of: name, in: context) else { return }
    assert(journal.count > 0, "an edit that is not in the journal")
    edits[context.index].removeAll { $0.object == object && $0.property == property }
    edits[context.index].append(
      Edit(
        object: object, property: property, value: value, place: JournalPlace(journal.count - 1)))
  }

  private mutating func noteSave(of context: ContextID, _ journal: Journal, in world: World) {
    for (change, _, new) in world.evidence.compactMap(\.write) where change.context == context {
      let object = world.lifelongID(change.object)
      for index in edits[context.index].indices
      where edits[context.index][index].object == object
        && edits[context.index][index].property == change.property
        && edits[context.index][index].value == new
      {
        let save = journal.last { line in
          line.object == object && line.property == change.property && line.context == context
            && line.operation == .saves(new, to: change.parent)
        }
        edits[context.index][index].save = JournalPlace(save)
      }
    }
  }

  private func report(_ context: ContextID, _ journal: Journal, _ found: inout [Violation]) {
    guard let edit = edits[context.index].first(where: { $0.save != nil }) else { return }
    var violation = Violation(
      .GivenUpWorkIsNotSaved, in: context, object: edit.object, property: edit.property,
      values: [edit.value])
    violation.proof = journal.lines([
      edit.place.position, edit.save?.position, journal.count - 1,
    ])
    found.append(violation)
  }
}
