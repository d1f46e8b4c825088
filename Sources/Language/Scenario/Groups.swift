import Prose
import Vocabulary

/// Dispatch groups of the app: `group  saved`, and the steps `enter`, `leave`, `wait` and `notify`.
extension Scope {
  mutating func readGroup(_ line: inout LineReader) throws(TextError) {
    let name = try line.identifier("the name of a group")
    try check(name, isNewAmong: stack.groups.map(\.name), "group", line)
    try line.expectEnd()
    stack.groups.append(Stack.Group(name: name))
  }

  /// Reads the group of a step after its verb.
  func groupStep(_ verb: Verb, _ line: inout LineReader) throws(TextError) -> Step {
    let group = try group(&line)
    return switch verb {
    case .enter: .enter(group)
    case .leave: .leave(group)
    case .wait: .wait(group)
    default: .notify(group, [])
    }
  }

  private func group(_ line: inout LineReader) throws(TextError) -> GroupID {
    let name = try line.identifier("the name of a group")
    if let index = stack.groups.firstIndex(where: { $0.name == name }) { return GroupID(index) }
    throw declaredBelow(.group, name, "declare groups above the contexts", line)
      ?? line.undeclared(
        name,
        stack.groups.isEmpty
          ? "the stack has no groups; write 'group  \(shortened(name))' above the contexts"
          : unknown("step names group", name, "the stack has", stack.groups.map(\.name)))
  }
}

/// Sets of object IDs of the app: `ids  changed`, and the steps `remember`, `forget` and `forEach`.
extension Scope {
  mutating func readIDSet(_ line: inout LineReader) throws(TextError) {
    let name = try line.identifier("the name of a set of IDs")
    if ObjectSet.written.contains(where: { $0.word == name }) {
      throw line.error("'\(name)' has another meaning after 'forEach'; choose another name")
    }
    try check(name, isNewAmong: stack.idSets.map(\.name), "set of IDs", line)
    try line.expectEnd()
    stack.idSets.append(Stack.IDSet(name: name))
  }

  /// Reads the name of an ID set after `remember` or `forget`.
  func idSet(_ line: inout LineReader) throws(TextError) -> IDSetID {
    let name = try line.identifier("the name of a set of IDs")
    if let set = idSet(name) { return set }
    throw declaredBelow(.ids, name, "declare ids above the contexts", line)
      ?? line.undeclared(
        name,
        stack.idSets.isEmpty
          ? "the stack has no sets of IDs; write 'ids  \(shortened(name))' above the contexts"
          : unknown("step names set of IDs", name, "the stack has", stack.idSets.map(\.name)))
  }

  func idSet(_ name: String) -> IDSetID? {
    stack.idSets.firstIndex { $0.name == name }.map { IDSetID($0) }
  }
}

extension Spelling {
  func text(_ set: IDSetID) -> String { stack.idSets[set.index].name }

  func text(_ objects: ObjectSet) -> String {
    if case .remembered(let set) = objects { return text(set) }
    guard let word = objects.word else { preconditionFailure("\(objects) has no word") }
    return word
  }
}
