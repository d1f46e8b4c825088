import ObjectModel
import Scenario
import SimulatedCoreData
import Vocabulary

/// Claims about the final state, as assertions.
extension TestWriter {
  /// Returns assertions for the claims that a program can check after all steps have run. Results
  /// of single steps are checked in place.
  mutating func claimStatements() -> [Statement] {
    item = scenario.items.count - 1
    return statements(for: scenario.claims.filter { $0.place == nil }) + storeStatements()
  }

  /// Returns assertions for the claims about the moment after the item at `place`. Claims about
  /// rows are omitted, because reading rows would change later results of contexts.
  mutating func claimStatements(after place: Int) -> [Statement] {
    statements(for: scenario.claims.filter { $0.place == place })
  }

  private mutating func statements(for claims: [Claim]) -> [Statement] {
    var result: [Statement] = []
    var group: (context: ContextID, body: [Statement])?
    // Reading properties fires faults and registers related objects, so these claims come last.
    let reads = claims.filter {
      if case .instance = $0.condition { true } else { false }
    }
    for claim in claims.filter({ !reads.contains($0) }) + reads {
      guard let (context, statements) = claimStatements(claim.condition), !statements.isEmpty else {
        continue
      }
      if let last = group, last.context != context {
        result += block(of: last.context, last.body)
        group = nil
      }
      group = (context, (group?.body ?? []) + statements)
    }
    if let group { result += block(of: group.context, group.body) }
    return result
  }

  private mutating func claimStatements(
    _ condition: Claim.Condition
  ) -> (ContextID, [Statement])? {
    switch condition {
    case .instance(let held, let expectations):
      guard let variable = names[held], let entity = entity(of: held.name) else { return nil }
      return (
        held.context,
        expectations.flatMap { expectation in
          remark(on: expectation, of: held.name, in: held.context) + [
            .line(assertion(expectation, of: variable, entity, in: held.context))
          ]
        }
      )
    case .state(let state, let held):
      guard let text = assertion(state, of: held) else { return nil }
      return (held.context, remark(on: state, of: held) + [.line(text)])
    case .same(let a, let b):
      guard let first = names[a], let second = names[b] else { return nil }
      return (a.context, [.line("XCTAssertTrue(\(first) === \(second))")])
    case .distinct(let a, let b):
      guard let first = names[a], let second = names[b] else { return nil }
      return (a.context, [.line("XCTAssertFalse(\(first) === \(second))")])
    case .changed(let context):
      return (context, [.line("XCTAssertTrue(\(names[context]).hasChanges)")])
    case .clean(let context):
      return (context, [.line("XCTAssertFalse(\(names[context]).hasChanges)")])
    default: return nil
    }
  }

  private func assertion(
    _ expectation: Claim.Expectation, of variable: String, _ entity: EntityID,
    in context: ContextID
  ) -> String {
    let property = model[entity][expectation.property]
    let read = "\(variable).value(forKey: \"\(property.name)\")"
    switch expectation.value {
    case .value(let value): return assertion(read, value, property, in: context)
    case .object(let designation):
      return id(of: designation).map {
        assertion(read, .object($0), property, in: context)
      } ?? "XCTAssertNotNil(\(read))"
    case .collection(let designations):
      let ids = designations.compactMap { id(of: $0, in: context) }
      if ids.count == designations.count { return assertion(read, ids, property, in: context) }
      let type = property.relationship?.isOrdered == true ? "NSOrderedSet" : "Set<NSManagedObject>"
      return "XCTAssertEqual((\(read) as? \(type))?.count, \(designations.count))"
    }
  }

  /// Returns the final ID of a designated object. This is the ID in `context` if the object is
  /// bound there, and otherwise preferably a permanent ID.
  private func id(of designation: Claim.Designation, in context: ContextID? = nil) -> ObjectID? {
    guard case .named(let name) = designation else { return nil }
    let last = rehearsal.bindings[item]
    if let context, let binding = last[HeldInstance(context, name)] { return binding.id }
    let ids = stack.contextIDs.compactMap { last[HeldInstance($0, name)]?.id }
    return ids.first { !$0.isTemporaryID } ?? ids.first
  }

