import Failures
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// Finds updates that a merge brought under an unsaved edit, and that the next save overwrites.
///
/// A merge keeps an edit, and takes the rest of the object, including its version, from the store
/// (MP-02, NT-22). The next save meets no conflict, and overwrites the value that another context
/// saved. The literature's lost update (P4) needs only a read, a write by another transaction, and
/// a write by the reader. A program that refreshes an object decides for its edit, but a context
/// that merges does not.
struct EditsInProgress: InvariantCheck {
  static let invariants: [Invariant] = [.MergedUpdatesAreNotLost, .SavedUpdatesAreNotLost]

  private struct Key: Hashable {
    let object: ObjectID
    let property: PropertyID
  }

  private struct Edit: Hashable {
    let key: Key
    let value: Value
    let place: JournalPlace
    /// A Boolean value that indicates whether the edit is an increment. Two increments of one value
    /// save the same number, so the loss of one is invisible.
    let isIncrement: Bool
    /// The update that a merge brought and that the edit did not take into account.
    var merged: Update?
    var merge: JournalPlace?

    /// Returns a Boolean value that indicates whether this edit and the update increment the same
    /// number.
    func counts(beside update: Update) -> Bool {
      isIncrement && update.isIncrement && key == update.key
    }
  }

  /// An update of another context, one level up.
  private struct Update: Hashable {
    let key: Key
    let context: ContextID
    let value: Value
    let place: JournalPlace
    let isIncrement: Bool
  }

  /// The unsaved edits, indexed by context.
  private var edits: [[Edit]]
  /// The updates that a context has neither loaded nor merged, indexed by context.
  private var unseen: [[Update]]
  /// A Boolean value that indicates whether the loss of one of two equal counts is reported.
  private let judgesCounts: Bool

  init(contextCount: Int, judgesCounts: Bool) {
    assert(contextCount > 0, "a stack without contexts")
    self.judgesCounts = judgesCounts
    edits = Array(repeating: [], count: contextCount)
    unseen = Array(repeating: [], count: contextCount)
  }

  /// Extends the lists to contexts that code has created.
  mutating func grow(contextCount: Int) {
    for _ in edits.count..<max(edits.count, contextCount) {
      edits.append([])
      unseen.append([])
    }
  }

