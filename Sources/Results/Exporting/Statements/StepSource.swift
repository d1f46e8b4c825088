import ObjectModel
import Scenario
import Vocabulary

/// Steps as calls of Core Data, each with a check of its result.
extension TestWriter {
  mutating func statements(
    for step: AddressedStep, place: Place
  ) throws(Refusal) -> [Statement] {
    guard let interleaving, !isInReaction, step.step.block == nil else {
      return try ungatedStatements(for: step, place: place)
    }
    let position = interleaving.place(of: step, writtenCounts[step, default: 0])
    let entry = position?.entry.map { [Statement.line("turns[\($0)].wait()")] } ?? []
    let exit = position?.exit.map { [Statement.line("turns[\($0)].signal()")] } ?? []
    let opening = position?.opening.map { [Statement.line("turns[\($0)].signal()")] } ?? []
    return opening + entry + (try ungatedStatements(for: step, place: place)) + exit
  }

  /// Returns the statements of a step, preceded by comments on violations.
  private mutating func ungatedStatements(
    for step: AddressedStep, place: Place
  ) throws(Refusal) -> [Statement] {
    let position = writtenCounts[step, default: 0]
    let written = try plainStatements(for: step, place: place)
    if written.isEmpty || isPastDeadlock { return written }
    return remarks(on: actions(of: step, at: position), answer: written) + written
  }

  private mutating func plainStatements(
    for step: AddressedStep, place: Place
  ) throws(Refusal) -> [Statement] {
    switch step.step {
    case .perform, .performAndWait, .performBackgroundTask, .directly, .async, .sync, .when,
      .trying,
      .notify:
      return try blockStatements(step, place: place)
    case .tick, .sleep, .suspend, .resume, .setFlag, .enter, .leave, .wait, .kill, .discard,
      .release, .call:
      return try arrangementStatements(step, place: place)
    default: break
    }
    let events = answer(to: step)
    if let failure = events?.failure {
      try check(failure, step)
      if let statements = try statements(insteadOf: step, failure) { return statements }
    }
    let mayBeLeftOut = isInReaction || isConditional || endsInDeadlock || interleaving != nil
    if events == nil, !mayBeLeftOut, !wasPerformed(step) {
      throw refusal(step, "the run never reaches it")
    }
    if isInReaction {
      for item in rehearsal.bindings.indices {
        for answer in rehearsal.answers(to: step, during: item) {
          guard let failure = answer.failure else { continue }
          try check(failure, step)
          if try statements(insteadOf: step, failure) != nil {
            throw refusal(
              step, "it raises an Objective-C exception, which Swift code cannot catch")
          }
        }
      }
    }
    let written = try statements(for: step, events)
    let needed = isInReaction ? neededVariables(step) : []
    if needed.isEmpty || written.isEmpty { return written }
    return [.block("if " + needed.map { "\($0) != nil" }.joined(separator: ", ") + " {", written)]
  }

  /// Returns the variables that may be nil when an observer or entry point performs the step.
  private func neededVariables(_ step: AddressedStep) -> [String] {
    let answers = rehearsal.bindings.indices.flatMap { rehearsal.answers(to: step, during: $0) }
    guard answers.contains([.nothing]) else { return [] }
    if let reference = step.step.reference { return names[reference].map { [$0] } ?? [] }
    var variables: [String] = []
    step.visitNames { name in
      guard let variable = names[HeldInstance(step.context, name)],
        !variables.contains(variable)
      else { return }
      variables.append(variable)
    }
    return variables
  }

  private mutating func statements(
    for step: AddressedStep, _ events: [Event]?
  ) throws(Refusal) -> [Statement] {
    switch step.step {
    case .insert, .get, .set, .increment, .relate, .add, .remove, .replace, .delete, .setPrimitive,
      .insertAgain, .assign, .detectConflicts, .validate, .refresh:
      return try objectStatements(step, events)
    case .changedValues, .committedValues, .changedValuesForCurrentEvent,
      .hasPersistentChangedValues, .hasChanges, .uriRepresentation:
      return try questionStatements(step, events)
    case .fetch, .count, .object, .existingObject, .registeredObject, .objectForURI, .performFetch:
      return try findingStatements(step, events)
    default: return try contextStatements(step, events)
    }
  }

  private func wasPerformed(_ step: AddressedStep) -> Bool {
    switch step.step {
    case .mergeChanges, .mergeRemoteChanges, .forEach, .remember: true
    default: !rehearsal.answers(to: step, during: item).isEmpty
    }
  }