  private func assertion(_ state: Claim.InstanceState, of held: HeldInstance) -> String? {
    let last = rehearsal.bindings[item]
    guard let variable = names[held], last[held] != nil else {
      // An unbound name proves nothing about its object, so look the object up by ID.
      guard state == .unregistered, item == scenario.items.count - 1,
        let id = id(of: .named(held.name)),
        rehearsal.world.graph.registeredID(id, in: held.context) == nil,
        let expression = expression(ofID: id)
      else { return nil }
      return "XCTAssertNil(\(names[held.context]).registeredObject(for: \(expression)))"
    }
    return switch state {
    case .temporary: "XCTAssertTrue(\(variable).objectID.isTemporaryID)"
    case .permanent: "XCTAssertFalse(\(variable).objectID.isTemporaryID)"
    case .fault: "XCTAssertTrue(\(variable).isFault)"
    case .realised: "XCTAssertFalse(\(variable).isFault)"
    case .inserted: "XCTAssertTrue(\(variable).isInserted)"
    case .updated: "XCTAssertTrue(\(variable).isUpdated)"
    case .deleted: "XCTAssertTrue(\(variable).isDeleted)"
    case .undeleted: "XCTAssertFalse(\(variable).isDeleted)"
    case .unregistered: "XCTAssertNil(\(variable).managedObjectContext)"
    }
  }

  // MARK: The stores

  /// Returns statements that check claims about rows in a context created for reading.
  private mutating func storeStatements() -> [Statement] {
    var byCoordinator: [(coordinator: CoordinatorID, body: [Statement])] = []
    for claim in scenario.claims where claim.place == nil {
      let entity: EntityID
      switch claim.condition {
      case .row(let name, _):
        guard let known = self.entity(of: name) else { continue }
        entity = known
      case .rows(let known, _): entity = known
      default: continue
      }
      guard let coordinator = reader(of: entity) else { continue }
      let statements = storeStatements(claim.condition, entity)
      if let index = byCoordinator.firstIndex(where: { $0.coordinator == coordinator }) {
        byCoordinator[index].body += statements
      } else {
        byCoordinator.append((coordinator, statements))
      }
    }
    var result: [Statement] = []
    for (coordinator, body) in byCoordinator where !body.isEmpty {
      let reader = names.local("reader")
      result += [
        .line(
          "let \(reader) = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)"),
        .line("\(reader).persistentStoreCoordinator = \(names[coordinator])"),
        .line("\(reader).stalenessInterval = 0"),
        .block("try \(reader).performAndWait {", body.map { $0.reading(by: reader) }),
      ]
    }
    return result.isEmpty ? [] : [.empty, .comment("Check the stored rows.")] + result
  }

  /// Returns a coordinator that has the store of `entity`. The program may remove that store before
  /// it ends.
  private func reader(of entity: EntityID) -> CoordinatorID? {
    stack.coordinators.indices.map { CoordinatorID($0) }.first {
      stack.store(for: entity, under: $0) != nil
    }
  }

