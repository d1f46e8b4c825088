/// What is wrong with something the user handed over, in one line: where, what, and what would be
/// right.
package struct InputError: Error, Hashable, CustomStringConvertible {
  package var file: String
  /// Nil where the complaint is about the file as a whole.
  package var line: Int?
  package var message: String

  package init(file: String, line: Int? = nil, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  package var description: String {
    if let line { return "\(file):\(line): \(message)" }
    return "\(file): \(message)"
  }
}
