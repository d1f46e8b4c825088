import Execution
import ObjectModel
import SimulatedCoreData
import Vocabulary

/// A program that a pass is editing.
///
/// Each line records the origin of its step, so that the scheduler's choices during a step move
/// with the step.
struct ProgramEdit {
  struct Line {
    package var step: AddressedStep
    /// The index of the step in the edited program. Nil for a new step.
    package var origin: Int?
  }

  /// The position of a step, as a list of steps and an index on every level of blocks.
  struct Path: Hashable {
    enum List: Hashable {
      case program
      case observer(Int)
      case entryPoint(Int)
    }

    var list: List
    var indexes: [Int]
  }

  let source: Candidate
  var model: ObjectModel
  var stack: Stack
  var names: [String]
  var lines: [Line]
  var isInterleaved: Bool
  /// The schedule to try. If nil, `programs` derives schedules from that of the edited program.
  var schedule: [UInt32]?

  init(_ source: Candidate) {
    let program = source.program
    self.source = source
    (model, stack, names) = (program.model, program.stack, program.names)
    lines = program.steps.enumerated().map { Line(step: $1, origin: $0) }
    isInterleaved = program.isInterleaved
  }

  /// The programs to run. The first has `schedule`, or else the schedule of the edited program. In
  /// the latter case, a second program lacks the choices of the removed steps, if its schedule
  /// differs.
  var programs: [Program] {
    var program = Program(
      model: model, stack: stack, names: names, steps: lines.map(\.step),
      isInterleaved: isInterleaved)
    guard isInterleaved else { return [program.tidied] }
    program.schedule = schedule ?? source.program.schedule
    let kept = program.tidied
    guard schedule == nil else { return [kept] }
    program.schedule = lines.flatMap { $0.origin.map { source.choices(of: $0) } ?? [] }
    program.schedule += source.choicesAtEnd
    let repaired = program.tidied
    return repaired.schedule == kept.schedule ? [kept] : [kept, repaired]
  }

  // MARK: Steps

  /// The paths of all steps, including the steps of the stack and of blocks. A block comes before
  /// the steps in it.
  var paths: [Path] {
    var paths: [Path] = []
    func visit(_ steps: [AddressedStep], _ list: Path.List, _ above: [Int]) {
      for (index, step) in steps.enumerated() {
        paths.append(Path(list: list, indexes: above + [index]))
        if let block = step.step.block { visit(block, list, above + [index]) }
      }
    }
    visit(lines.map(\.step), .program, [])
    for (index, observer) in stack.observers.enumerated() {
      visit(observer.steps, .observer(index), [])
    }
    for (index, entryPoint) in stack.entryPoints.enumerated() {
      visit(entryPoint.steps, .entryPoint(index), [])
    }
    return paths
  }

  private func steps(of list: Path.List) -> [AddressedStep] {
    switch list {
    case .program: lines.map(\.step)
    case .observer(let index): stack.observers[index].steps
    case .entryPoint(let index): stack.entryPoints[index].steps
    }
  }

  func contains(_ path: Path) -> Bool { step(at: path.indexes[...], in: path.list) != nil }

  subscript(path: Path) -> AddressedStep {
    guard let step = step(at: path.indexes[...], in: path.list) else {
      preconditionFailure("no step at \(path)")
    }
    return step
  }

  private func step(at indexes: ArraySlice<Int>, in list: Path.List) -> AddressedStep? {
    let first = indexes[indexes.startIndex]
    var step: AddressedStep?
    switch list {
    case .program: step = lines.indices.contains(first) ? lines[first].step : nil
    case .observer(let index):
      step = stack.observers.indices.contains(index) ? stack.observers[index].steps.at(first) : nil
    case .entryPoint(let index):
      step =
        stack.entryPoints.indices.contains(index) ? stack.entryPoints[index].steps.at(first) : nil
    }
    for index in indexes.dropFirst() { step = step?.step.block?.at(index) }
    return step
  }

  /// Changes the entity of every insertion under `name`, because a name has one entity.
  mutating func insertEverywhere(_ name: ObjectName, as entity: EntityID) {
    for path in paths {
      let step = self[path]
      guard case .insert(_, as: name) = step.step else { continue }
      replace(path, with: [AddressedStep(step.context, .insert(entity, as: name))])
    }
  }

