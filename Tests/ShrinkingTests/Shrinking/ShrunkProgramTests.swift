import Execution
import Shrinking
import TestSupport
import Testing
import Vocabulary

@Suite struct `A shrunk program` {
  /// The result does not depend on the order of the steps in which a campaign found the failure.
  @Test func `a shrunk program is the same from different starts`() throws {
    let starts = [
      "  edit  insert Note as n\n  edit  save\n  view  fetch Note\n  view  save",
      "  view  insert Memo as m\n  edit  insert Memo as n\n  edit  performAndWait\n    save\n  view  save",
      "  view  fetch Note\n  edit  insert Memo as n\n  edit  set n.text \"x\"\n  edit  save\n  view  save",
    ]
    let answers = try starts.map { steps in
      try `A pass over programs`.shrunk(
        try SmallProgram.program(steps: steps), ProgramPass.allCases)
    }
    #expect(answers[0].steps == answers[1].steps)
    #expect(answers[0].steps == answers[2].steps)
    #expect(answers[0].steps.count == 3)
    #expect(answers[0].names == ["note1"])
  }

  @Test func `a shrink counts its runs and says what each pass was worth`() throws {
    let program = try SmallProgram.program(
      steps: "  edit  insert Note as n\n  edit  save\n  view  fetch Note\n  view  save")
    let configuration = RunConfiguration(model: program.model, quirks: Profile.current.quirks)
    func shrink(budget: Int) -> ProgramShrinkStatistics {
      ProgramShrinker.shrink(
        program, keeping: "temporary ID leak", configuration, budget: budget
      ).statistics
    }
    let whole = shrink(budget: 2_000)
    #expect(!whole.isCutShort)
    #expect(whole.successes == whole.passes.reduce(0) { $0 + $1.successes })
    // The runs besides tries: the first, the last one with the reference model, and that of the
    // other failure.
    #expect(whole.executions == whole.passes.reduce(3) { $0 + $1.tries })
    #expect(shrink(budget: 3).isCutShort)
    #expect(shrink(budget: 2_000) == whole)
  }

  @Test func `a shrunk program has no step about an object that nothing inserts`() throws {
    let program = try SmallProgram.program(
      steps: "  edit  insert Note as n\n  edit  set n.title \"x\"\n  edit  save\n  view  save")
    let smaller = try `A pass over programs`.shrunk(program, ProgramPass.allCases)
    #expect(smaller.names.count == 1)
    #expect(SmallProgram.steps(of: smaller)[0].contains("insert"))
  }

  /// Two lanes that wait for each other, beside blocks for which any order will do.
  @Test func `a shrunk program departs from the simplest schedule as rarely as it can`() throws {
    let steps =
      "  edit  perform\n    view  save\n  work  perform\n    hasChanges\n"
      + "  view  performAndWait\n    edit  save"
    let stack = SmallProgram.pair + "\n  work  privateQueue coordinator store"
    var failing: [Program] = []
    for number in 0..<81 {
      let choices = [number % 3, number / 3 % 3, number / 9 % 3, number / 27]
      let program = try SmallProgram.program(
        stack, interleave: choices.map(String.init).joined(separator: " "), steps: steps)
      let outcome = ProgramRunner(RunConfiguration(model: program.model, quirks: QuirkSet()))
        .run(program)
      if outcome.failureKinds == ["deadlock"] { failing.append(outcome.program) }
    }
    func departures(_ program: Program) -> Int { program.schedule.count { $0 != 0 } }
    let least = try #require(failing.map(departures).min())
    #expect(failing.contains { departures($0) > least })
    for program in failing {
      let configuration = RunConfiguration(model: program.model, quirks: QuirkSet())
      let result = ProgramShrinker.shrink(
        program, keeping: "deadlock", configuration,
        passes: [.zeroSchedule, .zeroPartOfSchedule, .dropPreemptions, .movePreemptions])
      #expect(departures(result.outcome.program) == least)
    }
  }
}
