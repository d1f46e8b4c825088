import Scenario
import Testing

/// Malformed texts, each with the lines and the sentences of its errors.
///
/// A tab is written as ⇥ and a carriage return as ␍.
@Suite struct `Malformed text` {
  private struct Example {
    let text: String
    let error: TextError
  }

  private func examples(_ table: String) throws -> [Example] {
    let entries = table.split(separator: "\n\n")
    return try entries.map { entry in
      let parts = entry.split(separator: "\n! ")
      let text = String(parts[0]).replacing("⇥", with: "\t").replacing("␍", with: "\r")
      var errors = try parts.dropFirst().map { error in
        let error = error.split(separator: ": ", maxSplits: 1)
        return TextError(line: try #require(Int(error[0])), message: String(error[1]))
      }
      var first = try #require(errors.first)
      errors.removeFirst()
      first.others = errors
      return Example(text: text, error: first)
    }
  }

  func expectErrors(
    _ table: String, atLeast count: Int, reading read: (String) throws(TextError) -> Void
  ) throws {
    let examples = try examples(table)
    #expect(examples.count >= count)
    for example in examples {
      #expect("\(example.text)") {
        try read(example.text)
      } throws: { error in
        (error as? TextError).map(messages) == messages(example.error)
      }
    }
  }
}

/// Returns the messages about a text, line by line.
private func messages(_ error: TextError) -> [String] {
  ([error] + error.others).map(\.description)
}
