import Failures
import TestSupport
import Testing

@Suite struct `Blame for an aborted read` {
  /// Only one order of the two lanes makes the parent roll back what the child has read.
  @Test func `a program is blamed for a rollback under its own read in any order`() throws {
    let aborted = try failingRun(
      "aborted read",
      """
        view  mainQueue coordinator store
        edit  privateQueue parent view
      """,
      """
        edit  perform
          fetch Note as m
          get m.title
        view  insert Note as n
        view  set n.title "typed"
        view  rollback
      """, isInterleaved: true)
    #expect(aborted.cause == .program && aborted.group == .misuse)
  }

  /// Neither the reader nor the holder of the value is at fault.
  @Test(arguments: [("call cancel", true), ("rollback", false)])
  func `the part that gave up the value is blamed`(giveUp: String, isOfDesign: Bool) throws {
    let aborted = try failingRun(
      "aborted read",
      """
        write  privateQueue coordinator store
        view  mainQueue parent write
        edit  privateQueue parent view
        entry  cancel
          write  rollback
        entry  reload
          edit  fetch Note realised
      """,
      """
        write  insert Note as n
        write  save
        view  existingObject write.n
        view  set n.title "given up"
        view  save
        write  \(giveUp)
        edit  call reload
      """)
    #expect(aborted.part == (isOfDesign ? .entryPoint("cancel") : nil))
    #expect(aborted.cause == (isOfDesign ? .entryPoint : .program))
  }
}
