package import Execution
import ObjectModel
import Scenario
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// A trace of a run of code, with a line for each action. A line has the number by which violations
/// refer to the action, the call of an app function, and the block in the app's source.
package struct Trace {
  private struct Entry {
    let number: Int
    let call: Int?
    let place: String
    let step: AddressedStep
    /// A text in place of the step.
    var remark = ""
    /// The error that the step throws. Code may ignore it.
    var error = ""
  }

  private var entries: [Entry] = []
  /// Code that waits forever, with its call, its place and the awaited queue.
  private var waiting: [(call: Int?, place: String, queue: String)] = []
  /// The names of the functions that were called, in order.
  private var calls: [String] = []
  /// The entity, object and context of each name.
  private var names: [(entity: EntityID, object: ObjectID, context: ContextID)] = []

  /// Records that a call begins, and returns its number.
  mutating func beginCall(of name: String) -> Int {
    calls.append(name)
    return calls.count - 1
  }

  mutating func note(
    _ action: Action, number: Int, in call: Int?, at place: String, _ world: World
  ) {
    guard action.isTold(by: world.graph.result.events) else { return }
    guard case .step(let step, _) = action else {
      if case .merge(let context, _) = action {
        let step = AddressedStep(context, .mergeChanges(.delivered))
        entries.append(Entry(number: number, call: call, place: place, step: step))
      }
      return
    }
    // Code does not ask for the release of objects that it no longer holds, so the trace has no
    // line for it.
    switch step.step {
    case .release, .discard: return
    default: break
    }
    if case .insert(let entity, let name) = step.step,
      let id = world.graph.heldID(step.context, name)
    {
      noteName(name, entity, id, in: step.context)
    }
    entries.append(
      Entry(
        number: number, call: call, place: place, step: step,
        error: world.graph.result.events.errorName.map { " ✗ throws \($0)" } ?? ""))
  }

  /// Records that the code touched the context without its queue. This takes no step, so the line
  /// has the number of the last step.
  mutating func noteWrongQueue(
    _ context: ContextID, number: Int, in call: Int?, at place: String
  ) {
    let step = AddressedStep(context, .hasChanges)
    if let last = entries.last, !last.remark.isEmpty,
      (last.number, last.call, last.place, last.step) == (number, call, place, step)
    {
      return
    }
    entries.append(
      Entry(number: number, call: call, place: place, step: step, remark: "used outside its queue"))
  }

  /// Records that the code waited for a queue when the run ended.
  mutating func noteWaiting(at place: String, in call: Int?, for queue: String) {
    waiting.append((call, place, queue))
  }

  mutating func noteName(
    _ name: ObjectName, _ entity: EntityID, _ id: ObjectID, in context: ContextID
  ) {
    while names.count <= name.index { names.append((entity, id, context)) }
    names[name.index] = (entity, id, context)
  }

  /// Returns the number of the object of each name, the labels of objects (after their entities),
  /// and the name of each object.
  func objects(
    in run: LiveRun
  ) -> (numbers: [ObjectName], labels: [String], names: [ObjectID: ObjectName]) {
    var counts: [Int: Int] = [:]
    var numbers: [ObjectID: ObjectName] = [:]
    var labels: [String] = []
    let objects = names.map { name in
      let id = run.read { $0.permanentID(of: name.object) }
      if let number = numbers[id] { return number }
      let number = ObjectName(labels.count)
      numbers[id] = number
      let stem = run.model[name.entity].name
      counts[name.entity.index, default: 0] += 1
      labels.append(
        stem.prefix(1).lowercased() + stem.dropFirst() + "\(counts[name.entity.index]!)")
      return number
    }
    return (objects, labels, numbers)
  }

  /// Returns the label of each name, which is the same for all instances of an object.
  package func labels(in run: LiveRun) -> [String] {
    let (numbers, labels, _) = objects(in: run)
    return numbers.map { labels[$0.index] }
  }

  /// Returns the traced steps as a program, for texts about the run.
  package func program(of run: LiveRun) -> Program {
    let declared = names.enumerated().map { index, name in
      AddressedStep(name.context, .insert(name.entity, as: ObjectName(index)))
    }
    return Program(
      model: run.model, stack: run.stack, names: labels(in: run),
      steps: declared + entries.map(\.step))
  }

  /// Returns the lines of a report.
  package func lines(of run: LiveRun) -> [String] {
    let program = program(of: run)
    let text = StepText(
      model: program.model, stack: program.stack, names: program.names, steps: program.steps,
      .calendar)
    let columns =
      entries.map { (String($0.number), $0.call.map(label) ?? "", $0.place) }
      + waiting.map { ("", $0.call.map(label) ?? "", $0.place) }
    let what =
      entries.map { entry in
        entry.remark.isEmpty
          ? text.line(entry.step) + entry.error
          : "\(program.stack[entry.step.context].name)  \(entry.remark)"
      } + waiting.map { "waits for \($0.queue)" }
    let width = (
      columns.map(\.0.count).max() ?? 0, columns.map(\.1.count).max() ?? 0,
      columns.map(\.2.count).max() ?? 0
    )
    return zip(what, columns).map { what, column in
      let number = String(repeating: " ", count: width.0 - column.0.count) + column.0
      let call = width.1 == 0 ? "" : "  " + padded(column.1, to: width.1)
      return "\(number)\(call)  \(padded(column.2, to: width.2))  \(what)"
    }
  }

  /// Returns the function of a call, with a number if the function was called before.
  private func label(_ call: Int) -> String {
    let name = calls[call]
    let number = calls[...call].count { $0 == name }
    return number == 1 ? name : "\(name) \(number)"
  }

  private func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: width - text.count)
  }
}

extension Action {
  /// Returns whether to trace the action. A save is traced where it is committed, or where it ends
  /// before that.
  fileprivate func isTold(by events: [Event]) -> Bool {
    switch self {
    case .step(_, let phase):
      phase == .whole || phase == .commit
        || (phase != .finish && events.contains(where: \.endsSave))
    case .endOfEvent, .endOfDelivery, .wrongQueue: false
    case .merge, .mergeRemote: true
    }
  }
}

extension Event {
  fileprivate var endsSave: Bool {
    switch self {
    case .saved, .failed: true
    default: false
    }
  }
}

extension [Event] {
  /// The name of the error of a failed step, such as `managedObjectMerge`.
  fileprivate var errorName: String? {
    for case .failed(let failure) in self { return FailureName(failure).text }
    return nil
  }
}
