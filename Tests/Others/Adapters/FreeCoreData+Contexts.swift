/// The operations of FreeCoreData's contexts.
extension FreeCoreData {
  func fetch(_ request: Request<Object>, in context: Int) -> Outcome<[Object]> {
    let fetch = runtime.send(
      "fetchRequestWithEntityName:", toClass: "NSFetchRequest", runtime.string(request.entity))
    runtime.send(
      fetch, "setIncludesSubentities:", runtime.number(request.includesSubentities ? 1 : 0))
    runtime.send(
      fetch, "setIncludesPendingChanges:", runtime.number(request.includesPendingChanges ? 1 : 0))
    if !request.comparisons.isEmpty {
      var arguments: [ObjectiveC.ID] = []
      let parts = request.comparisons.map { comparison in
        arguments.append(runtime.string(comparison.key))
        guard let value = object(comparison.value) else { return "%K \(comparison.relation) nil" }
        arguments.append(value)
        return "%K \(comparison.relation) %@"
      }
      let predicate = runtime.send(
        runtime.classObject("NSPredicate"), "predicateWithFormat:argumentArray:",
        runtime.string(parts.joined(separator: " AND ")), runtime.array(arguments))
      runtime.send(fetch, "setPredicate:", predicate)
    }
    return results(of: fetch, contexts[context])
  }

  private func results(of fetch: ObjectiveC.ID, _ context: ObjectiveC.ID) -> Outcome<[Object]> {
    outcome { error in
      guard let found = runtime.send(context, "executeFetchRequest:error:", fetch, error) else {
        return ([], true)
      }
      return (runtime.elements(found).compactMap { retained($0) }, false)
    }
  }

  func object(withIDOf other: Object, in context: Int) -> Outcome<Object?> {
    .success(
      retained(runtime.send(contexts[context], "objectWithID:", runtime.send(other, "objectID"))))
  }

  func existingObject(withIDOf other: Object, in context: Int) -> Outcome<Object?> {
    outcome { error in
      let found = runtime.send(
        contexts[context], "existingObjectWithID:error:", runtime.send(other, "objectID"), error)
      return (retained(found), found == nil)
    }
  }

  func registeredObject(withIDOf other: Object, in context: Int) -> Outcome<Object?> {
    .success(
      retained(
        runtime.send(
          contexts[context], "objectRegisteredForID:", runtime.send(other, "objectID"))))
  }

  func begin(step: Int) {
    self.step = step
    FreeCoreData.posted = nil
  }

  func save(_ context: Int) -> Outcome<Void> {
    let result = succeeds(contexts[context], "save:")
    if let notification = FreeCoreData.posted { notifications[step] = notification }
    return result
  }

  func merge(save: Int, into context: Int) -> Bool {
    guard let notification = notifications[save] ?? nil else { return false }
    runtime.send(
      contexts[context], "mergeChangesFromContextDidSaveNotification:", notification)
    return true
  }

  func refresh(_ object: Object, mergeChanges: Bool, in context: Int) {
    runtime.send(
      contexts[context], "refreshObject:mergeChanges:", object,
      runtime.number(mergeChanges ? 1 : 0))
  }

  func reset(_ context: Int) { runtime.send(contexts[context], "reset") }
  func rollback(_ context: Int) { runtime.send(contexts[context], "rollback") }

  func processPendingChanges(_ context: Int) {
    runtime.send(contexts[context], "processPendingChanges")
  }

  func obtainPermanentIDs(_ objects: [Object], in context: Int) -> Outcome<Void> {
    succeeds(
      contexts[context], "obtainPermanentIDsForObjects:error:", .some(runtime.array(objects)))
  }

  func detectConflicts(_ object: Object, in context: Int) {
    runtime.send(contexts[context], "detectConflictsForObject:", object)
  }

  func storedObjects() -> [Object] {
    let context = makeContext("error")
    return entities.filter { $0.parent == nil }.flatMap { entity -> [Object] in
      let fetch = runtime.send(
        "fetchRequestWithEntityName:", toClass: "NSFetchRequest", runtime.string(entity.name))
      switch results(of: fetch, context) {
      case .success(let objects): return objects
      case .failure(let kind): fatalError("the store cannot be read: \(kind)")
      }
    }
  }
}
