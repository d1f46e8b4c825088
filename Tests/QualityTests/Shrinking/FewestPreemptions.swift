import Failures
import Determinism
import Execution
import Invariants
import Scenario
import ScenarioChecking
import Shrinking
import SimulatedCoreData
import Testing
import Vocabulary

/// Compares the result of the search for the fewest preemptions with all schedules that have fewer.
/// The programs have up to twenty steps on up to four lanes.
@Suite struct `The fewest preemptions` {
  /// Returns a program of two or three blocks at once, which read, edit and save two objects, or
  /// wait for each other.
  private func program(_ generator: inout Generator) throws -> Program {
    let contexts = Array(["left", "right", "view"].prefix(2 + generator.next(below: 2)))
    var lines = ["  view  insert Note as n", "  view  insert Note as m", "  view  save"]
    for context in contexts where context != "view" {
      lines += ["  \(context)  object view.n", "  \(context)  object view.m"]
    }
    for context in contexts {
      lines.append("  \(context)  perform")
      for _ in 0...generator.next(below: 3) {
        let object = ["n", "m"][generator.next(below: 2)]
        switch generator.next(below: 6) {
        case 0:
          let other = contexts[generator.next(below: contexts.count)]
          lines += ["    \(other)  performAndWait", "      \(other)  hasChanges"]
        case 1, 2: lines.append("    \(context)  get \(object).title")
        case 3, 4: lines.append("    \(context)  set \(object).title \"\(context)\"")
        default: lines.append("    \(context)  save")
        }
      }
      if generator.next(below: 4) > 0 { lines.append("    \(context)  save") }
    }
    let text = """
      scenario  at-once
      evidence  inferred
      interleave  every

      model
        Note
          title  string?

      stack
        store  main
        view  mainQueue coordinator store
        left  privateQueue coordinator store policy overwrite
        right  privateQueue coordinator store policy mergeByPropertyObjectTrump

      steps
      \(lines.joined(separator: "\n"))

      claims
        succeeded

      """
    return Program(
      try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "none")) })
  }

  /// Returns whether some schedule with fewer than `count` preemptions fails, or nil if there are
  /// too many schedules. The first choice continues with the lane that ran last, so the rest of a
  /// schedule adds no preemption.
  private func fails(
    _ program: Program, as kind: FailureKind, withFewerThan count: Int, _ runner: ProgramRunner
  ) -> Bool? {
    var beginnings: [[UInt32]] = [[]]
    var runCount = 0
    while let beginning = beginnings.popLast() {
      runCount += 1
      if runCount > 20_000 { return nil }
      var candidate = program
      candidate.schedule = beginning
      let outcome = runner.run(candidate)
      if outcome.preemptionCount >= count { continue }
      if outcome.failureKinds.contains(kind) { return true }
      for place in beginning.count..<max(beginning.count, outcome.alternativeCounts.count) {
        let same = beginning + Array(repeating: 0, count: place - beginning.count)
        for choice in 1..<max(1, outcome.alternativeCounts[place]) {
          beginnings.append(same + [UInt32(choice)])
        }
      }
    }
    return false
  }

  @Test func `the fewest preemptions agree with all schedules`() throws {
    var generator = Generator(seed: 1)
    var caseCounts: [Int: Int] = [:]
    for number in 0..<250 {
      var program = try program(&generator)
      var configuration = RunConfiguration(
        model: program.model, quirks: Profile.current.quirks)
      configuration.checkLevel = .design
      let runner = ProgramRunner(configuration)
      let inOrder = runner.run(program).failureKinds
      var kinds: [FailureKind] = []
      for _ in 0..<20 {
        program.schedule = (0..<60).map { _ in UInt32(generator.next(below: 3)) }
        for kind in runner.run(program).failureKinds
        where !kinds.contains(kind) && !inOrder.contains(kind) {
          kinds.append(kind)
        }
      }
      for kind in kinds {
        let search = MinimalityProof(configuration).withFewestPreemptions(
          program, failingAs: FailureSignature(kind))
        let found = try #require(search.program)
        let fewest = runner.run(found)
        #expect(fewest.failureKinds.contains(kind))
        let fewer = fails(found, as: kind, withFewerThan: fewest.preemptionCount, runner)
        #expect(fewer == false, "\(kind) in program \(number)")
        caseCounts[fewest.preemptionCount, default: 0] += 1
      }
    }
    #expect(caseCounts[0, default: 0] >= 5 && caseCounts[1, default: 0] >= 25, "\(caseCounts)")
  }
}
