package import Execution
import ObjectModel
import Scenario
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// What happened in a run of code, a line for each action: in which block of the app's source, in
/// the course of which function, and what it did.
package struct Trace {
  private struct Entry {
    let place: String
    let step: AddressedStep
  }

  private var entries: [Entry] = []
  /// The function that was called before the entry of this number.
  private var calls: [(name: String, entry: Int)] = []
  /// Of each name: the entity of its instance, and the object that it is.
  private var names: [(entity: EntityID, object: ObjectID, context: ContextID)] = []

  mutating func beginAction(_ name: String) { calls.append((name, entries.count)) }

  mutating func note(_ action: Action, at place: String, in world: World) {
    guard action.isTold(by: world.events) else { return }
    guard case .step(let step, _) = action else {
      if case .merge(let context, _) = action {
        entries.append(Entry(place: place, step: AddressedStep(context, .mergeChanges(.delivered))))
      }
      return
    }
    // What goes because no code holds it any more is no line of the code.
    switch step.step {
    case .release, .discard: return
    default: break
    }
    if case .insert(let entity, let name) = step.step,
      let id = world.heldID(step.context, name)
    {
      noteName(name, entity, id, in: step.context)
    }
    entries.append(Entry(place: place, step: step))
  }

  mutating func noteName(
    _ name: ObjectName, _ entity: EntityID, _ id: ObjectID, in context: ContextID
  ) {
    while names.count <= name.index { names.append((entity, id, context)) }
    names[name.index] = (entity, id, context)
  }

  /// The object of each name, by number, and what the objects are called: after their entities.
  func objects(in run: LiveRun) -> (numbers: [ObjectName], labels: [String]) {
    var counts: [Int: Int] = [:]
    var numbers: [ObjectID: ObjectName] = [:]
    var labels: [String] = []
    let objects = names.map { name in
      let id = run.look { $0.permanentID(of: name.object) }
      if let number = numbers[id] { return number }
      let number = ObjectName(labels.count)
      numbers[id] = number
      let stem = run.model[name.entity].name
      counts[name.entity.index, default: 0] += 1
      labels.append(
        stem.prefix(1).lowercased() + stem.dropFirst() + "\(counts[name.entity.index]!)")
      return number
    }
    return (objects, labels)
  }

  /// What each name is called, the same for all instances of an object.
  package func labels(in run: LiveRun) -> [String] {
    let (numbers, labels) = objects(in: run)
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
      model: program.model, stack: program.stack, names: program.names, steps: program.steps)
    let width = entries.map(\.place.count).max() ?? 0
    var calls = calls[...]
    var lines: [String] = []
    for (index, entry) in entries.enumerated() {
      while let call = calls.first, call.entry <= index {
        lines.append("\(call.name):")
        calls.removeFirst()
      }
      let place = entry.place + String(repeating: " ", count: width - entry.place.count)
      lines.append("  \(place)  \(text.line(entry.step))")
    }
    return lines
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
