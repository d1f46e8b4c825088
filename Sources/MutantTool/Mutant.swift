/// One small change of a source, which a process makes if its number is in `FAULTLINE_MUTANT`.
package struct Mutant {
  /// A text that stands in the place of a range of bytes; an empty range is an insertion.
  package struct Edit {
    package let range: Range<Int>
    package let text: String
    /// The line of its first byte, from 1.
    package let line: Int
  }

  /// From 1, in the order of the sources. Mutants that do not compile keep theirs.
  package let number: Int
  /// Below the root of the package.
  package let path: String
  package let line: Int
  /// What is changed, as the table prints it: `== → !=`.
  package let change: String
  package let edits: [Edit]

  package init(number: Int, path: String, line: Int, change: String, edits: [Edit]) {
    self.number = number
    self.path = path
    self.line = line
    self.change = change
    self.edits = edits
  }

  package var description: String { "\(number)\t\(path):\(line)\t\(change)" }
}
