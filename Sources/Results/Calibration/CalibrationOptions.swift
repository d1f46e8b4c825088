/// The command-line options of `./calibrate`.
///
/// The environment variables `SWIFT` and `SWIFT_BUILD_FLAGS`, which the script uses too, control
/// how the package is built.
struct CalibrationOptions {
  var seconds = 60.0
  var only: String?
  var resumes = false
  var report = "report.json"
  var swift: String
  var flags: [String]

  init(_ words: [String], _ environment: [String: String]) throws {
    swift = environment["SWIFT"] ?? "swift"
    flags = (environment["SWIFT_BUILD_FLAGS"] ?? "").split(separator: " ").map(String.init)
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--resume" {
        resumes = true
        continue
      }
      guard ["--timeout", "--only", "--report"].contains(word) else {
        throw CalibrationError(
          "unknown option '\(word)'; the options are --timeout --only --resume --report")
      }
      guard let value = rest.popFirst(), !value.isEmpty else {
        throw CalibrationError("'\(word)' needs a value")
      }
      switch word {
      case "--only": only = value
      case "--report": report = value
      default:
        guard let number = Int(value), 1...86_400 ~= number else {
          throw CalibrationError("'--timeout \(value)' is not a number of seconds from 1 to 86400")
        }
        seconds = Double(number)
      }
    }
  }

  /// Returns a Boolean value that indicates whether `--only` selects the test.
  func selects(_ name: String) -> Bool { only.map { name.contains($0) } ?? true }
}
