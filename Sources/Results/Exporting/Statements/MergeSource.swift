import ObjectModel
import Scenario
import Vocabulary

/// Merges, and loops over objects.
extension TestWriter {
  mutating func mergeStatements(
    _ source: MergeSource, _ step: AddressedStep
  ) throws(Refusal) -> [Statement] {
    let name = names[step.context]
    switch source {
    case .delivered:
      if !isInReaction { return [] }
      return [.line("\(name).mergeChanges(fromContextDidSave: notification)")]
    case .didSave(let context, let ordinal):
      if wasNothing(step) { return [] }
      mergedSaves.insert(context)
      return [
        .line(
          "\(name).mergeChanges(fromContextDidSave: \(savesName(of: context))[\(ordinal - 1)])")
      ]
    case .batch, .latestBatch:
      throw refusal(
        step, "a batch result is not a notification; write 'mergeRemoteChanges' instead")
    }
  }

  /// Returns whether the merge ran before the changes that it merges existed.
  private func wasNothing(_ step: AddressedStep) -> Bool {
    rehearsal.answers(to: step, during: item).contains([.nothing])
  }

  /// Returns the name of the property that keeps the DidSave notifications of a context.
  func savesName(of context: ContextID) -> String { "savesOf\(capitalized(names[context]))" }

  mutating func remoteMergeStatements(
    _ source: MergeSource, _ step: AddressedStep
  ) throws(Refusal) -> [Statement] {
    let changes: String
    switch source {
    case .delivered:
      changes = "notification.userInfo ?? [:]"
    case .didSave(let context, let ordinal):
      if wasNothing(step) { return [] }
      mergedSaves.insert(context)
      changes = "\(savesName(of: context))[\(ordinal - 1)].userInfo ?? [:]"
    case .batch(let context, let ordinal):
      if wasNothing(step) { return [] }
      changes = "\(batchName(of: context, ordinal))"
    case .latestBatch(let context):
      if wasNothing(step) { return [] }
      changes = latestBatchName(of: context)
    }
    return [
      .line("NSManagedObjectContext.mergeChanges("),
      .line("  fromRemoteContextSave: \(changes), into: [\(names[step.context])])"),
    ]
  }

  func batchName(of context: ContextID, _ ordinal: Int) -> String {
    "batch\(ordinal)Of\(capitalized(names[context]))"
  }

  func latestBatchName(of context: ContextID) -> String {
    "latestBatchOf\(capitalized(names[context]))"
  }

  // MARK: Loops

  mutating func loopStatements(
    _ set: ObjectSet, _ treatment: Treatment, _ step: AddressedStep
  ) throws(Refusal) -> [Statement] {
    if scenario.contains(where: { if case .release = $0.step { true } else { false } }) {
      throw refusal(
        step, "the scenario's loop retains its objects, and a loop in Swift does not")
    }
    let context = names[step.context]
    let objects: String
    switch set {
    case .inserted: objects = "\(context).insertedObjects"
    case .updated: objects = "\(context).updatedObjects"
    case .registered: objects = "\(context).registeredObjects"
    case .remembered(let variable):
      return [
        .block("for id in \(names[variable]) {", try lookedUp("id", treatment, step))
      ]
    case .delivered, .deliveredUpdates, .saved:
      return deliveredLoop(set, try lookedUp("object.objectID", treatment, step))
    }
    return [
      .block("for object in \(objects) {", try self.treatment(treatment, of: "object", step))
    ]
  }

  /// Returns a loop over the objects that a notification lists.
  private func deliveredLoop(_ set: ObjectSet, _ body: [Statement]) -> [Statement] {
    let keys =
      set == .delivered ? "NSInsertedObjectsKey, NSUpdatedObjectsKey" : "NSUpdatedObjectsKey"
    return [
      .block(
        "for key in [\(keys)] {",
        [
          .line("let objects = notification.userInfo?[key] as? Set<NSManagedObject> ?? []"),
          .block("for object in objects {", body),
        ])
    ]
  }

  /// Returns statements that apply `treatment` to the context's own object with the ID.
  private func lookedUp(
    _ id: String, _ treatment: Treatment, _ step: AddressedStep
  ) throws(Refusal) -> [Statement] {
    let context = names[step.context]
    let body = try self.treatment(treatment, of: "local", step)
    if treatment == .delete {
      return [.block("if let local = try? \(context).existingObject(with: \(id)) {", body)]
    }
    return [.line("let local = \(context).object(with: \(id))")] + body
  }

  /// Returns statements that keep each ID once, in order of arrival.
  func rememberStatements(
    _ set: ObjectSet, as variable: IDSetID, _ step: AddressedStep
  ) -> [Statement] {
    let (context, ids) = (names[step.context], names[variable])
    func loop(_ objects: String) -> [Statement] {
      [
        .block(
          "for object in \(objects) where !\(ids).contains(object.objectID) {",
          [.line("\(ids).append(object.objectID)")])
      ]
    }
    switch set {
    case .inserted: return loop("\(context).insertedObjects")
    case .updated: return loop("\(context).updatedObjects")
    case .registered: return loop("\(context).registeredObjects")
    case .remembered(let other):
      return [
        .block(
          "for id in \(names[other]) where !\(ids).contains(id) {", [.line("\(ids).append(id)")])
      ]
    case .delivered, .deliveredUpdates, .saved:
      let addition = Statement.line("\(ids).append(object.objectID)")
      return deliveredLoop(
        set, [.block("if !\(ids).contains(object.objectID) {", [addition])])
    }
  }

  private func treatment(
    _ treatment: Treatment, of object: String, _ step: AddressedStep
  ) throws(Refusal) -> [Statement] {
    switch treatment {
    case .touch: return [.line("\(object).willAccessValue(forKey: nil)")]
    case .delete: return [.line("\(names[step.context]).delete(\(object))")]
    case .refresh(let merges):
      return [.line("\(names[step.context]).refresh(\(object), mergeChanges: \(merges))")]
    case .edit, .mark:
      let marks = model.entities.compactMap { entity in
        entity.mark.map { (entity[$0.property], $0.value) }
      }
      guard model.entities.count == 1, let (property, value) = marks.first,
        let type = property.attribute?.type
      else {
        throw refusal(step, "objects of several entities are marked, which is not exported yet")
      }
      let (key, literal) = ("\"\(property.name)\"", literals.text(value, type))
      let setting = Statement.line("\(object).setValue(\(literal), forKey: \(key))")
      if treatment == .edit { return [setting] }
      return [
        .block(
          "if \(object).value(forKey: \(key)) as? \(type.swiftType) != \(literal) {", [setting])
      ]
    }
  }
}
