import Generation
import ObjectModel
import Scenario
import TestSupport
import Testing
import Vocabulary

/// The requirements for a new kind of step that the compiler does not check.
@Suite struct `Each kind of step` {
  @Test func `each kind of step has a verb of its own, by which it is found`() {
    for kind in Step.Kind.allCases { #expect(Step.Kind(word: kind.word) == kind) }
    #expect(Set(Step.bare.map(\.kind)).count == Step.bare.count)
    for step in Step.bare { #expect(Step(bare: step.kind) == step) }
  }

  /// Kinds that a run does not draw by themselves, and the steps with which they come.
  private static let drawnWithOthers: [Step.Kind: String] = [
    .add: "relate, of a to-many relationship", .remove: "relate", .replace: "relate",
    .resume: "follows suspend", .unless: "when", .try: "when", .lower: "raise",
    .leave: "follows enter",
    .wait: "follows enter", .notify: "follows enter", .forget: "remember",
  ]

  @Test func `each kind of step is generated, or named here with what makes it`() {
    let drawn = StepGenerator.Kind.allCases.compactMap(\.stepKind)
    for kind in Step.Kind.allCases {
      let isDrawn = drawn.contains(kind)
      #expect(isDrawn != (Self.drawnWithOthers[kind] != nil), "\(kind)")
      #expect(
        StepGenerator.Kind(named: kind.word) != nil, "--only-steps does not know \(kind)")
    }
    for kind in StepGenerator.Kind.allCases where kind.isStep {
      #expect(kind.stepKind != nil, "\(kind) makes no kind of step")
    }
  }

  /// Scenarios are printed as they were written, run, and compared with the reference model.
  @Test func `each kind of step occurs in a scenario`() throws {
    var seen: Set<Step.Kind> = []
    for (_, scenario) in try Repository.scenarios() {
      let steps = scenario.items.map(\.step) + scenario.stack.observers.flatMap(\.steps)
      seen.formUnion(steps.kinds)
    }
    #expect(Step.Kind.allCases.filter { !seen.contains($0) } == [])
  }

  /// The mapping reverses the numbers of names, contexts, queues, flags, groups, sets, stores,
  /// controllers and entry points, in the step and in the lists that it refers to. If the mapping
  /// leaves one out, the step is printed differently.
  @Test func `each kind of step says what it refers to`() throws {
    for (path, scenario) in try Repository.scenarios() {
      let stack = scenario.stack
      var reversed = stack
      reversed.contexts.reverse()
      reversed.queues.reverse()
      reversed.flags.reverse()
      reversed.groups.reverse()
      reversed.idSets.reverse()
      reversed.stores.reverse()
      reversed.controllers.reverse()
      reversed.entryPoints.reverse()
      var mapping = StepMapping()
      mapping.name = { ObjectName(scenario.names.count - 1 - $0.index) }
      mapping.context = { ContextID(stack.contexts.count - 1 - $0.index) }
      mapping.queue = { AppQueueID(stack.queues.count - 1 - $0.index) }
      mapping.flag = { FlagID(stack.flags.count - 1 - $0.index) }
      mapping.group = { GroupID(stack.groups.count - 1 - $0.index) }
      mapping.idSet = { IDSetID(stack.idSets.count - 1 - $0.index) }
      mapping.store = { StoreID(stack.stores.count - 1 - $0.index) }
      mapping.controller = { ControllerID(stack.controllers.count - 1 - $0.index) }
      mapping.entryPoint = { EntryPointID(stack.entryPoints.count - 1 - $0.index) }
      let steps = scenario.items.map(\.step)
      let text = StepText(
        model: scenario.model, stack: stack, names: scenario.names, steps: steps)
      let mapped = StepText(
        model: scenario.model, stack: reversed, names: scenario.names.reversed(),
        steps: steps.map { mapping($0) })
      for step in steps {
        _ = step.contains { inner in
          #expect(mapped.line(mapping(inner)) == text.line(inner), "\(path)")
          return false
        }
      }
    }
  }
}
