/// Rewrites tasks and actors. The scheduler must choose when they continue, and reports must name
/// the place where a task was created.
extension SourceRewriter {
  /// Tokens that precede an expression. After any other token, `Task` is a type.
  private static let beforeExpressions: Set<String> = [
    "=", "return", "{", "(", "in", ";", "else", "?", "await", "try", "!",
  ]

  /// Tokens that precede a type, even if the type begins a line.
  private static let beforeTypes: Set<String> = [":", ">", ",", "&", "is", "as", "where"]

  /// Rewrites `Task { … }` as `Task(name: "File.swift:12") { … }`.
  mutating func nameTask(at index: Int) {
    let isExpression =
      index == 0 || SourceRewriter.beforeExpressions.contains(text(index - 1))
      || (tokens[index].beginsLine && !SourceRewriter.beforeTypes.contains(text(index - 1)))
    guard isExpression else { return }
    var position = index + 1
    if text(position) == "<" { position = end(ofArgumentsAt: position) }
    if text(position) == ".", text(position + 1) == "detached" { position += 2 }
    let name = "name: \"\\(#fileID):\\(#line)\""
    if text(position) == "{" {
      insert("(\(name))", after: position - 1)
    } else if text(position) == "(", ["priority", "operation"].contains(text(position + 1)),
      text(end(ofBracketAt: position)) == "{" || text(position + 1) == "operation"
    {
      insert(name + ", ", after: position)
    }
  }

  /// Tokens that precede a declaration in the same line.
  private static let beforeDeclarations: Set<String> = ["{", "}", ";", ")"]

  /// Adds an executor of the simulation to an actor, unless the actor or an extension declares one.
  mutating func addExecutor(at index: Int) {
    let isDeclaration =
      index == 0 || tokens[index].beginsLine || SourceRewriter.modifiers.contains(text(index - 1))
      || SourceRewriter.beforeDeclarations.contains(text(index - 1)) || text(index - 2) == "@"
    guard isDeclaration, tokens.indices.contains(index + 1), tokens[index + 1].kind == .word,
      !tokens[index + 1].beginsLine,
      ["<", ":", "where", "{"].contains(text(index + 2)),
      let open = (index + 2..<tokens.count).first(where: { text($0) == "{" }),
      !(open..<end(ofBracketAt: open)).contains(where: { text($0) == "unownedExecutor" }),
      !classes.executors.hasProvider(forActorAt: index, tokens)
    else { return }
    insert(
      " nonisolated let __executor = __ActorExecutor(); "
        + "public nonisolated var unownedExecutor: UnownedSerialExecutor "
        + "{ __executor.asUnownedSerialExecutor() };", after: open)
  }
}
