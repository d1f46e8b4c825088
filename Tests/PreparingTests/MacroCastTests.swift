import Preparing
import Testing

@Suite struct `A cast to a fetch request` {
  @Test(arguments: [
    (
      "#require(any as? NSFetchRequest<Note>)",
      "#require(simulatedCast(any , to: NSFetchRequest<Note>.self))"
    ),
    (
      "#expect(try f(a, b[0]) as? NSFetchRequest<any Result> != nil)",
      "#expect(try simulatedCast(f(a, b[0]) , to: NSFetchRequest<any Result>.self) != nil)"
    ),
    (
      "#expect(a?.b ?? c as! NSFetchRequest<Note> == d, \"why\")",
      "#expect(a?.b ?? simulatedForcedCast(c , to: NSFetchRequest<Note>.self) == d, \"why\")"
    ),
    ("f(a as? NSFetchRequest<Note>)", "f(a  ~>? NSFetchRequest<Note>.self)"),
  ])
  func `a cast becomes a call within the arguments of a macro`(
    expression: String, result: String
  ) throws {
    #expect(try PreparedSource(expression).body.collapsed == result.collapsed)
  }
}

extension String {
  /// The text without spaces, because an edit may leave a space after a deleted token.
  fileprivate var collapsed: String { filter { $0 != " " } }
}
