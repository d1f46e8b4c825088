import ObjectModel
import Scenario
import Vocabulary

/// Batch requests, and assertions about their results.
extension TestWriter {
  mutating func batchStatements(
    _ request: BatchRequest, _ step: AddressedStep, _ events: [Event]?
  ) throws(Refusal) -> [Statement] {
    guard case .batched(let sets, _)? = events?.answer else {
      throw refusal(step, "it raises an Objective-C exception, which Swift code cannot catch")
    }
    let name = names.local("request")
    let (creation, kind, key, ids) = try self.creation(of: request, name, sets, step)
    batchCounts[step.context, default: 0] += 1
    let ordinal = batchCounts[step.context, default: 0]
    let result = names.local("result")
    var statements =
      creation + [
        .line(
          "let \(result) = try \(names[step.context]).execute(\(name)) as? NSBatch\(kind)Result"),
        .line("let \(result)IDs = \(result)?.result as? [NSManagedObjectID] ?? []"),
        .line("XCTAssertEqual(\(result)IDs.count, \(ids.count))"),
      ]
    let sources: [(MergeSource, property: String)] = [
      (.batch(step.context, ordinal: ordinal), batchName(of: step.context, ordinal)),
      (.latestBatch(step.context), latestBatchName(of: step.context)),
    ]
    for (source, property) in sources where merges(source) {
      if !records.contains(where: { $0.0 == property }) {
        records.append((property, "[AnyHashable: Any] = [:]"))
      }
      statements.append(.line("\(property) = [\(key): \(result)IDs]"))
    }
    return statements
  }

  private func merges(_ source: MergeSource) -> Bool {
    scenario.allSteps.contains { step in
      step.contains { $0.step == .mergeRemoteChanges(source) }
    }
  }

  /// Returns the statements that create the request, the kind of its result, the key under which
  /// its object IDs are merged, and those IDs.
  private mutating func creation(
    of request: BatchRequest, _ name: String, _ sets: ChangeSets, _ step: AddressedStep
  ) throws(Refusal) -> ([Statement], kind: String, key: String, ids: [ObjectID]) {
    let entity = model[request.entity]
    let format = try predicate(request.predicate, request.tree, of: request.entity, step)
    var statements: [Statement]
    let (kind, key, ids): (String, String, [ObjectID])
    switch request.kind {
    case .update(let values):
      (kind, key, ids) = ("Update", "NSUpdatedObjectsKey", sets.updated)
      statements = [
        .line("let \(name) = NSBatchUpdateRequest(entityName: \"\(entity.name)\")"),
        .line("\(name).propertiesToUpdate = \(record(values, of: entity))"),
        .line("\(name).resultType = .updatedObjectIDsResultType"),
      ]
      if let format { statements.append(.line("\(name).predicate = \(format)")) }
    case .delete:
      (kind, key, ids) = ("Delete", "NSDeletedObjectsKey", sets.deleted)
      let fetch = names.local("doomed")
      statements = [
        .line(
          "let \(fetch) = NSFetchRequest<any NSFetchRequestResult>(entityName: \"\(entity.name)\")")
      ]
      if let format { statements.append(.line("\(fetch).predicate = \(format)")) }
      statements += [
        .line("let \(name) = NSBatchDeleteRequest(fetchRequest: \(fetch))"),
        .line("\(name).resultType = .resultTypeObjectIDs"),
      ]
    case .insert(let rows):
      (kind, key, ids) = ("Insert", "NSInsertedObjectsKey", sets.inserted + sets.updated)
      let list = rows.map { record($0, of: entity) }.joined(separator: ", ")
      statements = [
        .line(
          "let \(name) = NSBatchInsertRequest(entityName: \"\(entity.name)\", objects: [\(list)])"),
        .line("\(name).resultType = .objectIDs"),
      ]
    }
    return (statements, kind, key, ids)
  }

  /// Returns a dictionary literal, such as `["title": "x"]`.
  private func record(_ values: [PropertyValue], of entity: Entity) -> String {
    if values.isEmpty { return "[:]" }
    let parts = values.map { item in
      let type = entity[item.property].attribute?.type ?? .string
      let literal = item.value.isNull ? "NSNull()" : literals.text(item.value, type)
      return "\"\(entity[item.property].name)\": \(literal)"
    }
    return "[\(parts.joined(separator: ", "))]"
  }
}
