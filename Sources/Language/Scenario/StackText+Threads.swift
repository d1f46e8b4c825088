import ObjectModel
import Prose
import Vocabulary

/// The name of the main thread in the declaration of a confinement context.
private let mainThread = "main"

/// Queues and threads of the app, its entry points, and the durations of operations.
extension Scope {
  /// Reads durations, such as `time  read 2 write 10 row 1 budget 100`, after the first word.
  mutating func readTime(_ line: inout LineReader) throws(TextError) {
    if stack.timing != Stack.Timing() { throw line.error("time is given twice; once is enough") }
    repeat {
      let part = TimingPart.allCases.first { line.takes(keyword: $0.rawValue) }
      guard let part else { throw line.missing("'read', 'write', 'row' or 'budget'") }
      if stack.timing[keyPath: part.keyPath] != 0 {
        throw line.error("'\(part.rawValue)' is given twice; once is enough")
      }
      stack.timing[keyPath: part.keyPath] = try line.count("a number of milliseconds", from: 1)
    } while !line.isAtEnd
  }

  /// Reads the declaration of a queue, such as `queue  writer`, after its first word.
  mutating func readQueue(_ line: inout LineReader) throws(TextError) {
    let name = try line.identifier("the name of a queue")
    if name == mainThread {
      throw line.error("there is a main queue already; choose another name")
    }
    try check(name, isNewAmong: stack.queues.map(\.name), "queue", line)
    try line.expectEnd()
    stack.queues.append(Stack.Queue(name: name))
  }

  /// Reads the thread of a context after `confinement`.
  func thread(_ line: inout LineReader) throws(TextError) -> AppQueueID? {
    if line.takes(keyword: mainThread) { return nil }
    let name = try line.identifier("the context's thread, a queue or 'main'")
    return try queue(name, "context names thread", line)
  }

  /// Reads the name of a queue in a step.
  func queue(_ line: inout LineReader) throws(TextError) -> AppQueueID {
    try queue(try line.identifier("the name of a queue"), "step names queue", line)
  }

  private func queue(
    _ name: String, _ what: String, _ line: LineReader
  ) throws(TextError) -> AppQueueID {
    guard let index = stack.queues.firstIndex(where: { $0.name == name }) else {
      if name == mainThread {
        let context = stack.contexts.first { $0.concurrencyType == .mainQueue }?.name
        throw line.error(
          "'main' is not a queue of the app; steps for the main queue are enqueued by "
            + "'\(context ?? "CONTEXT")  perform', for a mainQueue context")
      }
      throw declaredBelow(.queue, name, "declare queues above the contexts", line)
        ?? line.undeclared(
          name, unknown(what, name, "the stack has", stack.queues.map(\.name)))
    }
    return AppQueueID(index)
  }

  /// Throws an error for a confinement context with a parent, with children or with automatic
  /// merges. Only contexts with queues can have these (CC-05, NT-26).
  func checkConfinement(of context: Stack.Context, _ line: LineReader) throws(TextError) {
    guard case .context(let parent) = context.parent else { return }
    if context.concurrencyType == .confinement {
      throw line.error(
        "'\(context.name)' is confined to a thread and cannot have a parent; write 'privateQueue' or "
          + "'mainQueue', or 'coordinator NAME'")
    }
    if stack[parent].concurrencyType == .confinement {
      throw line.error(
        "'\(stack[parent].name)' is confined to a thread and cannot be a parent; make it 'privateQueue' "
          + "or 'mainQueue'")
    }
  }

  /// Reads the declaration of an entry point, such as `entry  saveEverything` or
  /// `entry  finish worker*`, and its steps.
  mutating func readEntryPoint(
    _ line: inout LineReader, _ lines: inout LineCursor
  ) throws(TextError) {
    let name = try line.identifier("the name of an entry point")
    var behindPool = line
    guard let pool = behindPool.identifier(), behindPool.nextWord == "*" else {
      return try readEntryPoint(called: name, &line, &lines)
    }
    line = behindPool
    try forEachMember(ofPool: pool, &line, &lines) {
      (scope: inout Scope, line: inout LineReader, lines: inout LineCursor) throws(TextError) in
      let number = scope.poolMember.map { "\($0.number)" } ?? ""
      try scope.readEntryPoint(called: name + number, &line, &lines)
    }
  }

  private mutating func readEntryPoint(
    called name: String, _ line: inout LineReader, _ lines: inout LineCursor
  ) throws(TextError) {
    try check(name, isNewAmong: stack.entryPoints.map(\.name), "entry point", line)
    try line.expectEnd()
    entryPointBeingRead = name
    defer { entryPointBeingRead = nil }
    let steps = try steps(&lines, of: "an entry point", lane: nil)
    try checkSteps(steps.isEmpty, of: "entry point '\(name)'", line)
    if let line = lines.next, line.begins(with: ">") {
      throw line.error("transcript below an entry point; write transcripts below steps")
    }
    stack.entryPoints.append(Stack.EntryPoint(name: name, steps: steps))
  }

  /// Reads the entry point after `call`. It must be declared above, so that no entry point calls
  /// itself.
  func entryPoint(_ line: inout LineReader) throws(TextError) -> EntryPointID {
    let name = try line.identifier("the name of an entry point")
    guard let index = stack.entryPoints.firstIndex(where: { $0.name == name }) else {
      if name == entryPointBeingRead {
        throw line.error("entry point '\(name)' calls itself, which would never end")
      }
      throw declaredBelow(.entry, name, "an entry point can call only entry points above it", line)
        ?? line.undeclared(
          name, unknown("step calls", name, "declared above are", stack.entryPoints.map(\.name)))
    }
    return EntryPointID(index)
  }
}

private enum TimingPart: String, CaseIterable {
  case read, write, row, budget

  var keyPath: WritableKeyPath<Stack.Timing, Int> {
    switch self {
    case .read: \.read
    case .write: \.write
    case .row: \.row
    case .budget: \.mainQueueBudget
    }
  }
}

extension Spelling {
  func timeLines() -> [String] {
    let words = TimingPart.allCases.filter { stack.timing[keyPath: $0.keyPath] != 0 }
      .map { "\($0.rawValue) \(stack.timing[keyPath: $0.keyPath])" }
    return words.isEmpty ? [] : ["time  " + words.joined(separator: " ")]
  }

  func threadName(of context: Stack.Context) -> String {
    context.thread.map { stack.queues[$0.index].name } ?? mainThread
  }

  func lines(_ entryPoint: Stack.EntryPoint) -> [String] {
    ["entry  \(entryPoint.name)"]
      + entryPoint.steps.flatMap { lines($0, blockLane: nil) }.map { "  " + $0 }
  }
}
