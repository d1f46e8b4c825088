package import Execution
import ObjectModel
import Scenario
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// What happened in a run of code, a line for each action: its number, by which violations name it,
/// in the course of which call of a function, in which block of the app's source, and what it did.
package struct Trace {
  private struct Entry {
    let number: Int
    let call: Int?
    let place: String
    let step: AddressedStep
    var remark = ""
  }

  private var entries: [Entry] = []
  /// Code that waits for ever: its call, its place, and the queue it waits for.
  private var waiting: [(call: Int?, place: String, queue: String)] = []
  /// The functions that were called.
  private var calls: [String] = []
  /// Of each name: the entity of its instance, and the object that it is.
  private var names: [(entity: EntityID, object: ObjectID, context: ContextID)] = []

  /// The number of a call that begins.
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
    // What goes because no code holds it any more is no line of the code.
    switch step.step {
    case .release, .discard: return
    default: break
    }
    if case .insert(let entity, let name) = step.step,
      let id = world.graph.heldID(step.context, name)
    {
      noteName(name, entity, id, in: step.context)
    }
    entries.append(Entry(number: number, call: call, place: place, step: step))
  }

  /// The code has touched the context without its queue. That takes no step: the line has the
  /// number of the last one.
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
      Entry(number: number, call: call, place: place, step: step, remark: "used without its queue"))
  }

  /// The code waits for a queue, and the run has ended.
  mutating func noteWaiting(at place: String, in call: Int?, for queue: String) {
    waiting.append((call, place, queue))
  }

  mutating func noteName(
    _ name: ObjectName, _ entity: EntityID, _ id: ObjectID, in context: ContextID
  ) {
    while names.count <= name.index { names.append((entity, id, context)) }
    names[name.index] = (entity, id, context)
  }

  /// The object of each name, by number, what the objects are called (after their entities), and
  /// the name of each object.
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

  /// What each name is called, the same for all instances of an object.
  package func labels(in run: LiveRun) -> [String] {
    let (numbers, labels, _) = objects(in: run)
    return numbers.map { labels[$0.index] }
  }

  /// The run as a program of the steps alone, for texts about it.
  package func program(of run: LiveRun) -> Program {
    let declared = names.enumerated().map { index, name in
      AddressedStep(name.context, .insert(name.entity, as: ObjectName(index)))
    }
    return Program(
      model: run.model, stack: run.stack, names: labels(in: run),
      steps: declared + entries.map(\.step))
  }

  /// The lines of a report.
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
          ? text.line(entry.step) : "\(program.stack[entry.step.context].name)  \(entry.remark)"
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

  /// The function of a call, with a number if it was called before.
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
  /// Whether it is where what code asked for takes effect: a save where it is handed on, or where
  /// it ends before that.
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