  mutating func replace(_ path: Path, with replacement: [AddressedStep]) {
    let first = path.indexes[0]
    if path.list == .program, path.indexes.count == 1 {
      let origin = lines[first].origin
      lines.replaceSubrange(
        first...first,
        with: replacement.enumerated().map { Line(step: $1, origin: $0 == 0 ? origin : nil) })
      return
    }
    func replaced(_ steps: [AddressedStep], _ rest: ArraySlice<Int>) -> [AddressedStep] {
      var (steps, index) = (steps, rest[rest.startIndex])
      if rest.count == 1 {
        steps.replaceSubrange(index...index, with: replacement)
      } else {
        let block = replaced(steps[index].step.block ?? [], rest.dropFirst())
        steps[index].step = steps[index].step.withBlock(block)
      }
      return steps
    }
    switch path.list {
    case .program:
      let block = replaced(lines[first].step.step.block ?? [], path.indexes.dropFirst())
      lines[first].step.step = lines[first].step.step.withBlock(block)
    case .observer(let index):
      stack.observers[index].steps = replaced(stack.observers[index].steps, path.indexes[...])
    case .entryPoint(let index):
      stack.entryPoints[index].steps = replaced(stack.entryPoints[index].steps, path.indexes[...])
    }
  }

  mutating func remove(_ path: Path) { replace(path, with: []) }

  /// Removes a save and lowers the ordinals of its context's saves, so that merges refer to the
  /// same later saves as before.
  mutating func removeSave(at index: Int) {
    let context = lines[index].step.context
    lines.remove(at: index)
    var mapping = StepMapping()
    mapping.save = { poster, ordinal in
      poster == context && ordinal > 1 ? ordinal - 1 : ordinal
    }
    mapSteps { mapping($0) }
  }

  /// Moves the step at `path` to an earlier index among its siblings.
  mutating func move(_ path: Path, to index: Int) {
    if path.list == .program, path.indexes.count == 1 {
      lines.insert(lines.remove(at: path.indexes[0]), at: index)
      return
    }
    let step = self[path]
    remove(path)
    var target = path
    target.indexes[target.indexes.count - 1] = index
    replace(target, with: [step, self[target]])
  }

  /// Replaces every step of the program, of observers and of entry points, including steps in
  /// blocks.
  mutating func mapSteps(_ change: (AddressedStep) -> AddressedStep) {
    for index in lines.indices { lines[index].step = change(lines[index].step) }
    for index in stack.observers.indices {
      stack.observers[index].steps = stack.observers[index].steps.map(change)
    }
    for index in stack.entryPoints.indices {
      stack.entryPoints[index].steps = stack.entryPoints[index].steps.map(change)
    }
  }

  /// Removes the matching steps everywhere, and blocks and observers that lose all their steps.
  mutating func removeSteps(where isToGo: (AddressedStep) -> Bool) {
    lines = lines.compactMap { line in
      line.step.pruned(isToGo).map { Line(step: $0, origin: line.origin) }
    }
    for index in stack.observers.indices.reversed() {
      stack.observers[index].steps = stack.observers[index].steps.compactMap { $0.pruned(isToGo) }
      if stack.observers[index].steps.isEmpty { stack.observers.remove(at: index) }
    }
    for index in stack.entryPoints.indices {
      stack.entryPoints[index].steps = stack.entryPoints[index].steps.compactMap {
        $0.pruned(isToGo)
      }
    }
  }
}

extension AddressedStep {
  fileprivate func pruned(_ isToGo: (AddressedStep) -> Bool) -> AddressedStep? {
    if isToGo(self) { return nil }
    guard let block = step.block else { return self }
    let rest = block.compactMap { $0.pruned(isToGo) }
    return rest.isEmpty && !block.isEmpty ? nil : AddressedStep(context, step.withBlock(rest))
  }

  func uses(_ name: ObjectName) -> Bool { uses(anyOf: name.index..<name.index + 1) }

  /// Returns a Boolean value that indicates whether the step mentions a name whose number is in
  /// `names`.
  func uses(anyOf names: Range<Int>) -> Bool {
    var isUsed = false
    visitNames { if names.contains($0.index) { isUsed = true } }
    return isUsed
  }
}

extension [AddressedStep] {
  fileprivate func at(_ index: Int) -> AddressedStep? {
    indices.contains(index) ? self[index] : nil
  }
}