  /// Reports the save of a number that another context has incremented meanwhile. Both saved the
  /// same value, so the store does not show that one count is lost.
  private func checkCounts(
    _ moment: Moment, _ journal: Journal, in world: World, _ found: inout [Violation]
  ) {
    guard let context = moment.committed else { return }
    let parent = world.graph.parent(of: context)
    for edit in edits[context.index] where edit.isIncrement && edit.merged == nil {
      guard
        let update = unseen[context.index].first(where: { $0.key == edit.key && $0.isIncrement }),
        update.value == edit.value
      else { continue }
      var violation = Violation(
        .SavedUpdatesAreNotLost, in: context, object: edit.key.object,
        property: edit.key.property, values: [update.value, edit.value])
      violation.site = parent == nil ? .store : .program
      violation.proof = journal.lines([
        edit.place.position.map { $0 - 1 }, edit.place.position, update.place.position,
      ])
      found.append(violation)
    }
  }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    let journal = notes.journal
    if judgesCounts { checkCounts(moment, journal, in: world, &found) }
    if moment.signs.contains(.loads) { noteLoads(in: world) }
    if moment.signs.contains(.merges) { noteMerges(moment, journal, in: world) }
    if let context = moment.committed {
      checkSave(of: context, journal, in: world, &found)
      noteSaved(by: context, journal, in: world)
      edits[context.index] = []
    }
    guard moment.done != nil, let step = moment.whole else { return }
    let context = step.context
    switch step.step {
    case .set(let name, let property, let value), .setPrimitive(let name, let property, let value):
      note(name, property, value, in: context, journal, world)
    case .increment(let name, let property, by: _):
      guard case .value(let value)? = world.graph.result.events.last else { return }
      note(name, property, value, isIncrement: true, in: context, journal, world)
    case .batch(let request): noteBatch(request, context, journal, in: world)
    case .refresh(let name, let keepsEdits):
      guard let object = world.lifelongID(of: name, in: context) else { return }
      if !keepsEdits { edits[context.index].removeAny { $0.key.object == object } }
      refresh(object, context, moment, journal, in: world)
    case .refreshAllObjects:
      var objects: [ObjectID] = []
      for key in unseen[context.index].map(\.key) + edits[context.index].map(\.key)
      where !objects.contains(key.object) {
        objects.append(key.object)
      }
      for object in objects { refresh(object, context, moment, journal, in: world) }
    case .undo, .redo: edits[context.index].removeAll(where: \.isIncrement)
    case .rollback: edits[context.index] = []
    case .reset, .discard: (edits[context.index], unseen[context.index]) = ([], [])
    case .kill: self = EditsInProgress(contextCount: edits.count, judgesCounts: judgesCounts)
    default: break
    }
  }

  // MARK: Edits

  private mutating func note(
    _ name: ObjectName, _ property: PropertyID, _ value: Value, isIncrement: Bool = false,
    in context: ContextID, _ journal: Journal, _ world: World
  ) {
    guard let id = world.graph.heldID(context, name) else { return }
    let key = Key(object: world.lifelongID(id), property: property)
    assert(journal.count > 0, "an edit that is not in the journal")
    let place = JournalPlace(journal.count - 1)
    edits[context.index].removeAny { $0.key == key }
    edits[context.index].append(
      Edit(key: key, value: value, place: place, isIncrement: isIncrement))
    // To children, a value of their parent is one level up.
    let update = Update(
      key: key, context: context, value: value, place: place, isIncrement: isIncrement)
    put(update, aboveContextsBelow: context, in: world)
  }

  // MARK: Updates

  /// Adds an update to every child of `parent` except `own`, or to every root if `parent` is `nil`.
  private mutating func put(
    _ update: Update, aboveContextsBelow parent: ContextID?, but own: ContextID? = nil,
    in world: World
  ) {
    for index in 0..<world.graph.contextCount {
      let context = ContextID(index)
      if context != own, world.graph.parent(of: context) == parent {
        put(update, above: context, in: world)
      }
    }
  }

  /// Adds an update that the context has not seen. A context that has not loaded the object will
  /// load the new value.
  private mutating func put(_ update: Update, above context: ContextID, in world: World) {
    unseen[context.index].removeAny { $0.key == update.key }
    guard world.graph.isRealized(update.key.object, in: context) else { return }
    assert(
      !unseen[context.index].contains { $0.key == update.key }, "two updates of one property")
    unseen[context.index].append(update)
  }

  private mutating func noteSaved(
    by context: ContextID, _ journal: Journal, in world: World
  ) {
    let increments = edits[context.index].filter(\.isIncrement).map(\.key)
    // Values that an insertion writes over the duplicated row do not count as updates.
    for case .wrote(let change, old: _, let new) in world.graph.result.evidence
    where change.context == context {
      let key = Key(object: world.lifelongID(change.object), property: change.property)
      unseen[context.index].removeAny { $0.key == key }
      let position = journal.last { witness in
        witness.object == key.object && witness.property == key.property
          && witness.operation == .saves(new, to: change.parent)
      }
      let update = Update(
        key: key, context: context, value: new, place: JournalPlace(position),
        isIncrement: increments.contains(key))
      put(update, aboveContextsBelow: change.parent, but: context, in: world)
    }
  }

  /// Notes a batch request, which writes to the store and bypasses its own context, too.
  private mutating func noteBatch(
    _ request: BatchRequest, _ context: ContextID, _ journal: Journal, in world: World
  ) {
    for change in request.changes(in: world) {
      let key = Key(object: world.lifelongID(change.object), property: change.property)
      let position = journal.last {
        $0.object == key.object && $0.property == key.property
          && $0.operation == .batchSets(change.value)
      }
      let update = Update(
        key: key, context: context, value: change.value, place: JournalPlace(position),
        isIncrement: false)
      put(update, aboveContextsBelow: nil, in: world)
    }
  }

  // MARK: What brings updates to a context

  private mutating func noteLoads(in world: World) {
    for case .hook(.awakeFromFetch, let context, let id) in world.graph.result.events {
      let object = world.lifelongID(id)
      unseen[context.index].removeAny { $0.key.object == object }
    }
  }

  private mutating func noteMerges(_ moment: Moment, _ journal: Journal, in world: World) {
    for case .didMergeChanges(let context, let sets) in world.graph.result.events {
      for id in sets.updated {
        merge(world.lifelongID(id), into: context, moment, journal, in: world)
      }
      for id in sets.refreshed {
        merge(world.lifelongID(id), into: context, moment, journal, in: world)
      }
    }
  }

  private mutating func refresh(
    _ object: ObjectID, _ context: ContextID, _ moment: Moment, _ journal: Journal, in world: World
  ) {
    guard moment.origin == .program else {
      return merge(object, into: context, moment, journal, in: world)
    }
    let updates = unseen[context.index].filter { $0.key.object == object }
    unseen[context.index].removeAny { $0.key.object == object }
    for index in edits[context.index].indices
    where edits[context.index][index].key.object == object {
      let edit = edits[context.index][index]
      // A program that refreshes an object has seen the new values, so an edit that it keeps is
      // meant. But if an app's function refreshes, a count that it keeps omits the other count.
      let count = updates.first { moment.author.isDesign && edit.counts(beside: $0) }
      edits[context.index][index].merged = count
      edits[context.index][index].merge = count.map { _ in
        place(ofMerging: object, into: context, moment, journal)
      }
    }
  }

  private mutating func merge(
    _ object: ObjectID, into context: ContextID, _ moment: Moment, _ journal: Journal,
    in world: World
  ) {
    guard unseen[context.index].contains(where: { $0.key.object == object }) else { return }
    let place = place(ofMerging: object, into: context, moment, journal)
    for update in unseen[context.index] where update.key.object == object {
      assert(update.place.position ?? 0 < journal.count, "an update from after its merge")
      if let index = edits[context.index].firstIndex(where: { $0.key == update.key }) {
        edits[context.index][index].merged = update
        edits[context.index][index].merge = place
      } else {
        // The context now has the value, which is one level up for its children.
        put(update, aboveContextsBelow: context, in: world)
      }
    }
    unseen[context.index].removeAll { $0.key.object == object }
  }

  private func place(
    ofMerging object: ObjectID, into context: ContextID, _ moment: Moment, _ journal: Journal
  ) -> JournalPlace {
    JournalPlace(
      journal.last { witness in
        switch witness.operation {
        case .merges, .refreshes:
          witness.context == context && witness.step == moment.step
            && (witness.object == object || witness.object == nil)
        default: false
        }
      })
  }

  // MARK: What comes of them

  private func checkSave(
    of context: ContextID, _ journal: Journal, in world: World, _ found: inout [Violation]
  ) {
    for edit in edits[context.index] {
      assert(edit.place.position ?? 0 < journal.count, "an edit from after its save")
      guard let update = edit.merged, saves(edit, over: update, in: context, world) else {
        continue
      }
      var violation = Violation(
        .MergedUpdatesAreNotLost, in: context, object: edit.key.object,
        property: edit.key.property, values: [update.value, edit.value])
      let parent = world.graph.parent(of: context)
      violation.site = parent == nil ? .store : .program
      violation.otherContext = update.context
      let save = journal.last { witness in
        witness.context == context && witness.object == edit.key.object
          && witness.property == edit.key.property
          && witness.operation == .saves(edit.value, to: parent)
      }
      // An increment is a read and a write.
      let read = edit.isIncrement ? edit.place.position.map { $0 - 1 } : nil
      violation.proof = journal.lines([
        read, edit.place.position, update.place.position, edit.merge?.position, save,
      ])
      found.append(violation)
    }
  }

  /// Returns a Boolean value that indicates whether the running save overwrites the update with the
  /// edit, without a visible conflict.
  private func saves(
    _ edit: Edit, over update: Update, in context: ContextID, _ world: World
  ) -> Bool {
    func isAbout(_ change: Evidence.Change) -> Bool {
      change.context == context && world.lifelongID(change.object) == edit.key.object
        && change.property == edit.key.property
    }
    for case .overwrote(let change, base: _, replaced: _, new: _) in world.graph.result.evidence
    where isAbout(change) { return false }
    for evidence in world.graph.result.evidence {
      guard let (change, old, new) = evidence.write, isAbout(change) else { continue }
      return old == update.value && new == edit.value
    }
    guard edit.isIncrement, update.isIncrement, update.value == edit.value,
      let view = world.graph.inspect(edit.key.object, in: context)?.view, !view.isFault
    else { return false }
    return view.values[world.graph.slot(of: edit.key.property, in: edit.key.object.entity)]
      == edit.value
  }
}
