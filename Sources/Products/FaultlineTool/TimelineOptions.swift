import Failures
import Foundation
import InputFiles
import Scenario
import Timelines

/// The options of `replay` that write a run as a page, a picture, a trace or a log.
enum TimelineOptions {
  static let names = ["lanes", "transcript", "html", "svg", "trace", "events"]

  /// Checks the options before a run, because the run would be lost if its files could not be
  /// written.
  static func check(_ arguments: Arguments) throws {
    if arguments.has("lanes"), arguments.has("transcript") {
      throw UsageError(
        message: "'--lanes' and '--transcript' print the run in two ways; choose one")
    }
    var paths: [String] = []
    for path in names.compactMap(arguments.text) {
      if TextFile.sameFile(as: path, among: paths) != nil {
        throw UsageError(
          message: "'\(path)' is given twice; choose a different file for each option")
      }
      if let input = TextFile.sameFile(
        as: path, among: arguments.positional + arguments.texts("model") + arguments.texts("stack"))
      {
        throw UsageError(message: "'\(path)' would overwrite \(input); choose another file")
      }
      try TextFile.checkCanWrite(path)
      paths.append(path)
    }
  }

  /// Writes each file completely or not at all, and names it on standard error. Calls `page` only
  /// if a page is to be written.
  static func write(
    _ timeline: Timeline, about subject: FailureKind?, page: @escaping () -> String,
    _ arguments: Arguments
  ) throws {
    let files = TimelineFiles(timeline)
    let texts: [(option: String, text: () -> String)] = [
      ("html", page), ("svg", { Picture(timeline, about: subject).file }),
      ("trace", { files.traceEvents }),
      ("events", { files.jsonLines }),
    ]
    for (option, text) in texts {
      guard let path = arguments.text(option) else { continue }
      try TextFile.write(text(), to: path)
      Tool.note("\(path): written")
    }
  }
}