  /// Refuses failures that a Swift test cannot catch or cause.
  private func check(_ failure: Failure, _ step: AddressedStep) throws(Refusal) {
    switch failure {
    case .willSaveLoop, .unsupportedRequest:
      throw refusal(step, "it raises an Objective-C exception, which Swift code cannot catch")
    case .wrongQueue:
      throw refusal(
        step, "it uses a context outside its queue, which only a debugging option makes visible")
    case .refusedWrite:
      throw refusal(step, "its store refuses to write, and a program cannot cause such a refusal")
    default: break
    }
  }

  /// Returns a check of the reason why the step raises an exception, because Swift code cannot
  /// catch the exception itself. Returns nil for other failures.
  private func statements(
    insteadOf step: AddressedStep, _ failure: Failure
  ) throws(Refusal) -> [Statement]? {
    let remark = Statement.comment("'\(stepText.line(step))' would raise an exception.")
    var operands: [HeldInstance] = []
    step.visitNames { operands.append(HeldInstance(step.context, $0)) }
    guard let object = operands.first.flatMap({ names[$0] }) else { return nil }
    switch failure {
    case .noContext: return [remark, .line("XCTAssertNil(\(object).managedObjectContext)")]
    case .inaccessible:
      let call = "try \(names[step.context]).existingObject(with: \(object).objectID)"
      return [remark, .line("XCTAssertThrowsError(\(call))")]
    case .alreadySaved:
      // Another context may have saved the object without giving this context the new ID.
      let isTold =
        operands.first.flatMap { rehearsal.bindings[item][$0]?.id }?.isTemporaryID == false
      return isTold
        ? [remark, .line("XCTAssertFalse(\(object).objectID.isTemporaryID)")] : [remark]
    case .differentContexts:
      let other: HeldInstance? =
        switch step.step {
        case .relate(_, _, let destination): destination
        case .add(_, _, let member), .remove(_, _, let member): member
        case .replace(_, _, let members): members.first { $0.context != step.context }
        default: nil
        }
      guard let variable = other.flatMap({ names[$0] }) else { return nil }
      return [
        remark,
        .line(
          "XCTAssertFalse(\(object).managedObjectContext === \(variable).managedObjectContext)"),
      ]
    default: return nil
    }
  }

  // MARK: The context

  private mutating func contextStatements(
    _ step: AddressedStep, _ events: [Event]?
  ) throws(Refusal) -> [Statement] {
    let name = names[step.context]
    switch step.step {
    case .save: return throwing("try \(name).save()", events)
    case .processPendingChanges: return [.line("\(name).processPendingChanges()")]
    case .refreshAllObjects: return [.line("\(name).refreshAllObjects()")]
    case .reset: return [.line("\(name).reset()")]
    case .rollback: return [.line("\(name).rollback()")]
    case .undo, .redo, .disableUndoRegistration, .enableUndoRegistration:
      return try undoStatements(step, events)
    case .obtainPermanentIDs(let objects):
      var list: [String] = []
      for object in objects {
        list.append(try variable(HeldInstance(step.context, object), step) + "!")
      }
      let argument =
        objects.isEmpty
        ? "Array(\(name).insertedObjects)" : "[\(list.joined(separator: ", "))]"
      return throwing("try \(name).obtainPermanentIDs(for: \(argument))", events)
    case .mergeChanges(let source): return try mergeStatements(source, step)
    case .mergeRemoteChanges(let source): return try remoteMergeStatements(source, step)
    case .batch(let request): return try batchStatements(request, step, events)
    case .forEach(let set, let treatment): return try loopStatements(set, treatment, step)
    case .remember(let variable, let set): return rememberStatements(set, as: variable, step)
    case .forget(let variable): return [.line("\(names[variable]) = []")]
    case .removeStore(let store):
      if events == [.nothing] { return [] }
      let coordinator = stack.coordinator(of: step.context)
      return [
        .line(
          "try \(names[coordinator]).remove(\(variable(of: store, in: coordinator)))")
      ]
    case .destroyStore(let store, let isRecreated):
      if events == [.nothing] { return [] }
      return destruction(of: store, isRecreated: isRecreated, by: step)
    case .setMergePolicy(let policy):
      return [.line("\(name).mergePolicy = \(self.policy(policy))")]
    case .addStore(let store):
      if events == [.nothing] { return [] }
      let coordinator = stack.coordinator(of: step.context)
      return [
        .line(
          "\(variable(of: store, in: coordinator)) = \(addition(of: store, to: coordinator))")
      ]
    case .setMetadata, .metadata: return try metadataStatements(step, events)
    case .refuseWrite:
      throw refusal(step, "a program cannot make a store refuse to write")
    case .mergeHistory: return try historyStatements(step)
    case .executeSaveRequest:
      throw refusal(step, "it raises an Objective-C exception, which Swift code cannot catch")
    default: preconditionFailure("\(step.step.verb) is no step of a context")
    }
  }

