import ObjectModel
import Prose
import Vocabulary

extension Scope {
  /// Reads the steps of a block, indented by `indentation`, up to the first line that is not a
  /// step.
  ///
  /// A step of the block may omit its lane if it is `lane`. On an app-defined queue, every step
  /// names its lane.
  mutating func block(_ lines: inout LineCursor, indentation: Int, lane: ContextID?)
    throws(TextError) -> [AddressedStep]
  {
    var steps: [AddressedStep] = []
    while var line = lines.next, line.indentation >= indentation, !line.begins(with: ">"),
      isInStack || line.indentation > 4 || !isClaim(line)
    {
      if indentation > 64 { throw line.error("blocks are nested more than 30 levels deep") }
      do throws(TextError) {
        if isClaim(line) { throw claimInside(line) }
        line = lines.take(line, indentedBy: indentation, of: "this block", &errors)
        steps.append(try step(line, &lines, blockLane: lane))
      } catch {
        note(error, in: line)
        lines.skip(under: line)
      }
    }
    return steps
  }

  /// Reads a step with its block.
  mutating func step(_ line: Line, _ lines: inout LineCursor, blockLane: ContextID?)
    throws(TextError) -> AddressedStep
  {
    var reader = LineReader(line)
    let first = try reader.identifier("a lane")
    if let blockLane, let verb = Verb(word: first) {
      let step = try step(verb, &reader, blockLane, &lines, blockIndentation: line.indentation + 2)
      return AddressedStep(blockLane, step)
    }
    if Verb(word: first) != nil {
      throw reader.error("step names no lane; write 'LANE  \(first)', where the lane is a context")
    }
    if blockLane != nil && !isContext(first) {
      let contexts = stack.contexts.map(\.name)
      throw reader.undeclared(
        first,
        unknown(
          "no lane or verb", first, of: contexts + Verb.allCases.map(\.word),
          otherwise: "the stack has \(enumerated(contexts)), and \(Verb.listing)"))
    }
    let lane = try context(first, "step names lane", reader)
    let word = try reader.identifier("a verb")
    guard let verb = Verb(word: word) else {
      throw reader.error(
        unknown("no verb", word, of: Verb.allCases.map(\.word), otherwise: Verb.listing))
    }
    let step = try step(verb, &reader, lane, &lines, blockIndentation: line.indentation + 2)
    return AddressedStep(lane, step)
  }

  private mutating func step(
    _ verb: Verb, _ line: inout LineReader, _ lane: ContextID, _ lines: inout LineCursor,
    blockIndentation: Int
  ) throws(TextError) -> Step {
    let step = try arguments(verb, &line, lane)
    try line.expectEnd()
    guard step.block != nil else { return step }
    let blockLane = step.traits.contains(.runsOnAppQueue) ? nil : lane
    let errorCount = errors.count
    let steps = try block(&lines, indentation: blockIndentation, lane: blockLane)
    // A block in which no step could be read is not empty.
    let isEmpty = steps.isEmpty && errors.count == errorCount
    try checkSteps(isEmpty, of: "'\(verb.word)'", line)
    return step.withBlock(steps)
  }