  private mutating func storeStatements(
    _ condition: Claim.Condition, _ entity: EntityID
  ) -> [Statement] {
    let fetch =
      "try READER.fetch(NSFetchRequest<NSManagedObject>(entityName: \"\(model[entity].name)\"))"
    switch condition {
    case .rows(_, let designations):
      let remark = remark(onRowsOf: entity, are: designations)
      if designations.isEmpty { return remark + [.line("XCTAssertTrue(\(fetch).isEmpty)")] }
      let ids = designations.compactMap { designation in
        id(of: designation).flatMap { $0.isTemporaryID ? nil : expression(ofID: $0) }
      }
      if ids.count == designations.count {
        return remark + [
          .line(
            "XCTAssertEqual(Set(\(fetch).map(\\.objectID)), [\(ids.joined(separator: ", "))])")
        ]
      }
      return remark + [.line("XCTAssertEqual(\(fetch).count, \(designations.count))")]
    case .row(let name, let expectations):
      let row = names.local("row")
      let storedID = id(of: .named(name)).flatMap { id in
        id.isTemporaryID ? nil : expression(ofID: id)
      }
      guard let storedID else {
        // No object identifies the row, so check that some row has these values.
        let conditions = expectations.compactMap { self.rowCondition($0, entity) }
        if conditions.isEmpty { return [] }
        return expectations.flatMap { remark(on: $0, of: name, in: nil) }.prefix(1) + [
          .line("XCTAssertTrue("),
          .line("  \(fetch)"),
          .line("    .contains { \(conditions.joined(separator: " && ")) })"),
        ]
      }
      let checks = expectations.flatMap { expectation in
        remark(on: expectation, of: name, in: nil) + storeStatements(expectation, of: row, entity)
      }
      if checks.isEmpty { return [] }
      return [
        .line("let \(row) = try XCTUnwrap("),
        .line("  \(fetch)"),
        .line("    .first { $0.objectID == \(storedID) })"),
      ] + checks
    default: return []
    }
  }

  /// Returns a condition on an attribute of the row `$0`, or nil for a relationship.
  private func rowCondition(_ expectation: Claim.Expectation, _ entity: EntityID) -> String? {
    let property = model[entity][expectation.property]
    let read = "$0.value(forKey: \"\(property.name)\")"
    guard case .value(let value) = expectation.value, let type = property.attribute?.type else {
      return nil
    }
    if value.isNull { return "\(read) == nil" }
    return "\(read) as? \(type.swiftType) == \(literals.text(value, type))"
  }

  private var usesBatchRequests: Bool {
    scenario.allSteps.contains { step in
      step.contains { if case .batch = $0.step { true } else { false } }
    }
  }

  /// Returns statements that check an expectation about a row. Related objects are compared by ID,
  /// because the reading context has its own instances.
  private func storeStatements(
    _ expectation: Claim.Expectation, of row: String, _ entity: EntityID
  ) -> [Statement] {
    let property = model[entity][expectation.property]
    let read = "\(row).value(forKey: \"\(property.name)\")"
    switch expectation.value {
    case .value(let value):
      return [.line(assertion(read, value, property, in: ContextID(0)))]
    case .object(let designation):
      guard let id = id(of: designation).flatMap({ expression(ofID: $0) }) else {
        return [.line("XCTAssertNotNil(\(read))")]
      }
      return [.line("XCTAssertEqual((\(read) as? NSManagedObject)?.objectID, \(id))")]
    case .collection(let designations):
      // A batch request does not refresh the row cache of the coordinator.
      if usesBatchRequests { return [] }
      let isOrdered = property.relationship?.isOrdered == true
      let type = isOrdered ? "NSOrderedSet" : "Set<NSManagedObject>"
      let ids = designations.compactMap { designation in
        id(of: designation).flatMap { expression(ofID: $0) }
      }
      guard ids.count == designations.count, !isOrdered else {
        return [.line("XCTAssertEqual((\(read) as? \(type))?.count, \(designations.count))")]
      }
      let members = "Set((\(read) as? \(type) ?? []).map(\\.objectID))"
      return [.line("XCTAssertEqual(\(members), [\(ids.joined(separator: ", "))])")]
    }
  }
}

extension Statement {
  /// Returns the statement with the name of the reading context in place of `READER`.
  fileprivate func reading(by reader: String) -> Statement {
    guard case .line(let text) = self, text.contains("READER") else { return self }
    let parts = text.split(separator: "READER", omittingEmptySubsequences: false)
    return .line(parts.joined(separator: reader))
  }
}
