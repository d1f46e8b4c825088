import Execution
import Failures
import Generation
import Scenario
import ScenarioChecking
import Shrinking
import TestSupport
import Testing
import Vocabulary

@Suite struct `Certified programs` {
  private func parse(_ text: String) throws -> Scenario {
    try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "")) }
  }

  private func program(_ text: String) throws -> (Program, RunConfiguration) {
    let scenario = try parse(text)
    var configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
    configuration.stack = scenario.stack
    var schedule: [UInt32] = []
    if case .choices(let choices) = scenario.interleave { schedule = choices.map { UInt32($0) } }
    return (
      Program(
        model: scenario.model, stack: scenario.stack, names: scenario.names,
        steps: scenario.items.map(\.step), schedule: schedule,
        isInterleaved: scenario.interleave != .inOrder), configuration
    )
  }

  /// Returns the smallest program that fails, by running every program over an alphabet from its
  /// start. The search itself avoids these runs.
  private func smallestByForce(
    _ program: Program, _ alphabet: StepAlphabet?, _ kind: FailureKind,
    _ configuration: RunConfiguration,
    upTo limit: Int
  ) throws -> Program? {
    let letters = try #require(alphabet).letters
    var programs: [[AddressedStep]] = [[]]
    for _ in 0..<limit {
      programs = programs.flatMap { steps in letters.map { steps + [$0.step] } }
      var smallest: Program?
      for steps in programs {
        var candidate = program
        candidate.steps = steps
        // Names follow the order of insertions, because the search makes no other programs.
        let inserted = steps.flatMap(\.insertedNames).map(\.index)
        guard inserted == Array(0..<inserted.count),
          ProgramRunner(configuration).run(candidate).failureKinds.contains(kind)
        else { continue }
        if smallest.map({ size(of: candidate) < size(of: $0) }) ?? true { smallest = candidate }
      }
      if let smallest { return smallest }
    }
    return nil
  }

  private func size(of program: Program) -> ProgramSize {
    ProgramSize(program, preemptionCount: 0)
  }

  /// A parent and a child. The child's save makes the parent awaken the object again.
  private static let padded = smallScenario(
    steps: """
        view  insert Note as b
        edit  insert Note as n
        edit  set n.title "x"
        view  save
        edit  save
        edit  save
      """)

  @Test func `the search leads to the smallest program of common steps`() throws {
    let (program, configuration) = try program(`Certified programs`.padded)
    let kind = FailureKind.violation(.ObjectsAwakenOnce, at: .program)
    // The search among common steps begins with the result for the program's own steps.
    let own = MinimalityProof(configuration, wideBudget: 0).smallest(
      program, failingAs: FailureSignature(kind))
    let wide = MinimalityProof(configuration).smallest(
      own.program, failingAs: FailureSignature(kind))
    #expect(wide.certificate.isWide && !own.certificate.isWide)
    #expect(wide.certificate.verdict == .minimal)
    #expect(wide.certificate.stepCount == 2)
    let force = try smallestByForce(
      own.program, StepAlphabet(of: own.program)?.widened(for: own.program), kind, configuration,
      upTo: 2)
    #expect(wide.program.steps == force?.steps)
  }

  /// The program has no step that finds and loads at once, but apps do.
  @Test func `the search finds a shorter program with a step that the program lacks`() throws {
    let (program, configuration) = try program(
      smallScenario(
        steps: """
            view  insert Note as n
            view  save
            view  batchUpdate Note {title: "x"}
            edit  object view.n
            edit  get n.title
          """))
    let kind: FailureKind = "stale read through a cached ancestor"
    let own = MinimalityProof(configuration, wideBudget: 0).smallest(
      program, failingAs: FailureSignature(kind))
    let wide = MinimalityProof(configuration).smallest(
      own.program, failingAs: FailureSignature(kind))
    #expect(own.certificate.verdict == .minimal && own.certificate.stepCount == 5)
    #expect(wide.certificate.verdict == .minimal && wide.certificate.stepCount == 4)
    #expect(ProgramRunner(configuration).run(wide.program).failureKinds.contains(kind))
  }

  @Test(
    arguments: [
      (
        "lost update",
        """
          view  insert Note as n
          view  save
          edit  object view.n
          edit  set n.title "x"
          view  set n.title "y"
          edit  save
        """, 5
      ),
      (
        "temporary ID leak",
        """
          edit  insert Note as n
          edit  save
          view  save
          edit  save
        """, 3
      ),
    ].filter { Thoroughness.isFull || $0.2 < 5 })
  func `the search agrees with brute force`(kind: FailureKind, steps: String, size: Int) throws {
    let (program, configuration) = try program(smallScenario(steps: steps))
    let result = MinimalityProof(configuration, wideBudget: 0).smallest(
      program, failingAs: FailureSignature(kind))
    #expect(result.certificate.verdict == .minimal)
    #expect(result.certificate.stepCount == size)
    let force = try smallestByForce(
      program, StepAlphabet(of: program), kind, configuration, upTo: size)
    #expect(result.program.steps == force?.steps)
    #expect(ProgramRunner(configuration).run(result.program).failureKinds.contains(kind))
  }

  @Test func `a certificate says if common steps were not searched`() throws {
    let (program, configuration) = try program(`Certified programs`.padded)
    let kind = FailureKind.violation(.ObjectsAwakenOnce, at: .program)
    let own = MinimalityProof(configuration, wideBudget: 0).smallest(
      program, failingAs: FailureSignature(kind))
    var certificate = MinimalityProof(configuration, wideBudget: 10)
      .smallest(own.program, failingAs: FailureSignature(kind)).certificate
    #expect(certificate.isComplete && !certificate.isWide && certificate.wideReach == 1)
    #expect(
      certificate.sentence
        == "certified minimal of its own steps: no program of fewer than 2 steps fails in this way (4 to choose from, 3 states searched); with common steps added, there were too many programs to search"
    )
    certificate.wideReach = 2
    #expect(
      certificate.sentence.hasSuffix(
        "; with common steps added, no program of fewer than 2 steps fails in this way"))
  }

  /// Common steps have every value that a program needs, whatever the model requires of values.
  @Test func `common steps have values that saves accept`() throws {
    let text = smallScenario(steps: "  view  insert Note as n\n  view  save").replacing(
      "title  string?\n",
      with:
        "kind  string?\n    size  integer? min 11\n    code  string\n    willSave  kind = \"k\"\n"
    )
    let (program, _) = try program(text)
    let alphabet = try #require(StepAlphabet(of: program)?.widened(for: program))
    let steps = StepText(
      model: program.model, stack: program.stack, names: program.names, steps: program.steps)
    let set = alphabet.letters.map { steps.text($0.step) }.filter {
      $0.hasPrefix("view") && $0.contains(" set ")
    }
    #expect(
      set == [
        "view  set n.size 11", "view  set n.size 12", "view  set n.size nil",
        "view  set n.code \"s1\"",
      ])
  }

  @Test func `a certificate says how far the search came when the budget is spent`() throws {
    let (program, configuration) = try program(`Certified programs`.padded)
    let kind = FailureKind.violation(.ObjectsAwakenOnce, at: .program)
    let result = MinimalityProof(configuration, budget: 3).smallest(
      program, failingAs: FailureSignature(kind))
    let certificate = result.certificate
    #expect(result.program == program)
    #expect(certificate.verdict == .open(belowSteps: 1))
    #expect(certificate.sentence.hasPrefix("not certified: the budget of 3 transitions"))
  }

  /// A save makes the child merge on a lane of its own. That lane may run next only where lanes
  /// meet.
  @Test func `a certificate is the same with turns that are taken one by one`() throws {
    var (program, configuration) = try program(smallScenario(steps: "  view  save\n  edit  save"))
    program.stack.contexts[1].automaticallyMergesChangesFromParent = true
    program.isInterleaved = true
    (configuration.stack, configuration.bugs) = (nil, PlantedBugSet([.dropsQueuedBlock]))
    let certificates = [true, false].map { together in
      configuration.takesTurnsTogether = together
      return MinimalityProof(configuration).smallest(program, failingAs: "lost block").certificate
    }
    #expect(certificates[0].isMinimal && certificates[0].stateCount > 0)
    #expect(certificates[0] == certificates[1])
  }

  /// The driver waits for the child while a block of the child waits for the parent.
  @Test func `the search leads to the fewest preemptions`() throws {
    let text = smallScenario(
      header: "\ninterleave  choices 1 1 1 0 1",
      steps: """
          edit  perform
            view  performAndWait
              view  hasChanges
          view  performAndWait
            edit  performAndWait
              edit  hasChanges
        """
    )
    // On the main queue, a block that comes back would be a deadlock without any preemption.
    .replacing("mainQueue", with: "privateQueue")
    let (program, configuration) = try program(text)
    let every = Exploration(
      ScenarioRunner(
        try parse(text.replacing("choices 1 1 1 0 1", with: "every"))), prunes: false)
    let deadlocked = every.findings.filter { !$0.outcome.deadlocks.isEmpty }
    #expect(!deadlocked.isEmpty)
    let result = MinimalityProof(configuration).smallest(program, failingAs: "deadlock")
    let smallest = result.program
    #expect(result.certificate.verdict == .minimal)
    let preemptions = smallest.schedule.count { $0 != 0 }
    #expect(ProgramRunner(configuration).run(smallest).failureKinds.contains("deadlock"))
    var fewer = smallest
    // With one preemption fewer, wherever that is, there is no deadlock.
    for index in smallest.schedule.indices where smallest.schedule[index] != 0 {
      fewer.schedule[index] = 0
      #expect(!ProgramRunner(configuration).run(fewer).failureKinds.contains("deadlock"))
      fewer.schedule = smallest.schedule
    }
    #expect(preemptions > 0)
  }

  /// Twelve steps on four lanes. The lane that sets the title must be interrupted before the save.
  @Test func `the search knows the fewest preemptions of a longer program`() throws {
    let text = """
      scenario  four-lanes
      evidence  inferred
      interleave  every

      model
        Note
          title  string?

      stack
        store  main
        view  mainQueue coordinator store
        left  privateQueue coordinator store policy overwrite
        right  privateQueue coordinator store policy overwrite

      steps
        view  insert Note as n
        view  save
        left  perform
          left  existingObject view.n
          left  set n.title "left"
          left  save
        right  perform
          right  existingObject view.n
          right  set n.title "right"
          right  save
        view  perform
          view  hasChanges

      claims
        succeeded

      """
    let (program, configuration) = try program(text)
    #expect(size(of: program).stepCount == 12)
    let kind: FailureKind = "lost update in the store"
    var (fewest, most) = (Int.max, 0)
    var interrupted = program
    _ = Exploration(ScenarioRunner(try parse(text)), limit: 1_000_000, prunes: false) { run in
      guard run.outcome.violations.contains(kind) else { return }
      var candidate = program
      candidate.schedule = run.schedule
      let count = ProgramRunner(configuration).run(candidate).preemptionCount
      fewest = min(fewest, count)
      if count > most { (most, interrupted) = (count, candidate) }
    }
    let found = try #require(
      MinimalityProof(configuration).withFewestPreemptions(
        program, failingAs: FailureSignature(kind)
      ).program)
    let outcome = ProgramRunner(configuration).run(found)
    #expect(outcome.failureKinds.contains(kind))
    #expect(outcome.preemptionCount == fewest)

    // There are too many programs of such blocks to search, but the schedules are still certified.
    // The limits leave no room for another stack.
    var own = configuration
    (own.stack, own.limits.contextCount) = (nil, 0)
    let smallest = ShrinkingPipeline(own, budget: 1).smallest(
      interrupted, failingAs: FailureSignature(kind))
    #expect(most > fewest && smallest.outcome.preemptionCount == fewest)
    #expect(!smallest.certificate.isMinimal && smallest.certificate.scheduleStateCount > 0)
  }

  /// The failure needs only a grandparent, or only a setting.
  @Test func `the search finds a simpler program with one context more`() throws {
    let text = smallScenario(
      steps: """
          view  insert Note as n
          edit  fetch Note
          view  save
          edit  object view.n
        """
    ).replacing(
      "privateQueue parent view", with: "privateQueue parent view retainsRegisteredObjects")
    var (program, configuration) = try program(text)
    (configuration.quirks, configuration.stack) = (Profile.legacy.quirks, nil)
    let kind: FailureKind = "two instances for one row"
    #expect(ProgramRunner(configuration).run(program).failureKinds.contains(kind))
    let found = try #require(
      MinimalityProof(configuration).withAnotherContext(program, failingAs: FailureSignature(kind))
        .program)
    #expect(found.stack.contexts.count == 3 && found.stack.parent(of: ContextID(2)) == ContextID(1))
    #expect(found.stack.contexts.allSatisfy { !$0.retainsRegisteredObjects })
    #expect(ProgramRunner(configuration).run(found).failureKinds.contains(kind))
    program.steps.removeLast()
    #expect(
      MinimalityProof(configuration).withAnotherContext(program, failingAs: FailureSignature(kind))
        .program == nil)
  }
}