  /// Reads the operands on the verb's own line.
  private mutating func arguments(_ verb: Verb, _ line: inout LineReader, _ lane: ContextID)
    throws(TextError) -> Step
  {
    switch verb {
    case .insert: return try insert(&line, lane)
    case .get: return try get(&line, lane)
    case .set, .setPrimitive, .increment: return try setter(verb, &line)
    case .relate, .add, .remove, .replace: return try relationshipSetter(verb, &line, lane)
    case .object, .existingObject, .registeredObject, .objectForURI:
      return try lookUp(verb, &line, lane)
    case .delete: return .delete(try object(&line).name)
    case .insertAgain: return .insertAgain(try object(&line).name)
    case .detectConflicts: return .detectConflicts(try object(&line).name)
    case .changedValues: return .changedValues(try object(&line).name)
    case .committedValues: return .committedValues(try object(&line).name)
    case .changedValuesForCurrentEvent:
      return .changedValuesForCurrentEvent(try object(&line).name)
    case .hasPersistentChangedValues: return .hasPersistentChangedValues(try object(&line).name)
    case .uriRepresentation: return .uriRepresentation(try object(&line).name)
    case .release: return .release(try object(&line).name)
    case .assign, .validate, .refresh, .obtainPermanentIDs: return try aboutObjects(verb, &line)
    case .batchUpdate, .batchDelete, .batchInsert:
      return .batch(try batchRequest(verb, &line, lane))
    case .fetch: return try fetch(&line, lane)
    case .count: return .count(try countedRequest(&line, lane))
    case .performFetch: return .performFetch(try controller(&line, lane))
    case .mergeChanges: return .mergeChanges(try mergeSource(&line))
    case .mergeRemoteChanges: return .mergeRemoteChanges(try mergeSource(&line))
    case .removeStore, .addStore, .destroyStore, .metadata, .setMetadata, .refuseWrite:
      return try storeStep(verb, &line)
    case .perform: return .perform([])
    case .performAndWait: return .performAndWait([])
    case .performBackgroundTask: return try backgroundTask(line, lane)
    case .directly: return .directly([])
    case .dispatchAsync: return .async(try queue(&line), [])
    case .dispatchSync: return .sync(try queue(&line), [])
    case .when, .unless: return .when(try condition(isNegated: verb == .unless, &line), [])
    case .try: return .trying([])
    case .raise, .lower: return .setFlag(try flag(&line), verb == .raise)
    case .enter, .leave, .wait, .notify: return try groupStep(verb, &line)
    case .remember: return .remember(try idSet(&line), try objectSet(&line))
    case .forget: return .forget(try idSet(&line))
    case .policy: return .setMergePolicy(try mergePolicy(&line))
    case .forEach: return .forEach(try objectSet(&line), try treatment(&line))
    case .call: return .call(try entryPoint(&line))
    case .suspend: return .suspend(try queueThatCanPause(&line, lane))
    case .resume: return .resume(try queueThatCanPause(&line, lane))
    case .sleep: return .sleep(try line.count("a number of milliseconds"))
    case .tick: return try tick(line, lane)
    case .hasChanges, .executeSaveRequest, .processPendingChanges, .save, .refreshAllObjects,
      .reset, .rollback, .mergeHistory, .undo, .redo, .disableUndoRegistration,
      .enableUndoRegistration, .discard, .kill:
      guard let step = Step(bare: verb) else {
        preconditionFailure("'\(verb.word)' has operands")
      }
      return step
    }
  }

  private mutating func countedRequest(
    _ line: inout LineReader, _ lane: ContextID
  ) throws(TextError) -> FetchRequest {
    let request = try fetchRequest(&line, lane)
    if line.takes(keyword: RequestKeyword.as.rawValue) {
      throw line.error("'as' names an object, but a count returns none; write 'fetch'")
    }
    return request
  }

  /// Reads `n.title "text"`, or `n.views` and `n.views by -1` for `increment`.
  private mutating func setter(_ verb: Verb, _ line: inout LineReader) throws(TextError) -> Step {
    let (name, property, attribute) = try attributePath(&line)
    guard verb == .increment else {
      let value = try line.literal(attribute.type, &model.symbols)
      return verb == .set ? .set(name, property, value) : .setPrimitive(name, property, value)
    }
    guard attribute.type.greatestInteger != nil else {
      throw line.error("only integers can be incremented; write 'set'")
    }
    guard line.takes(keyword: "by") else { return .increment(name, property) }
    guard case .integer(let amount) = try line.literal(attribute.type, &model.symbols) else {
      throw line.error("expected the number to add, such as 'by -1'")
    }
    return .increment(name, property, by: amount)
  }

  /// Reads the operands of a relationship step, such as `n.folder f`, `n.folder nil`, `f.notes n`
  /// or `f.notes [n m]`.
  private mutating func relationshipSetter(
    _ verb: Verb, _ line: inout LineReader, _ lane: ContextID
  ) throws(TextError) -> Step {
    let target = try relationshipPath(&line, isToMany: verb != .relate)
    let (name, property) = (target.name, target.property)
    switch verb {
    case .relate where line.takes(keyword: "nil"): return .relate(name, property, nil)
    case .relate: return .relate(name, property, try member(of: target, &line, lane))
    case .add: return .add(name, property, try member(of: target, &line, lane))
    case .remove: return .remove(name, property, try member(of: target, &line, lane))
    default:
      var members: [HeldInstance] = []
      try line.expect("[")
      while !line.takes("]") { members.append(try member(of: target, &line, lane)) }
      return .replace(name, property, members)
    }
  }

  /// Reads the operands of a lookup, such as `edit.n` or `edit.n as b`.
  private mutating func lookUp(
    _ verb: Verb, _ line: inout LineReader, _ lane: ContextID
  ) throws(TextError) -> Step {
    let (held, name) = try lookUp(&line, lane)
    return switch verb {
    case .object: .object(with: held, as: name)
    case .existingObject: .existingObject(with: held, as: name)
    case .registeredObject: .registeredObject(for: held, as: name)
    default: .objectForURI(of: held, as: name)
    }
  }

