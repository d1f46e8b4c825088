import Failures
import Determinism
import ObjectModel
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Follows every value that a program writes: the level to which it was saved, and whether it was
/// discarded.
///
/// Generated values are unique, so a value identifies its writer. Values that several writers
/// share, such as nil, Booleans and defaults, are not followed. Neither are properties that hooks
/// write.
struct Visibility: InvariantCheck {
  static let invariants: [Invariant] = [.UnsavedChangesStayPrivate, .RolledBackValuesAreNotLoaded]

  private struct Writing: Hashable {
    let key: Key
    /// The object's ID in the writing context.
    let id: ObjectID
    /// The highest context that has the value, or `nil` once it is stored.
    var level: ContextID?
    /// The author of the rollback that discarded the value, or `nil` without one.
    var giver: Author?
    var isAmbiguous = false
    /// The number of the previous writing whose key has the same digest, if any.
    let sameDigest: Int?
  }

  private struct Key: Hashable {
    /// The number of the object's temporary ID, which is the same for all IDs of the object.
    let serial: Int
    let property: PropertyID
    let value: Value

    var digest: UInt64 {
      var digest = Digest(seed: UInt64(serial))
      digest.feed(property.index)
      value.feed(into: &digest)
      return digest.value
    }
  }

  private var writings: [Writing] = []
  /// The number of the last writing, indexed by the digest of its key.
  private var numbers = DigestTable()
  /// The numbers of unsaved writings that have reached a context, indexed by context. Stored
  /// writings are removed, so that a run does not become slower and slower.
  private var unsaved: [[Int]] = []

  // The other properties follow from the writings, except for their order.

  static func == (a: Visibility, b: Visibility) -> Bool { a.writings == b.writings }
  func hash(into hasher: inout Hasher) { hasher.combine(writings) }

  mutating func check(
    _ moment: Moment, _ notes: RunNotes, in world: World, _ found: inout [Violation]
  ) {
    let signs = moment.signs
    if signs.contains(.loads) { checkReads(notes, in: world, &found) }
    if signs.contains(.receipts) { noteReturns(in: world) }
    guard case .step(let step, let phase) = moment.action else { return }
    switch (step.step, phase) {
    case (.set(let name, let property, let value), .whole) where !signs.contains(.failures),
      (.setPrimitive(let name, let property, let value), .whole)
    where !signs.contains(.failures):
      guard let id = world.graph.heldID(step.context, name),
        let key = key(id, property, value, in: world),
        !world.graph.isDefault(value, of: property, in: id.entity)
      else { return }
      // A loaded value that is set again has two writers from now on, if a writer of it is known.
      let wasLoaded = world.graph.baseValue(of: property, id, in: step.context) == value
      if !wasLoaded || number(of: key) != nil { note(key, id, in: step.context) }
    case (.increment(let name, let property, by: _), .whole):
      // Two contexts that increment arrive at the same numbers.
      guard case .value(let value)? = world.graph.result.events.last,
        let id = world.graph.heldID(step.context, name),
        let key = key(id, property, value, in: world)
      else { return }
      noteAmbiguous(key, id, in: step.context)
    // Loops mark every object with one value.
    case (.forEach, .whole):
      for case .hookSet(let context, let id, let property, let value) in world.graph.result.events {
        if let key = key(id, property, value, in: world) { noteAmbiguous(key, id, in: context) }
      }
    case (.batch(let request), .whole): noteWriter(request, in: step.context, world)
    case (.insertAgain(let name), .whole) where !signs.contains(.failures):
      noteSecondHome(of: world.graph.heldID(step.context, name), in: world)
    // From the commit on, other contexts can see the value, before the save has ended.
    case (.save, .commit) where !signs.contains(.failures):
      raise(step.context, in: world)
      noteTakeovers(in: world)
    case (.rollback, .whole), (.reset, .whole), (.discard, .whole):
      markDiscarded(step.context, by: world.author(of: moment.lane), in: world)
    default: break
    }
  }

  /// Notes a batch request, which writes one value to many rows, so that its writers are ambiguous.
  private mutating func noteWriter(
    _ request: BatchRequest, in context: ContextID, _ world: World
  ) {
    for change in request.changes(in: world) {
      guard let key = key(change.object, change.property, change.value, in: world) else { continue }
      noteAmbiguous(key, change.object, in: context)
    }
  }

  /// Returns a key, or `nil` for a value that is not followed.
  private func key(
    _ id: ObjectID, _ property: PropertyID, _ value: Value, in world: World
  ) -> Key? {
    switch value {
    case .null, .boolean, .object: return nil
    default: break
    }
    guard let serial = world.graph.originalTemporaryID(of: id)?.number,
      !world.graph.isWrittenByHooks(property, of: id.entity)
    else { return nil }
    return Key(serial: serial, property: property, value: value)
  }

  private func number(of key: Key) -> Int? {
    var number = numbers.number(of: key.digest)
    while let candidate = number, writings[candidate].key != key {
      number = writings[candidate].sameDigest
    }
    return number
  }

  private mutating func note(
    _ key: Key, _ id: ObjectID, in context: ContextID, isAmbiguous: Bool = false
  ) {
    if let number = number(of: key) {
      writings[number].isAmbiguous = true
    } else {
      let (number, digest) = (writings.count, key.digest)
      if writings.isEmpty { writings.reserveCapacity(16) }
      writings.append(
        Writing(
          key: key, id: id, level: context, isAmbiguous: isAmbiguous,
          sameDigest: numbers.number(of: digest)))
      numbers.put(number, for: digest)
      raise(number, to: context)
    }
  }

