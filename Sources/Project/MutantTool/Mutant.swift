/// A small change of a source. A process makes the change if `FAULTLINE_MUTANT` contains its
/// number.
package struct Mutant {
  /// A text that replaces a range of bytes. An empty range is an insertion.
  package struct Edit {
    package let range: Range<Int>
    package let text: String
    /// The line of the range's first byte, from 1.
    package let line: Int
  }

  /// The number of the mutant, from 1, in the order of the sources. Mutants that do not compile
  /// keep their numbers.
  package let number: Int
  /// The path below the root of the package.
  package let path: String
  package let line: Int
  /// The change as the table prints it, such as `== → !=`.
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
