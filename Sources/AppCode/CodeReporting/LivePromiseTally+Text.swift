package import LiveCode
import Prose

extension LivePromiseTally {
  /// Lines about the promises of tested code, such as `promise 'unique Note.title': tested in 7
  /// runs`.
  ///
  /// A promise is left out if no run loaded a model, or only models of another part of the app.
  /// Then the test has no data to promise anything about.
  package var lines: [String] {
    entries.filter { $0.isAdopted || $0.problem != nil && !$0.isAboutOtherModel }.map(\.line)
  }
}

extension LivePromiseTally.Entry {
  /// A line about the promise, with the number of runs that tested it or the reason why none did.
  package var line: String {
    let result =
      testCount > 0
      ? "tested in \(grouped(testCount)) run\(testCount == 1 ? "" : "s")"
      : "never tested: " + (problem ?? "no run had objects to judge")
    return "promise '\(text)': \(result)"
  }
}
