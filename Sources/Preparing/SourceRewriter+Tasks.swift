/// Tasks and actors: what they do next has to be the scheduler's choice, and a report has to say
/// where a task was made.
extension SourceRewriter {
  /// What stands before an expression; `Task` after something else is a type.
  private static let beforeExpressions: Set<String> = [
    "=", "return", "{", "(", "in", ";", "else", "??", "await", "try", "!", "?",
  ]

  /// `Task { … }` becomes `Task(name: "File.swift:12") { … }`.
  mutating func nameTask(at index: Int) {
    let isExpression =
      index == 0 || tokens[index].beginsLine
      || SourceRewriter.beforeExpressions.contains(text(index - 1))
    guard isExpression else { return }
    var position = index + 1
    if text(position) == "<" { position = end(ofArgumentsAt: position) }
    if text(position) == ".", text(position + 1) == "detached" { position += 2 }
    let name = "name: \"\\(#fileID):\\(#line)\""
    if text(position) == "{" {
      insert("(\(name))", after: position - 1)
    } else if text(position) == "(", ["priority", "operation"].contains(text(position + 1)) {
      insert(name + ", ", after: position)
    }
  }

  /// An actor gets an executor of the simulation, unless it has one of its own.
  mutating func addExecutor(at index: Int) {
    let isDeclaration = !["(", ",", ".", "@"].contains(text(index - 1))
    guard isDeclaration, tokens.indices.contains(index + 1), tokens[index + 1].kind == .word,
      let open = (index + 2..<tokens.count).first(where: { text($0) == "{" }),
      !(index + 2..<open).contains(where: { ["=", "}", ";", "in"].contains(text($0)) }),
      !(open..<end(ofBracketAt: open)).contains(where: { text($0) == "unownedExecutor" })
    else { return }
    insert(
      " nonisolated let __executor = __ActorExecutor(); "
        + "public nonisolated var unownedExecutor: UnownedSerialExecutor "
        + "{ __executor.asUnownedSerialExecutor() };", after: open)
  }
}
