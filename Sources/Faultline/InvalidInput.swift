import InputFiles

/// A file or a value that was given to ``Fuzzer`` or ``ScenarioCase`` cannot be used.
public struct InvalidInput: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the file; `Fuzzer` if a value of the fuzzer is meant.
  public let file: String
  /// The line in the file, from 1; nil where the message is about the file as a whole.
  public let line: Int?
  /// What is wrong, and what would be right, in one line without the place.
  public let message: String

  /// Place and message: `Notes.model:3: …`.
  public var description: String {
    "\(file)\(line.map { ":\($0)" } ?? ""): \(message)"
  }

  /// Runs `body`; what is wrong with its input is thrown as `InvalidInput`.
  static func reported<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as InputError {
      throw InvalidInput(file: error.file, line: error.line, message: error.message)
    }
  }
}
