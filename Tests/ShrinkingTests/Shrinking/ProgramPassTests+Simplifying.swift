import Execution
import Failures
import Scenario
import ScenarioChecking
import Shrinking
import TestSupport
import Testing
import Vocabulary

/// Passes that replace steps, values and stacks by simpler ones.
extension `A pass over programs` {
  /// A page's relationship leads to a tag, whichever entity comes first.
  @Test func `a pass leaves related objects their entities`() throws {
    let text = smallScenario(
      steps: "  edit  insert Tag as t\n  edit  insert Page as p\n  edit  relate p.tag t\n"
        + "  edit  save\n  view  save"
    ).replacing(
      "  Note\n    title  string?",
      with: "  Page\n    tag  Tag? inverse pages\n  Tag\n    pages  Page* inverse tag")
    let program = Program(
      try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "there is none")) })
    let smaller = try Self.shrunk(program, [.simplifyEntities])
    let entities = EntityTable(of: smaller)
    #expect(entities[ObjectName(0)] != entities[ObjectName(1)])
  }

  /// An attribute's value that comes from its model is replaced by the default of the new
  /// attribute.
  @Test func `a pass keeps a default as a default`() throws {
    let scenario = try ScenarioText.parse(
      smallScenario(
        steps: """
            view  insert Tag as t
            edit  fetch Tag
            edit  set t.name "new"
            view  set t.name "s1"
            edit  save
          """
      ).replacing(
        "    title  string?\n", with: "    title  string?\n  Tag\n    name  string = \"new\"\n")
    ) { _ in .failure(UnreadableModel(message: "none")) }
    let smaller = try Self.shrunk(
      Program(scenario), [.simplifyEntities], keeping: "silently ignored save")
    #expect(SmallProgram.steps(of: smaller)[2] == "edit set note1.title nil")
  }

  @Test func `a pass replaces a step by a simpler one`() throws {
    let program = try SmallProgram.program(
      steps: "  edit  insert Note as n\n  edit  delete n\n  edit  insert Note as m\n"
        + "  edit  save\n  view  save")
    let steps = SmallProgram.steps(of: try Self.shrunk(program, [.weakenSteps]))
    #expect(steps[1] == "edit get note1.title")
  }

  @Test func `a pass takes back settings and parts that do not matter`() throws {
    let stack = """
        view  mainQueue coordinator store policy overwrite autoMerge
        edit  privateQueue parent view policy rollback undoManager
        observe  didSave view
          view  hasChanges
      """
    let steps = "  edit  insert Note as n\n  edit  save\n  view  save"
    let program = try SmallProgram.program(stack, steps: steps)
    let plain = try Self.shrunk(program, [.simplifySettings])
    #expect(plain.stack.contexts.allSatisfy { $0.mergePolicy == .error && !$0.hasUndoManager })
    #expect(plain.stack.contexts.allSatisfy { $0.concurrencyType == .privateQueue })
    #expect(try Self.shrunk(program, [.dropParts]).stack.observers.isEmpty)
  }

  @Test func `a pass moves a context up, and contexts to the front`() throws {
    let steps = "  detail  insert Note as n\n  detail  save\n  edit  save\n  view  save"
    let flat = SmallProgram.pair + "\n  detail  privateQueue parent view"
    let save = "  detail  insert Note as n\n  detail  save\n  view  save"
    let higher = try Self.shrunk(
      try SmallProgram.program(SmallProgram.chain, steps: save + "\n  edit  save\n  view  save"),
      [.reparentContexts])
    #expect(higher.stack.contexts[2].parent == .context(ContextID(0)))
    let first = try Self.shrunk(try SmallProgram.program(flat, steps: save), [.arrangeContexts])
    #expect(first.stack.contexts[1].name == "detail")
    #expect(
      try Self.shrunk(try SmallProgram.program(SmallProgram.chain, steps: steps), []).steps.count
        == 4)
  }

  @Test func `a pass puts one step in the place of two`() throws {
    let program = try SmallProgram.program(
      SmallProgram.chain,
      steps: "  view  insert Note as n\n  edit  fetch Note\n  edit  get n.title\n"
        + "  view  set n.title \"s1\"\n  detail  fetch Note\n  detail  get n.title")
    let kind: FailureKind = "stale read through a cached ancestor"
    let smaller = try Self.shrunk(program, [.replaceAndDelete], keeping: kind)
    #expect(smaller.steps.count == 4)
    #expect(try Self.shrunk(program, [.deleteSteps, .weakenSteps], keeping: kind).steps.count == 6)
  }

  @Test func `a pass lets two contexts change roles`() throws {
    let stack = """
        view  privateQueue coordinator store policy mergeByPropertyObjectTrump
        sync  privateQueue coordinator store
      """
    let program = try SmallProgram.program(
      stack,
      steps:
        "  view  insert Note as n\n  view  save\n  sync  fetch Note\n  view  set n.title \"s1\"\n"
        + "  sync  set n.title \"s2\"\n  sync  save\n  view  save")
    let smaller = try Self.shrunk(program, [.swapRoles], keeping: "lost update in the store")
    #expect(smaller.stack.contexts.map(\.mergePolicy) == [.error, .mergeByPropertyObjectTrump])
    #expect(SmallProgram.steps(of: smaller).suffix(2) == ["view save", "sync save"])
  }
}
