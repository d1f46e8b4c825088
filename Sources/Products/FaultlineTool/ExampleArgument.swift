import Campaigns
import Foundation
import InputFiles
import Prose

/// An argument that names an example kept by a campaign, or a scenario file.
enum ExampleArgument {
  /// Returns the file that `name` refers to.
  ///
  /// - Parameter others: A text about other arguments that the command accepts, for errors. It ends
  ///   with a comma.
  static func file(_ name: String, orElse others: String = "") throws -> String {
    let isFile = FileManager.default.fileExists(atPath: name)
    let found = isFile ? [] : ExampleFolder.files(named: name)
    if found.count > 1 {
      let names = found.map { ExampleFolder.name(of: $0) }.joined(separator: " or ")
      throw UsageError(message: "several campaigns kept an example '\(name)'; write \(names)")
    }
    if let file = found.first { return file }
    if name.contains(".") || isFile {
      try FileKind(name).expect(.scenario, name)
      return name
    }
    let kind = others.isEmpty ? "not an example" : "neither a seed nor an example"
    if let stale = ExampleFolder.staleNames(of: name).first {
      throw UsageError(
        message:
          "a later campaign no longer showed '\(name)' and moved it to '\(stale)'; write that name")
    }
    let names = ExampleFolder.names
    if names.isEmpty {
      throw UsageError(
        message: "'\(name)' is \(kind): this folder has no kept examples in \(ExampleFolder.path); "
          + "run this where 'faultline fuzz' ran, or give "
          + (others.isEmpty ? "" : others + "or ") + "a scenario file")
    }
    let short = names.compactMap { $0.split(separator: "/").last.map(String.init) }
    let meant = nearestWord(to: name, among: names + short)
    throw UsageError(
      message: "'\(name)' is \(kind); " + (meant.map { "did you mean '\($0)'? " } ?? "")
        + "give \(others)a name that 'faultline fuzz' prints, or a scenario file; "
        + "examples are kept in \(ExampleFolder.path) of the current folder")
  }
}
