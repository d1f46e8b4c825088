import Execution
import Failures
import Invariants
import TestSupport
import Testing

/// A deadlock on a designed stack is the design's if a part of the design waits in its cycle.
@Suite struct `A deadlock` {
  /// Returns the deadlocks of all schedules that begin in one of 64 ways.
  private static func deadlocks(work: String, steps: String) throws -> [FailureSignature] {
    let text = """
      scenario  test
      evidence  inferred

      model
        Note
          title  string?

      stack
        store  main
        view  mainQueue coordinator store
        work  privateQueue \(work)

      steps
      \(steps)

      claims
        deadlock

      """
    let written = try written(text)
    var program = written.program
    program.isInterleaved = true
    return (0..<64).flatMap { bits in
      program.schedule = (0..<6).map { UInt32(bits >> $0 & 1) }
      return ProgramRunner(written.configuration).run(program).failures.filter {
        $0.kind == "deadlock"
      }
    }
  }

  private static func group(of failure: FailureSignature) -> FailureGroup {
    FailureIdentity(failure.kind, .interleaving).group(
      part: failure.detail?.part, ways: failure.detail?.ways)
  }

  /// Steps that name their contexts wait for both queues.
  @Test func `a deadlock of two roots is the program's own`() throws {
    let found = try Self.deadlocks(
      work: "coordinator store",
      steps: """
          work  perform
            view  fetch Note
          view  performAndWait
            work  fetch Note
        """)
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { Self.group(of: $0) == .misuse })
  }

  /// The parent answers the child's fetch on the main queue. That is how Core Data works, and no
  /// app may wait in the other direction.
  @Test func `a deadlock of a parent and its child is the program's if only the program waits`()
    throws
  {
    let found = try Self.deadlocks(
      work: "parent view",
      steps: """
          work  perform
            fetch Note
          view  performAndWait
            work  fetch Note
        """)
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { Self.group(of: $0) == .misuse })
  }

  /// The cycle is the same whichever of its waits comes last. The main thread should wait for
  /// nothing.
  @Test func `a deadlock of two parts is blamed on the same one in either order`() throws {
    let stack = """
        view  mainQueue coordinator store
        work  privateQueue coordinator store
        entry  merge
          work  perform
            view  performAndWait
              hasChanges
        entry  look
          view  performAndWait
            work  performAndWait
              hasChanges
      """
    var stuck = try failingRun(
      "deadlock by the stack", stack,
      """
        view  call merge
        view  call look
      """, isInterleaved: true)
    var cycles: Set<[String]> = []
    for bits in 0..<64 {
      stuck.program.schedule = (0..<6).map { UInt32(bits >> $0 & 1) }
      let violations = ProgramRunner(stuck.configuration).run(stuck.program).violations
      for violation in violations where violation.kind == stuck.failure.kind {
        cycles.insert(violation.waits)
        let signature = violation.signature(in: stuck.program.stack)
        #expect(signature.detail?.part == .entryPoint("look"))
      }
    }
    #expect(cycles == [["work", "the main queue"], ["the main queue", "work"]])
  }
}