  /// Reads an object and further operands of the verb, or several objects.
  private mutating func aboutObjects(
    _ verb: Verb, _ line: inout LineReader
  ) throws(TextError) -> Step {
    if verb == .obtainPermanentIDs {
      var names: [ObjectName] = []
      while !line.isAtEnd { names.append(try object(&line).name) }
      return .obtainPermanentIDs(names)
    }
    let name = try object(&line).name
    switch verb {
    case .assign: return .assign(name, try store(&line))
    case .validate: return .validate(name, try validation(&line))
    default: return .refresh(name, mergeChanges: line.takes(keyword: "merging"))
    }
  }

  /// Reads a store and, for verbs that need one, a number.
  private func storeStep(_ verb: Verb, _ line: inout LineReader) throws(TextError) -> Step {
    let store = try store(&line)
    switch verb {
    case .removeStore: return .removeStore(store)
    case .addStore: return .addStore(store)
    case .destroyStore: return .destroyStore(store, isRecreated: line.takes(keyword: "anew"))
    case .metadata: return .metadata(store)
    case .setMetadata: return .setMetadata(store, try line.count("a number"))
    default:
      return .refuseWrite(store, after: try line.count("the number of a write", from: 1))
    }
  }

  private func backgroundTask(_ line: LineReader, _ lane: ContextID) throws(TextError) -> Step {
    guard stack[lane].concurrencyType == .privateQueue, stack.parent(of: lane) == nil else {
      throw line.error(
        "a background task has a private queue and no parent context; write "
          + "'\(stack[lane].name)  privateQueue coordinator NAME', or 'perform'")
    }
    return .performBackgroundTask([])
  }

  private func tick(_ line: LineReader, _ lane: ContextID) throws(TextError) -> Step {
    guard stack[lane].isOnMainQueue else {
      throw line.error(
        "only the main queue has a run loop; 'tick' is for a 'mainQueue' or 'confinement main' "
          + "context")
    }
    return .tick
  }

  /// Reads the name of an app-defined queue, or nothing for the queue of the lane's context.
  /// Dispatch does not suspend the main queue.
  private func queueThatCanPause(
    _ line: inout LineReader, _ lane: ContextID
  ) throws(TextError) -> AppQueueID? {
    if !line.isAtEnd { return try queue(&line) }
    guard stack[lane].isOnMainQueue else { return nil }
    throw line.error(
      "'\(stack[lane].name)' is on the main queue, which cannot be suspended; name a queue of the app, "
        + "or choose a context with a queue of its own")
  }

  func store(_ line: inout LineReader) throws(TextError) -> StoreID {
    let name = try line.identifier("the name of a store")
    guard let index = stack.stores.firstIndex(where: { $0.name == name }) else {
      throw line.undeclared(
        name, unknown("step names store", name, "the stack has", stack.stores.map(\.name)))
    }
    return StoreID(index)
  }

  private func validation(_ line: inout LineReader) throws(TextError) -> Validation {
    let word = try line.word("'forInsert', 'forUpdate' or 'forDelete'")
    guard let validation = Validation(rawValue: word) else {
      throw line.error(
        unknown("no validation", word, "there are", Validation.allCases.map(\.rawValue)))
    }
    return validation
  }

  func checkIsTold(_ line: LineReader) throws(TextError) {
    guard isDesign, !isInObserver else { return }
    throw line.error(
      "only an observer of 'didSave' receives a save; write the step there, or "
        + "'didSave CONTEXT 1'")
  }

  /// Reads the source of a merge, such as `delivered`, `didSave edit 1`, `batch edit 1` or
  /// `batch edit latest`.
  private func mergeSource(_ line: inout LineReader) throws(TextError) -> MergeSource {
    if line.takes(keyword: "delivered") {
      try checkIsTold(line)
      return .delivered
    }
    if line.takes(keyword: "batch") {
      let name = try line.identifier("the context that executed the batch request")
      let context = try context(name, "step names context", line)
      if line.takes(keyword: "latest") { return .latestBatch(context) }
      let ordinal = try line.count("'latest' or the number of a batch request", from: 1)
      return .batch(context, ordinal: ordinal)
    }
    guard line.takes(keyword: "didSave") else {
      throw line.missing("'delivered', 'didSave' or 'batch'")
    }
    let name = try line.identifier("the context that saved")
    let context = try context(name, "step names context", line)
    return .didSave(context, ordinal: try line.count("the number of a save", from: 1))
  }
}
