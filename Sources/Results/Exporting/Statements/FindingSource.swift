import ObjectModel
import Scenario
import Vocabulary

/// Steps that find objects and keep them in properties of the test.
extension TestWriter {
  mutating func findingStatements(
    _ step: AddressedStep, _ events: [Event]?
  ) throws(Refusal) -> [Statement] {
    switch step.step {
    case .fetch(let request, as: let new):
      return try fetchStatements(request, as: new, step, events)
    case .count(let request):
      let (statements, expression) = try self.request(request, step, resultType: "NSManagedObject")
      let call = "try \(names[step.context]).count(for: \(expression))"
      if case .count(let count)? = events?.answer {
        return statements + [.line("XCTAssertEqual(\(call), \(count))")]
      }
      return statements + throwing("_ = \(call)", events)
    case .performFetch(let controller): return try listStatements(controller, step, events)
    default: return try lookUpStatements(step, events)
    }
  }

  // MARK: By ID

  private mutating func lookUpStatements(
    _ step: AddressedStep, _ events: [Event]?
  ) throws(Refusal) -> [Statement] {
    let context = names[step.context]
    if let reference = step.step.reference, !isInReaction,
      rehearsal.binding(of: reference, at: item) == nil
    {
      return []
    }
    switch step.step {
    case .object(let reference, let name):
      guard let id = objectID(of: reference) else { return [] }
      let target = try variable(HeldInstance(step.context, name), step)
      return [.line("\(target) = \(context).object(with: \(id))")]
    case .existingObject(let reference, let name):
      guard let id = objectID(of: reference) else { return [] }
      let call = "try \(context).existingObject(with: \(id))"
      if events?.failure != nil { return throwing(call, events) }
      let target = try variable(HeldInstance(step.context, name), step)
      if events == nil { return [.line("\(target) = \(call.replacingPrefix("try", by: "try?"))")] }
      return [.line("\(target) = \(call)")]
    case .registeredObject(let reference, let name):
      guard let id = objectID(of: reference) else { return [] }
      let call = "\(context).registeredObject(for: \(id))"
      switch events?.answer {
      case .nothing: return [.line("XCTAssertNil(\(call))")]
      case .object:
        let target = try variable(HeldInstance(step.context, name), step)
        return [.line("\(target) = \(call)"), .line("XCTAssertNotNil(\(target))")]
      default:
        guard let target = names[HeldInstance(step.context, name)] else { return [] }
        return [.line("\(target) = \(call)")]
      }
    case .objectForURI(let reference, let name):
      guard let id = objectID(of: reference) else { return [] }
      let coordinator = names[stack.coordinator(of: step.context)]
      let call =
        "\(coordinator).managedObjectID(forURIRepresentation: \(id).uriRepresentation())"
      guard case .object? = events?.answer else { return [.line("XCTAssertNil(\(call))")] }
      let target = try variable(HeldInstance(step.context, name), step)
      return [.line("\(target) = \(context).object(with: try XCTUnwrap(\(call)))")]
    default: preconditionFailure("\(step.step.verb) looks up no object")
    }
  }

  /// Returns an expression for the ID of an instance, or nil if `reference` is never bound.
  private func objectID(of reference: HeldInstance) -> String? {
    names[reference].map { "\($0).objectID" }
  }

  // MARK: By request

  /// Returns the statements that create a request, and an expression for the request.
  mutating func request(
    _ request: FetchRequest, _ step: AddressedStep, resultType: String
  ) throws(Refusal) -> ([Statement], String) {
    let entity = model[request.entity]
    let creation = "NSFetchRequest<\(resultType)>(entityName: \"\(entity.name)\")"
    var settings: [String] = []
    var before: [Statement] = []
    if let predicate = try predicate(request.predicate, request.tree, of: request.entity, step) {
      settings.append("predicate = \(predicate)")
    }
    if !request.sortDescriptors.isEmpty {
      let descriptors = request.sortDescriptors.map { descriptor in
        let path = model.names(of: descriptor.keyPath, from: request.entity)
        let key = path.joined(separator: ".")
        return "NSSortDescriptor(key: \"\(key)\", ascending: \(descriptor.ascending))"
      }
      settings.append("sortDescriptors = [\(descriptors.joined(separator: ", "))]")
    }
    if request.fetchOffset != 0 { settings.append("fetchOffset = \(request.fetchOffset)") }
    if request.fetchLimit != 0 { settings.append("fetchLimit = \(request.fetchLimit)") }
    if !request.includesPendingChanges { settings.append("includesPendingChanges = false") }
    if !request.returnsObjectsAsFaults { settings.append("returnsObjectsAsFaults = false") }
    if !request.includesSubentities { settings.append("includesSubentities = false") }
    if request.shouldRefreshRefetchedObjects {
      settings.append("shouldRefreshRefetchedObjects = true")
    }
    if let stores = request.affectedStores {
      let coordinator = stack.coordinator(of: step.context)
      let list = stores.map { variable(of: $0, in: coordinator) }.joined(separator: ", ")
      settings.append("affectedStores = [\(list)]")
    }
    switch request.resultType {
    case .managedObject: break
    case .managedObjectID: settings.append("resultType = .managedObjectIDResultType")
    case .count: settings.append("resultType = .countResultType")
    case .dictionary:
      settings.append("resultType = .dictionaryResultType")
      (before, settings) = columnSettings(request, of: entity, after: settings)
    }
    if settings.isEmpty { return ([], creation) }
    let name = names.local("request")
    return (
      before + [.line("let \(name) = \(creation)")] + settings.map { .line("\(name).\($0)") }, name
    )
  }

