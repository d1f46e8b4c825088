package import Execution
import Failures
import ObjectModel
import ReferenceDispatch
import Scenario
import Vocabulary

/// A disagreement as text that compares the expected and the actual results.
extension Disagreement {
  package func report(in program: Program) -> String {
    let text = EventText(model: program.model, stack: program.stack, name: { _ in nil })
    func lines(_ events: [Event]) -> [String] {
      events.map { text.line(for: $0, lane: action?.context ?? ContextID(0)) }
    }
    let header = "after step \(stepNumber): \(failureKind)"
    switch kind {
    case .events(let expected, let actual):
      let (first, second) = (lines(expected), lines(actual))
      if first == second, let (one, other) = zip(expected, actual).first(where: { $0 != $1 }) {
        // The events differ in a part that their text omits.
        return compare(header, ["\(one)"], ["\(other)"])
      }
      return compare(header, first, second)
    case .views(let context, let expected, let actual):
      return compare(
        "\(header), in \(program.stack[context].name)", expected.map { describe($0, text) },
        actual.map { describe($0, text) })
    case .rows(let store, let expected, let actual):
      return compare(
        "\(header), in \(program.stack.stores[store.index].name)",
        expected.map { describe($0, text) }, actual.map { describe($0, text) })
    case .missingMerge(let context, let number):
      return "\(header): \(program.stack[context].name) and DidSave \(number)"
    case .turn(let lane, let expected, let actual):
      return compare(
        "\(header), of \(lane)", [describe(expected, program)], [describe(actual, program)])
    case .unfinished(let lane): return "\(header), of \(lane)"
    }
  }

  private func compare(_ header: String, _ expected: [String], _ actual: [String]) -> String {
    var lines = [header]
    for line in expected where !actual.contains(line) { lines.append("  reference model: \(line)") }
    for line in actual where !expected.contains(line) { lines.append("  engine:    \(line)") }
    if lines.count == 1 {
      lines.append("  reference model, in this order: \(expected.joined(separator: "; "))")
      lines.append("  engine, in this order:    \(actual.joined(separator: "; "))")
    }
    return lines.joined(separator: "\n")
  }

  private func describe(_ turn: ReferenceLanes.Turn, _ program: Program) -> String {
    switch turn {
    case .performs(let action):
      let name = program.stack[action.context].name
      return "performs \(FailureKind.Occasion(action).text) in \(name)"
    case .moves: return "continues"
    case .waits: return "waits for a queue"
    case .nothing: return "takes no turn"
    }
  }

  private func describe(_ view: InstanceView, _ text: EventText) -> String {
    var flags: [String] = []
    if view.isFault { flags.append("fault") }
    if view.isInserted { flags.append("inserted") }
    if view.isUpdated { flags.append("updated") }
    if view.isDeleted { flags.append("deleted") }
    return
      "\(text.name(view.id)) \(flags.joined(separator: " ")) "
      + text.record(view.id.entity, view.values, view.collections)
  }

  private func describe(_ row: RowView, _ text: EventText) -> String {
    "\(text.name(row.id)) version \(row.version) "
      + text.record(row.id.entity, row.values, row.collections)
  }
}
