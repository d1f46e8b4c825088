import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Edits of attributes that are not saved yet, and what has happened to them since.
///
/// A merge keeps an edit and takes the rest of the object from the store, the version, too (MP-02,
/// NT-22). The save that follows meets no conflict, and what others had saved as the edited value is
/// gone. The literature's lost update (P4) needs no more than that: read, another's write, own write.
/// Whoever refreshes an object himself has decided for his edit; whoever is merged has not.
struct EditsInProgress: Hashable {
  private struct Edit: Hashable {
    let object: ObjectID
    let property: PropertyID
    let value: Value
    /// Its place in the journal.
    let position: Int
    /// Two that count up from one value save the same one: nobody sees that one is missing.
    let isIncrement: Bool
    /// What others put in its place one level up since.
    var update: Update?
  }

  private struct Update: Hashable {
    let context: ContextID
    let value: Value
    let position: Int
    /// When a merge brought it.
    var merge: Int?
  }

  /// By context.
  private var open: [[Edit]]

  init(contextCount: Int) { open = Array(repeating: [], count: contextCount) }

  mutating func check(
    _ moment: Moment, _ journal: Journal, in world: World, _ found: inout [Violation]
  ) {
    noteMerges(journal, in: world)
    if let context = moment.committed(in: world) {
      checkSave(of: context, journal, in: world, &found)
      open[context.index] = []
      noteSaved(journal, in: world)
    }
    guard let step = moment.whole, !world.hasFailed else { return }
    let context = step.context
    switch step.step {
    case .set(let name, let property, let value), .setPrimitive(let name, let property, let value):
      note(name, property, value, in: context, journal, world)
    case .increment(let name, let property):
      guard case .value(let value)? = world.events.last else { return }
      note(name, property, value, isIncrement: true, in: context, journal, world)
    case .refresh(let name, let keepsEdits):
      let object = world.heldID(context, name).map(world.lifelongID)
      if !keepsEdits {
        open[context.index].removeAll { $0.object == object }
      } else if moment.origin != .program {
        noteMerge(of: object, into: context, journal)
      }
    case .refreshAllObjects where moment.origin != .program:
      noteMerge(of: nil, into: context, journal)
    case .rollback, .reset, .discard, .undo, .redo: open[context.index] = []
    case .kill: self = EditsInProgress(contextCount: open.count)
    default: break
    }
  }

  // MARK: What happens to edits

  private mutating func note(
    _ name: ObjectName, _ property: PropertyID, _ value: Value, isIncrement: Bool = false,
    in context: ContextID, _ journal: Journal, _ world: World
  ) {
    guard let id = world.heldID(context, name) else { return }
    let object = world.lifelongID(id)
    open[context.index].removeAll { $0.object == object && $0.property == property }
    let position = journal.count - 1
    open[context.index].append(
      Edit(
        object: object, property: property, value: value, position: position,
        isIncrement: isIncrement))
    // To children, what their parent has is one level up.
    let update = Update(context: context, value: value, position: position)
    for child in world.stack.children(of: context) { put(update, object, property, above: child) }
  }

  private mutating func noteSaved(_ journal: Journal, in world: World) {
    for case .wrote(let change, old: _, let new) in world.evidence {
      let object = world.lifelongID(change.object)
      let position = journal.last { witness in
        witness.object == object && witness.property == change.property
          && witness.deed == .saves(new, to: change.parent)
      }
      let update = Update(
        context: change.context, value: new, position: position ?? journal.count - 1)
      for other in world.stack.contextIDs
      where other != change.context && world.stack.parent(of: other) == change.parent {
        put(update, object, change.property, above: other)
      }
    }
  }

  private mutating func put(
    _ update: Update, _ object: ObjectID, _ property: PropertyID, above context: ContextID
  ) {
    for index in open[context.index].indices
    where open[context.index][index].object == object
      && open[context.index][index].property == property
    {
      open[context.index][index].update = update
    }
  }

  private mutating func noteMerges(_ journal: Journal, in world: World) {
    for case .didMergeChanges(let context, let sets) in world.events {
      for id in sets.updated + sets.refreshed {
        noteMerge(of: world.lifelongID(id), into: context, journal)
      }
    }
  }

  /// Of all objects if `object` is nil.
  private mutating func noteMerge(
    of object: ObjectID?, into context: ContextID, _ journal: Journal
  ) {
    for index in open[context.index].indices
    where object == nil || open[context.index][index].object == object {
      let edit = open[context.index][index].object
      open[context.index][index].update?.merge = journal.last { witness in
        switch witness.deed {
        case .merges, .refreshes:
          witness.context == context && (witness.object == edit || witness.object == nil)
        default: false
        }
      }
    }
  }

  // MARK: What comes of them

  private func checkSave(
    of context: ContextID, _ journal: Journal, in world: World, _ found: inout [Violation]
  ) {
    for edit in open[context.index] {
      guard let update = edit.update, let merge = update.merge,
        saves(edit, over: update.value, in: context, world)
      else { continue }
      var violation = Violation(
        .MergedUpdatesAreNotLost, in: context, object: edit.object, property: edit.property,
        values: [update.value, edit.value])
      violation.isInStore = world.stack.parent(of: context) == nil
      violation.otherContext = update.context
      let save = journal.last { witness in
        witness.context == context && witness.object == edit.object
          && witness.property == edit.property
          && witness.deed == .saves(edit.value, to: world.stack.parent(of: context))
      }
      violation.proof = journal.lines([
        edit.position - (edit.isIncrement ? 1 : 0), edit.position, update.position, merge, save,
      ])
      found.append(violation)
    }
  }

  /// Whether the running save puts the edit where `replaced` was, unless the conflict showed.
  private func saves(
    _ edit: Edit, over replaced: Value, in context: ContextID, _ world: World
  ) -> Bool {
    func isAbout(_ change: Evidence.Change) -> Bool {
      change.context == context && world.lifelongID(change.object) == edit.object
        && change.property == edit.property
    }
    for case .overwrote(let change, base: _, replaced: _, new: _) in world.evidence
    where isAbout(change) { return false }
    for case .wrote(let change, let old, let new) in world.evidence where isAbout(change) {
      return old == replaced && new == edit.value
    }
    guard edit.isIncrement, replaced == edit.value,
      let view = world.inspect(edit.object, in: context)?.view, !view.isFault
    else { return false }
    return view.values[world.slot(of: edit.property, in: edit.object.entity)] == edit.value
  }
}
