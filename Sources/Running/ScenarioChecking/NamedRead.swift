import Execution
import ObjectModel
import Scenario
import Vocabulary

/// An execution of a step that names its result.
package struct NamedRead: Hashable {
  let step: AddressedStep
  /// The index of the scenario's item during which the read was performed.
  let item: Int
  let hasFound: Bool

  /// Returns a Boolean value that indicates whether both reads are executions of the same step.
  func isOfSameStep(as other: NamedRead) -> Bool { step == other.step && item == other.item }
}

extension ScenarioRunner {
  /// Returns the reads in a log, which has the events of each step of the program.
  func namedReads(in log: [[ActionEvent]]) -> [NamedRead] {
    log.enumerated().flatMap { item, events in
      events.compactMap { entry in
        guard case .step(let step, _) = entry.action, step.step.nameOfResult != nil else {
          return nil
        }
        switch entry.event {
        case .value(let value):
          return NamedRead(step: step, item: item, hasFound: value.objectID != nil)
        case .objects(let ids): return NamedRead(step: step, item: item, hasFound: !ids.isEmpty)
        case .nothing, .failed: return NamedRead(step: step, item: item, hasFound: false)
        default: return nil
        }
      }
    }
  }
}

/// The reads in all runs of a scenario.
struct NamedReads {
  /// The reads, one for each step and result.
  private var reads: [NamedRead] = []

  mutating func add(_ new: [NamedRead]) {
    for read in new where !reads.contains(read) { reads.append(read) }
  }

  /// Returns a problem for each read that never found an object. Its name is a mistake: no step can
  /// use the name, and no claim about it holds.
  func problems(of scenario: Scenario) -> [ScenarioCheck.Problem] {
    let empty = reads.filter { read in
      !read.hasFound && !reads.contains { $0.hasFound && $0.isOfSameStep(as: read) }
    }
    let text = StepText(
      model: scenario.model, stack: scenario.stack, names: scenario.names,
      steps: scenario.items.map(\.step))
    return empty.compactMap { read in
      guard let name = read.step.step.nameOfResult else { return nil }
      let line = scenario.items[read.item].line
      return ScenarioCheck.Problem(
        line: line == 0 ? nil : line,
        message: "'\(text.line(read.step))' finds nothing, so '\(scenario.names[name.index])' "
          + "stands for no object; omit 'as' if this is intended")
    }
  }
}
