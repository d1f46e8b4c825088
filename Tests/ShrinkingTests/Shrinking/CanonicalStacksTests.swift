import Diagnosis
import Execution
import Failures
import Generation
import Invariants
import ObjectModel
import Scenario
import ScenarioChecking
import Shrinking
import TestSupport
import Testing
import Vocabulary

/// Failures of one kind that were found in different places have one example.
@Suite struct `Canonical stacks` {
  private func smallest(
    _ kind: FailureKind, _ stack: String, interleave: String = "", isDesigned: Bool = false,
    steps: String
  ) throws -> ShrinkingPipeline.Result {
    let program = try SmallProgram.program(stack, interleave: interleave, steps: steps)
    var configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    configuration.checkLevel = .design
    if isDesigned { configuration.stack = program.stack }
    return ShrinkingPipeline(configuration).smallest(program, failingAs: FailureSignature(kind))
  }

  private func steps(_ result: ShrinkingPipeline.Result) -> [String] {
    SmallProgram.steps(of: result.outcome.program)
  }

  static let crossing = """
      view  insert Note as n
      view  save
      sync  fetch Note
      view  set n.title "s1"
      sync  set n.title "s2"
      view  save
      sync  save
    """

  private static let staleRow = """
      view  insert Note as n
      view  save
      view  refresh n
      view  batchUpdate Note {title: "s1"}
      view  get n.title
    """

  /// Two contexts that overwrite each other, and one context that overwrites the change of a
  /// request.
  @Test func `a canonical stack has one context in place of two`() throws {
    let kind: FailureKind = "lost update in the store"
    let result = try smallest(kind, SmallProgram.twoRoots, steps: Self.crossing)
    let other = try smallest(
      kind, SmallProgram.twoRoots,
      steps: """
          sync  insert Note as n
          sync  save
          sync  set n.title "s1"
          sync  batchUpdate Note {title: "s2"}
          sync  save
        """)
    #expect(steps(result).count == 5 && result.certificate.isComplete, "\(steps(result))")
    #expect(
      result.outcome.program.steps == other.outcome.program.steps
        && result.outcome.program.stack.contexts.count == 1, "\(steps(result)), \(steps(other))")
    #expect(result.outcome.failureKinds.contains(kind))
  }

  /// Every save requires so many steps that no search over common steps finishes.
  @Test func `a pass reaches an example that is too far for a search`() throws {
    let text = smallScenario(
      steps: """
          view  insert Note as n
          view  set n.title "s1"
          view  set n.stamp 1
          view  save
          sync  fetch Note
          view  set n.title "s2"
          sync  set n.title "s3"
          view  save
          sync  save
        """
    ).replacing("title  string?\n", with: "title  string\n    stamp  integer\n").replacing(
      "  edit  privateQueue parent view",
      with: "  sync  privateQueue coordinator store policy mergeByPropertyObjectTrump")
    let scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "none")) }
    let program = Program(scenario)
    let configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    let result = ShrinkingPipeline(configuration).smallest(
      program, failingAs: "lost update in the store")
    #expect(steps(result).count == 7 && result.certificate.isWide, "\(steps(result))")
  }

  /// A deadlock is not replaced by an automatic merge that waits, because that needs another
  /// remedy.
  @Test func `an example on a canonical stack has the same cause`() throws {
    let result = try smallest(
      "deadlock", SmallProgram.pair, interleave: "1",
      steps: "  view  perform\n    edit  fetch Note\n  edit  fetch Note")
    let program = result.outcome.program
    let configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    #expect(Experiment(of: "deadlock", in: program, configuration).cause == .interleaving)
    #expect(program.stack.contexts.count == 2 && steps(result).count == 2, "\(steps(result))")
  }

  /// The limits are the numbers of contexts and roots that a generated stack may have.
  @Test(arguments: [(5, 3, 2), (5, 1, 1), (1, 3, 1)])
  func `canonical stacks obey the limits`(contextCount: Int, rootCount: Int, expected: Int) throws {
    let program = try SmallProgram.program(
      "  view  privateQueue coordinator store",
      steps: Self.staleRow)
    var configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    (configuration.limits.contextCount, configuration.limits.rootCount) = (contextCount, rootCount)
    let result = ShrinkingPipeline(configuration).smallest(
      program, failingAs: "stale read through the row cache")
    #expect(result.outcome.program.stack.contexts.count == expected, "\(steps(result))")
    #expect(steps(result).count == (expected == 1 ? 5 : 4))
  }

  /// For a designed stack, the candidates are its own roots, under their names.
  @Test func `the canonical stacks of a designed stack are its roots`() throws {
    let result = try smallest(
      "lost update in the store", SmallProgram.twoRoots, isDesigned: true,
      steps: Self.crossing)
    let contexts = result.outcome.program.stack.contexts
    #expect(contexts.map(\.name) == ["sync"] && contexts[0].mergePolicy != .error)
    #expect(steps(result).count == 5, "\(steps(result))")
  }

  /// A context of the design that the program leaves out makes the program shorter.
  @Test func `an example on a designed stack gets contexts back`() throws {
    let program = try SmallProgram.program(
      SmallProgram.twoRoots,
      steps: Self.staleRow)
    var configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    configuration.stack = program.stack
    var part = program
    part.stack.contexts.removeLast()
    let kind: FailureKind = "stale read through the row cache"
    let found = try #require(
      MinimalityProof(configuration).withAnotherContext(part, failingAs: FailureSignature(kind))
        .program)
    #expect(found.stack == program.stack && found.steps.count < 5)
    configuration.stack = part.stack
    #expect(
      MinimalityProof(configuration).withAnotherContext(part, failingAs: FailureSignature(kind))
        .program == nil)
  }

  /// An example that has left out coordinators has other coordinators first.
  @Test func `contexts of a designed stack come back on their coordinator`() throws {
    let program = try SmallProgram.program(
      "  view  mainQueue coordinator store\n  sync  privateQueue coordinator store",
      steps:
        "  sync  insert Note as n\n  sync  save\n  sync  batchUpdate Note {title: \"s1\"}\n  sync  get n.title"
    )
    var design = program.stack
    design.coordinators = ["first", "second"].map {
      Stack.Coordinator(name: $0, stores: [StoreID(0)])
    }
    design.contexts[0].parent = .coordinator(CoordinatorID(1))
    design.contexts[1].parent = .coordinator(CoordinatorID(0))
    var part = program
    part.stack = design
    part.stack.coordinators.removeFirst()
    part.stack.contexts.removeLast()
    part.stack.contexts[0].parent = .coordinator(CoordinatorID(0))
    // 'sync' is on the first coordinator, which was removed.
    #expect(part.withContexts(of: design).isEmpty)
    part.stack.coordinators.append(design.coordinators[0])
    let stack = try #require(part.withContexts(of: design).first).stack
    #expect(stack.contexts.map(\.name) == ["view", "sync"])
    #expect(stack.contexts[1].parent == .coordinator(CoordinatorID(1)))
  }
}