  /// Returns the statements that destroy a store. The test checks at run time whether the store has
  /// already been removed.
  private func destruction(
    of store: StoreID, isRecreated: Bool, by step: AddressedStep
  ) -> [Statement] {
    let coordinator = stack.coordinator(of: step.context)
    let variable = variable(of: store, in: coordinator)
    let removal = Statement.block(
      "if \(names[coordinator]).persistentStores.contains(\(variable)) {",
      [.line("try \(names[coordinator]).remove(\(variable))")])
    var statements = [removal]
    // Removing a store in memory discards its rows.
    if !stack.stores[store.index].isInMemory {
      statements.append(
        .line(
          "try \(names[coordinator]).destroyPersistentStore("
            + "at: \(names[store])URL, ofType: NSSQLiteStoreType, options: nil)"))
    }
    if !isRecreated { return statements }
    statements.append(.line("\(variable) = \(addition(of: store, to: coordinator))"))
    return [.block("try \(names[coordinator]).performAndWait {", statements)]
  }

  private func undoStatements(
    _ step: AddressedStep, _ events: [Event]?
  ) throws(Refusal) -> [Statement] {
    let name = names[step.context]
    switch step.step {
    case .undo: return [.line("\(name).undo()")]
    case .redo: return [.line("\(name).redo()")]
    case .disableUndoRegistration:
      return [.line("\(name).undoManager?.disableUndoRegistration()")]
    default: return [.line("\(name).undoManager?.enableUndoRegistration()")]
    }
  }

  /// Returns a call that may throw, with a check of the expected error.
  func throwing(_ call: String, _ events: [Event]?) -> [Statement] {
    if isTrying { return [.line(call)] }
    guard let events else { return [.line(call.replacingPrefix("try ", by: "try? "))] }
    guard let failure = events.failure else { return [.line(call)] }
    guard let code = failure.swiftCode else { return [.line("XCTAssertThrowsError(\(call))")] }
    return [
      .block(
        "XCTAssertThrowsError(\(call)) { error in",
        [.line("XCTAssertEqual((error as NSError).code, \(code))")])
    ]
  }
}

extension String {
  /// Returns the string with `prefix` replaced by `other`, if the string begins with `prefix`.
  func replacingPrefix(_ prefix: String, by other: String) -> String {
    hasPrefix(prefix) ? other + dropFirst(prefix.count) : self
  }
}

extension [Event] {
  var failure: Failure? {
    for case .failed(let failure) in self { return failure }
    return nil
  }

  /// The first event that answers a step.
  var answer: Event? {
    first { event in
      switch event {
      case .value, .collection, .objects, .count, .objectIDs, .dictionaries, .summaries, .values,
        .flag,
        .sections, .uri, .batched, .object, .nothing, .failed, .saved:
        true
      default: false
      }
    }
  }
}

extension Failure {
  /// Apple's constant for the error code, or nil if the code is not known with certainty.
  var swiftCode: String? {
    switch self {
    case .validation(let issues):
      issues.count == 1 ? issues[0].code.swiftName : ErrorCode.validationMultipleErrors.swiftName
    case .mergeConflicts: ErrorCode.managedObjectMerge.swiftName
    case .constraintConflicts: ErrorCode.managedObjectConstraintMerge.swiftName
    case .missingObject: ErrorCode.managedObjectReferentialIntegrity.swiftName
    case .crossStore: "NSManagedObjectExternalRelationshipError"
    default: nil
    }
  }
}

extension ErrorCode {
  /// Apple's constant for the error code, such as `NSManagedObjectMergeError`.
  var swiftName: String {
    switch self {
    case .validationManagedObject: "NSManagedObjectValidationError"
    default: "NS\(capitalized(name))Error"
    }
  }
}

extension Stack {
  /// Returns the coordinator at the root of the context's ancestors.
  func coordinator(of context: ContextID) -> CoordinatorID {
    switch self[context].parent {
    case .coordinator(let coordinator): coordinator
    case .context(let parent): coordinator(of: parent)
    }
  }
}
