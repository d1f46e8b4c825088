import ObjectModel
import Scenario
import Vocabulary

/// The complete file.
extension TestWriter {
  mutating func file(_ typeName: String) throws(Refusal) -> String {
    let parts = try stackParts()
    let observers = try observerStatements()
    let entries = try entryPointMethods()
    let steps = try programStatements()
    // After the timeout the blocked queues continue, and the final claims need not hold.
    let claims = endsInDeadlock ? [] : closingRemarks() + claimStatements()
    let recording = recordingStatements()
    let posted =
      endsInDeadlock ? [] : postingStatements() + listChangeStatements() + callStatements()
    let (setUp, makers) = assembled(parts, recording + observers)
    var body: [Statement] = resetStatements + setUp
    body += [.empty] + steps
    if !posted.isEmpty { body += [.empty] + posted }
    if !claims.isEmpty { body += claims.first == .empty ? claims : [.empty] + claims }
    let method =
      "func test\(typeName.dropLast("Tests".count))() throws {"
    var members: [Statement] = properties
    members += [.empty, .block(method, body), .empty]
    for entry in entries { members += [entry, .empty] }
    members += makers + helperMethods
    var source = ModelSource(model)
    source.classes = classes
    source.storeConfigurations = stack.stores.compactMap { store in
      store.entities.map { (store.name, $0) }
    }
    members.append(try source.method())
    let file: [Statement] =
      [.line("import CoreData"), .line("import XCTest"), .empty]
      + comment
      + [.block("final class \(typeName): XCTestCase {", members)] + listChangesClass
      + (try classStatements())
    return Statement.lines(file).map { $0 + "\n" }.joined()
  }

  private var comment: [Statement] {
    (headLines + ExportedProse(scenario).lines).map { .line($0.isEmpty ? "///" : "/// " + $0) }
  }

  /// The properties that the test, its observers and its methods share.
  private var properties: [Statement] {
    var lines: [String] = []
    let coordinators = stack.coordinators.indices.map { names[CoordinatorID($0)] }
    lines += coordinators.map { "private var \($0): NSPersistentStoreCoordinator!" }
    for coordinator in stack.coordinators.indices.map({ CoordinatorID($0) }) {
      for store in stack.stores.indices.map({ StoreID($0) })
      where usesVariable(of: store) && isUsed(store, below: coordinator) {
        lines.append("private var \(variable(of: store, in: coordinator)): NSPersistentStore!")
      }
    }
    lines += stack.stores.indices.map { StoreID($0) }.filter(keepsPlace)
      .map { "private lazy var \(names[$0])URL = temporaryURL(\(SwiftLiteral.text(names[$0])))" }
    lines += stack.contextIDs.map { "private var \(names[$0]): NSManagedObjectContext!" }
    lines += stack.queues.indices.map { "private var \(names[AppQueueID($0)]): DispatchQueue!" }
    lines += stack.groups.indices.map { "private var \(names[GroupID($0)]): DispatchGroup!" }
    lines += stack.flags.indices.map { "private var \(names[FlagID($0)]) = false" }
    lines += stack.idSets.indices.map {
      "private var \(names[IDSetID($0)]): [NSManagedObjectID] = []"
    }
    if helpers.contains(.mergeHistory) {
      lines.append("private var tokens: [String: NSPersistentHistoryToken] = [:]")
    }
    lines += madeLists.sorted().map {
      "private var \(names[$0]): NSFetchedResultsController<NSManagedObject>!"
    }
    lines += listChangeProperties
    lines += rehearsal.heldInstances.compactMap { names[$0] }
      .map { "private var \($0): NSManagedObject!" }
    if helpers.contains(.blocks) { lines.append("private let blocks = DispatchGroup()") }
    if let count = interleaving?.gateCount, count > 0 {
      lines.append("/// Each semaphore lets one queue continue after a step of another queue.")
      lines.append("private let turns = (0..<\(count)).map { _ in DispatchSemaphore(value: 0) }")
    }
    if let count = programDeadlock?.waits.count {
      lines.append("/// Each semaphore signals that one side of the deadlock holds its queue.")
      lines.append("private let held = (0..<\(count)).map { _ in DispatchSemaphore(value: 0) }")
    }
    lines += gates.map { "private let \($0) = DispatchSemaphore(value: 0)" }
    lines += records.map { "private var \($0.name): \($0.type)" }
    return lines.map { .line($0) }
  }

  /// Returns statements that end the undo group. An undo manager closes a group at the end of a
  /// turn of the run loop.
  private func undoGroupEnd(_ step: AddressedStep) -> [Statement] {
    guard step.step == .processPendingChanges || step.step == .save,
      stack[step.context].hasUndoManager, stack[step.context].isOnMainQueue
    else { return [] }
    return [.comment("Ends the undo group."), .line("RunLoop.current.run(until: Date())")]
  }

  /// Returns whether the coordinator has the store initially or a step adds it.
  private func isUsed(_ store: StoreID, below coordinator: CoordinatorID) -> Bool {
    stack.coordinators[coordinator.index].stores.contains(store)
      || scenario.allSteps.contains { step in
        step.contains {
          $0.step == .addStore(store) && stack.coordinator(of: $0.context) == coordinator
        }
      }
  }

  /// Returns the steps in order. Consecutive steps for the same context share a block.
  private mutating func programStatements() throws(Refusal) -> [Statement] {
    var result: [Statement] = []
    var group: (context: ContextID, body: [Statement])?
    if interleaving != nil { return try interleavedStatements() }
    for index in scenario.items.indices {
      item = index
      writtenCounts = [:]
      if endlessGroup != nil, index == rehearsal.lastItem { isPastDeadlock = true }
      let step = scenario.items[index].step
      var isGrouped = false
      if isOnQueue(step.step), step.step.block == nil {
        if let last = group, last.context != step.context {
          result += block(of: last.context, last.body)
          group = nil
        }
        let inner = try statements(
          for: step, place: Place(onMain: true, contexts: [step.context]))
        group = (step.context, (group?.body ?? []) + inner + undoGroupEnd(step))
        isGrouped = true
      }
      let isLast = index == deadlock?.item
      let waiting = isLast ? endStatements(onMain: true) : waitingStatements()
      let claims = claimStatements(after: index)
      if !isGrouped || !waiting.isEmpty || !claims.isEmpty, let last = group {
        result += block(of: last.context, last.body)
        group = nil
      }
      if !isGrouped { result += try statements(for: [step], place: Place(onMain: true)) }
      result += waiting + claims
      if isLast { break }
    }
    if let group { result += block(of: group.context, group.body) }
    return result
  }
}
