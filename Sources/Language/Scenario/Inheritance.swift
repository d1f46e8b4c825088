import ObjectModel

/// Returns the indices of all entities, each after its parent.
func inheritanceOrder(_ entities: [Entity], _ declarations: [ModelDeclarations.Entity])
  throws(TextError) -> [Int]
{
  // Real models stay far below this limit. Each object of a subentity has all inherited properties,
  // so very deep hierarchies are expensive.
  let limit = 100
  var levels: [[Int]] = []
  for index in entities.indices {
    var level = 0
    var ancestor = entities[index].parent
    while let current = ancestor {
      level += 1
      let line = declarations[index].line
      if current.index == index {
        throw TextError(
          line: line, message: "entity '\(entities[index].name)' inherits from itself")
      }
      if level == limit {
        throw TextError(
          line: line,
          message: "entity '\(entities[index].name)' has \(limit) ancestors or more, or an "
            + "ancestor that inherits from itself")
      }
      ancestor = entities[current.index].parent
    }
    while levels.count <= level { levels.append([]) }
    levels[level].append(index)
  }
  return levels.flatMap { $0 }
}

/// Returns the first node of a graph that lies on a cycle or leads to one, or `nil` without a
/// cycle.
func firstOnCycle(_ successors: [[Int]]) -> Int? {
  // Remove nodes without successors until no node is left, or only nodes that lead to a cycle.
  var open = successors.map(\.count)
  var predecessors: [[Int]] = successors.map { _ in [] }
  for node in successors.indices {
    for next in successors[node] { predecessors[next].append(node) }
  }
  var ended = open.indices.filter { open[$0] == 0 }
  while let node = ended.popLast() {
    for previous in predecessors[node] {
      open[previous] -= 1
      if open[previous] == 0 { ended.append(previous) }
    }
  }
  return open.firstIndex { $0 > 0 }
}
