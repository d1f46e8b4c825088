import ObjectModel

/// Numbers of all entities, each after its parent.
func inheritanceOrder(_ entities: [Entity], _ declarations: [ModelDeclarations.Entity])
  throws(TextError) -> [Int]
{
  // Far more than any model has; every object of a subentity carries all that it inherits.
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
          message: "entity '\(entities[index].name)' has \(limit) ancestors or more, or inherits "
            + "from one that inherits from itself")
      }
      ancestor = entities[current.index].parent
    }
    while levels.count <= level { levels.append([]) }
    levels[level].append(index)
  }
  return levels.flatMap { $0 }
}

/// The first node of a graph that lies on a cycle or leads to one; nil if there is no cycle.
func firstOnCycle(_ successors: [[Int]]) -> Int? {
  // Removes what leads nowhere until nothing or a cycle is left.
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
