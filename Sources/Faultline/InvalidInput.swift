import InputFiles

/// A file or a value that was given to ``Fuzzer`` or ``ScenarioCase`` cannot be used.
public struct InvalidInput: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the file; `Fuzzer` if a value of the fuzzer is meant.
  public let file: String
  /// The line in the file, from 1; nil where the message is about the file as a whole.
  public let line: Int?
  /// What is wrong, and what would be right, in one line without the place.
  public let message: String

  /// What else is wrong with the same model, in the order of lines. `others` of these are empty.
  public let others: [InvalidInput]

  /// Place and message: `Notes.model:3: …`; one line for this and each of the others.
  public var description: String {
    (["\(file)\(line.map { ":\($0)" } ?? ""): \(message)"] + others.map(\.description))
      .joined(separator: "\n")
  }

  init(_ error: InputError) {
    (file, line, message) = (error.file, error.line, error.message)
    others = error.others.map { InvalidInput($0) }
  }

  /// Runs `body`; what is wrong with its input is thrown as `InvalidInput`.
  static func reported<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as InputError {
      throw InvalidInput(error)
    }
  }
}