  /// Notes the values that a row takes from an insertion that duplicated it (MP-25).
  private mutating func noteTakeovers(in world: World) {
    for case .tookOver(let change, old: _, let new) in world.graph.result.evidence {
      guard let key = key(change.object, change.property, new, in: world) else { continue }
      noteAmbiguous(key, change.object, in: change.context)
    }
  }

  /// Notes a value with an unknown writer.
  private mutating func noteAmbiguous(_ key: Key, _ id: ObjectID, in context: ContextID) {
    note(key, id, in: context, isAmbiguous: true)
  }

  /// Notes an object that is inserted a second time, so that its values have a second way up
  /// (ID-34).
  private mutating func noteSecondHome(of id: ObjectID?, in world: World) {
    let number = id.flatMap { world.graph.originalTemporaryID(of: $0)?.number }
    for index in writings.indices
    where world.graph.originalTemporaryID(of: writings[index].id)?.number == number {
      writings[index].isAmbiguous = true
    }
  }

  /// Notes discarded values that a child passes up again.
  private mutating func noteReturns(in world: World) {
    for event in world.graph.result.events {
      guard case .receive(let context, let id, let received) = event else { continue }
      for item in received {
        guard let value = item.value, let key = key(id, item.property, value, in: world),
          let number = number(of: key), writings[number].giver != nil
        else { continue }
        writings[number].giver = nil
        move(number, to: context)
      }
    }
  }

  private mutating func raise(_ context: ContextID, in world: World) {
    let parent = world.graph.parent(of: context)
    guard context.index < unsaved.count else { return }
    for number in unsaved[context.index] where writings[number].giver == nil {
      writings[number].level = parent
      if let parent { raise(number, to: parent) }
    }
    unsaved[context.index].removeAny { writings[$0].giver == nil }
  }

  private mutating func raise(_ number: Int, to context: ContextID) {
    while unsaved.count <= context.index { unsaved.append([]) }
    if unsaved[context.index].isEmpty { unsaved[context.index].reserveCapacity(8) }
    unsaved[context.index].append(number)
  }

  private mutating func move(_ number: Int, to context: ContextID) {
    if let level = writings[number].level { unsaved[level.index].removeAll { $0 == number } }
    writings[number].level = context
    raise(number, to: context)
  }

  /// Marks the context's values as discarded. A rollback keeps primitive values in an object
  /// without other changes (CT-06).
  private mutating func markDiscarded(_ context: ContextID, by author: Author, in world: World) {
    guard context.index < unsaved.count else { return }
    for number in unsaved[context.index] {
      assert(writings.indices.contains(number), "value \(number) of \(writings.count)")
      assert(writings[number].level != nil, "a stored value is still followed as unsaved")
      writings[number].giver = isShown(writings[number], in: context, world) ? nil : author
    }
  }

  private func isShown(_ writing: Writing, in context: ContextID, _ world: World) -> Bool {
    guard let view = world.graph.inspect(writing.id, in: context)?.view, !view.isFault else {
      return false
    }
    return view.values[world.graph.slot(of: writing.key.property, in: writing.id.entity)]
      == writing.key.value
  }

  private func writing(of key: Key?) -> Writing? {
    guard let key, let number = number(of: key), !writings[number].isAmbiguous else { return nil }
    return writings[number]
  }

  /// Checks that every loaded value is visible to its context and was not discarded.
  private func checkReads(_ notes: RunNotes, in world: World, _ found: inout [Violation]) {
    for event in world.graph.result.events {
      guard case .hook(.awakeFromFetch, let context, let id) = event,
        let loaded = world.graph.inspect(exactly: id, in: context), !loaded.view.isFault
      else { continue }
      // A value that a child's save changed after the load was not loaded.
      for property in world.model.entities[id.entity.index].storedAttributeIDs
      where !loaded.isChanged(property) {
        guard let value = loaded.baseValue(of: property, in: world.graph),
          let writing = writing(of: key(id, property, value, in: world))
        else { continue }
        if let level = writing.level, writing.giver == nil,
          !world.graph.isAtOrBelow(level, context)
        {
          var violation = Violation(
            .UnsavedChangesStayPrivate, in: context, object: id, property: property,
            values: [value])
          if notes.proves {
            let subject = ProofSubject(
              context: context, object: world.lifelongID(id), property: property)
            violation.proof = notes.journal.dirtyRead(subject, of: value)
          }
          found.append(violation)
        }
        if let giver = writing.giver {
          var violation = Violation(
            .RolledBackValuesAreNotLoaded, in: context, object: id, property: property,
            values: [value])
          violation.author = giver
          if notes.proves {
            let subject = ProofSubject(
              context: context, object: world.lifelongID(id), property: property)
            violation.proof = notes.journal.abortedRead(subject, of: value, in: world)
          }
          found.append(violation)
        }
      }
    }
  }
}

extension Journal {
  fileprivate func dirtyRead(_ subject: ProofSubject, of value: Value) -> [ProofLine] {
    lines([lastSet(subject, value, here: false)]) + [load(subject, value)].compactMap(\.self)
  }

  /// Returns the proof of an aborted read. The value may have been discarded at a level to which it
  /// had been saved.
  fileprivate func abortedRead(
    _ subject: ProofSubject, of value: Value, in world: World
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
}
