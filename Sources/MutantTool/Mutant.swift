/// One small change of a source, which a process makes if its number is in `FAULTLINE_MUTANT`.
struct Mutant {
  /// A text that stands in the place of a range of bytes; an empty range is an insertion.
  struct Edit {
    let range: Range<Int>
    let text: String
    /// The line of its first byte, from 1.
    let line: Int
  }

  /// From 1, in the order of the sources. Mutants that do not compile keep theirs.
  let number: Int
  /// Below the root of the package.
  let path: String
  let line: Int
  /// What is changed, as the table prints it: `== → !=`.
  let change: String
  let edits: [Edit]

  var description: String { "\(number)\t\(path):\(line)\t\(change)" }
}
