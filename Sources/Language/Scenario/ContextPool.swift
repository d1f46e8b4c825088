import Prose
import Vocabulary

/// Several contexts with the same configuration that one line declares.
///
/// `worker*3  privateQueue parent view` stands for three lines, for `worker1`, `worker2` and
/// `worker3`. A pool is notation: parsing expands it, and a printed stack lists all contexts.
///
/// An `observe` or `entry` line that names the pool as `worker*` stands for one such part for each
/// context. Within its steps, `worker` names the context.
struct ContextPool {
  struct Member {
    let pool: String
    /// The number of the context in its pool, counted from 1.
    let number: Int
    let context: ContextID
  }

  let name: String
  let contexts: [ContextID]

  /// The maximum number of contexts in a pool.
  static let greatestCount = 64

  var members: [Member] {
    contexts.enumerated().map { Member(pool: name, number: $0.offset + 1, context: $0.element) }
  }
}

extension Scope {
  /// Reads the line of a context or a pool after its name: `worker  privateQueue …` or
  /// `worker*3  privateQueue …`.
  mutating func readContexts(_ name: String, _ line: inout LineReader) throws(TextError) {
    guard line.takesDirectly("*") else { return try readContext(name, &line) }
    let count = try line.count("a number of contexts", from: 1)
    if count > ContextPool.greatestCount {
      throw line.error(
        "a pool has at most \(ContextPool.greatestCount) contexts; fewer contexts find the same failures"
      )
    }
    // Steps name the members by the name of the pool.
    try checkContextName(name, line)
    try check(name, isNewAmong: stack.contexts.map(\.name), "context", line)
    try check(name, isNewAmong: pools.map(\.name), "pool", line)
    var contexts: [ContextID] = []
    for number in 1...count {
      var rest = line
      contexts.append(ContextID(stack.contexts.count))
      try readContext("\(name)\(number)", &rest)
    }
    pools.append(ContextPool(name: name, contexts: contexts))
  }

  /// Returns a Boolean value that indicates whether a step can name `name` as its context.
  func isContext(_ name: String) -> Bool {
    stack.contexts.contains { $0.name == name } || poolMember?.pool == name
  }

  /// Returns the error for a pool's name in place of a context, or `nil` if no pool has the name.
  func poolError(_ name: String, _ speaker: String, _ line: LineReader) -> TextError? {
    guard let pool = pools.first(where: { $0.name == name }),
      let first = pool.contexts.first, let last = pool.contexts.last
    else { return nil }
    let names =
      first == last
      ? "its context, '\(stack[first].name)'"
      : "one of its contexts, '\(stack[first].name)' to '\(stack[last].name)'"
    return line.error(
      "\(speaker) '\(name)', a pool; name \(names), or write the step in a part for '\(name)*'")
  }

  /// Reads the `*` after the name of a pool, as in `worker*`, and returns the pool. Returns `nil`
  /// for the name of a single context.
  private func pool(_ name: String, _ line: inout LineReader) throws(TextError) -> ContextPool? {
    guard line.takesDirectly("*") else { return nil }
    if let pool = pools.first(where: { $0.name == name }) { return pool }
    throw line.undeclared(
      name,
      pools.isEmpty
        ? "the stack has no pools; write '\(shortened(name))*3  privateQueue …' above"
        : unknown("line names pool", name, "the stack has", pools.map(\.name)))
  }

  /// Calls `read` for a line and the lines indented below it, or once for each context of the pool
  /// that the line names.
  ///
  /// - Parameter name: The word that was read last.
  mutating func forEachMember(
    ofPool name: String, _ line: inout LineReader, _ lines: inout LineCursor,
    _ read: (inout Scope, inout LineReader, inout LineCursor) throws(TextError) -> Void
  ) throws(TextError) {
    guard let pool = try pool(name, &line) else { return try read(&self, &line, &lines) }
    defer { poolMember = nil }
    var (end, endOfLine) = (lines, line)
    for member in pool.members {
      poolMember = member
      (end, endOfLine) = (lines, line)
      try read(&self, &endOfLine, &end)
    }
    (lines, line) = (end, endOfLine)
  }
}
