import InputFiles

/// The error for a file or a value of ``Fuzzer`` or ``ScenarioCase`` that cannot be used.
public struct InvalidInput: Error, Hashable, Sendable, CustomStringConvertible {
  /// The path of the file, or `Fuzzer` for a value of the fuzzer.
  public let file: String
  /// The line in the file, from 1, or `nil` if the message concerns the whole file.
  public let line: Int?
  /// The problem and its correction, in one line without the place.
  public let message: String

  /// Further problems of the same model, in the order of lines. Their own `others` are empty.
  public let others: [InvalidInput]

  /// Place and message, such as `Notes.model:3: …`, with one line for each of `others`.
  public var description: String {
    (["\(file)\(line.map { ":\($0)" } ?? ""): \(message)"] + others.map(\.description))
      .joined(separator: "\n")
  }

  init(_ error: InputError) {
    (file, line, message) = (error.file, error.line, error.message)
    others = error.others.map { InvalidInput($0) }
  }

  /// Runs `body`, and throws its input errors as `InvalidInput`.
  static func reported<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as InputError {
      throw InvalidInput(error)
    }
  }
}