  private mutating func fetchStatements(
    _ request: FetchRequest, as new: ObjectName?, _ step: AddressedStep, _ events: [Event]?
  ) throws(Refusal) -> [Statement] {
    let target = try new.map { name throws(Refusal) in
      try variable(HeldInstance(step.context, name), step)
    }
    let type =
      switch request.resultType {
      case .managedObject: "NSManagedObject"
      case .managedObjectID: "NSManagedObjectID"
      case .dictionary: "NSDictionary"
      case .count: "NSNumber"
      }
    let (statements, expression) = try self.request(request, step, resultType: type)
    let call = "try \(names[step.context]).fetch(\(expression))"
    if events?.failure != nil { return statements + throwing(call, events) }
    switch events?.answer {
    case .objects(let ids):
      let isSorted = !request.sortDescriptors.isEmpty
      if new != nil, !isSorted, ids.count > 1 {
        throw refusal(step, "it names the first of several objects, and no 'sort' orders them")
      }
      return statements + findings(call, ids, isSorted: isSorted, as: target, step)
    case .objectIDs(let ids):
      let known = ids.compactMap { self.expression(ofID: $0) }
      if known.count == ids.count, !ids.isEmpty {
        return statements
          + [.line("XCTAssertEqual(Set(\(call)), [\(known.joined(separator: ", "))])")]
      }
      return statements + [.line("XCTAssertEqual(\(call).count, \(ids.count))")]
    case .dictionaries(let entity, let rows):
      let keys = rows.first.map { $0.map { model[entity][$0.property].name } } ?? []
      return statements
        + dictionaryChecks(call, request, keys, rows.map { $0.map(\.value) })
    case .summaries(let entity, let properties, let aggregates, let rows):
      let keys =
        properties.map { model[entity][$0].name } + aggregates.map { $0.key(of: model[entity]) }
      return statements + dictionaryChecks(call, request, keys, rows)
    case .count(let count):
      return statements + [.line("XCTAssertEqual(\(call).first?.intValue, \(count))")]
    default:
      // The number of results is not known here.
      if new != nil, request.sortDescriptors.isEmpty {
        throw refusal(
          step, "it names the first object of a fetch in an observer, and no 'sort' orders them")
      }
      return statements + [.line(target.map { "\($0) = \(call).first" } ?? "_ = \(call)")]
    }
  }

  /// Returns statements that check the results of a fetch. If the test already holds all results,
  /// they are compared directly. Otherwise, the statements compare the count and keep each result.
  /// `first` receives the first result.
  private mutating func findings(
    _ call: String, _ ids: [ObjectID], isSorted: Bool, as first: String?, _ step: AddressedStep
  ) -> [Statement] {
    if ids.isEmpty {
      return [.line("XCTAssertTrue(\(call).isEmpty)")]
        + (first.map { [.line("\($0) = nil")] } ?? [])
    }
    let targets = ids.map { id -> (variable: String, isKnown: Bool)? in
      guard let name = rehearsal.name(of: id) else { return nil }
      let held = HeldInstance(step.context, name)
      guard let variable = names[held] else { return nil }
      let wasBound = item > 0 && rehearsal.bindings[item - 1][held]?.isRegistered == true
      return (variable, wasBound)
    }
    let known = targets.compactMap { $0?.isKnown == true ? $0?.variable : nil }
    if known.count == ids.count, first == nil {
      let list = "[\(known.joined(separator: ", "))]"
      return [
        .line(
          isSorted || ids.count == 1
            ? "XCTAssertEqual(\(call), \(list))" : "XCTAssertEqual(Set(\(call)), \(list))")
      ]
    }
    let found = names.local("found")
    var statements: [Statement] = [
      .line("let \(found) = \(call)"),
      .line("XCTAssertEqual(\(found).count, \(ids.count))"),
    ]
    for (index, target) in targets.enumerated() {
      guard let target else { continue }
      let element: String
      if !isSorted, ids.count > 1, let id = otherExpression(ofID: ids[index], than: step.context) {
        element = "\(found).first { $0.objectID == \(id) }"
      } else {
        element = index == 0 ? "\(found).first" : "\(found).dropFirst(\(index)).first"
      }
      statements.append(.line("\(target.variable) = \(element)"))
    }
    if let first { statements.append(.line("\(first) = \(found).first")) }
    return statements
  }

  /// Returns an expression for `id` based on an object in another context, or nil if no such object
  /// is bound.
  private func otherExpression(ofID id: ObjectID, than context: ContextID) -> String? {
    guard item > 0, let name = rehearsal.name(of: id) else { return nil }
    for other in stack.contextIDs where other != context {
      let held = HeldInstance(other, name)
      if rehearsal.bindings[item - 1][held]?.id == id, let variable = names[held] {
        return "\(variable).objectID"
      }
    }
    return nil
  }
}

extension Step {
  /// The instance whose ID the step looks up.
  var reference: HeldInstance? {
    switch self {
    case .object(let reference, _), .existingObject(let reference, _),
      .registeredObject(let reference, _), .objectForURI(let reference, _):
      reference
    default: nil
    }
  }
}
