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
  func `has calls instead of casts within the arguments of a macro`(
    expression: String, result: String
  ) throws {
    #expect(try PreparedSource(expression).body.collapsed == result.collapsed)
  }
}

extension String {
  /// Without the spaces, which an edit may leave behind a token that goes.
  fileprivate var collapsed: String { filter { $0 != " " } }
}
