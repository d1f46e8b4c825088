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
      throw UsageError(message: "'\(name)' is an example of several campaigns; say \(names)")
    }
    if let file = found.first { return file }
    if name.contains(".") || isFile {
      try FileKind(name).expect(.scenario, name)
      return name
    }
    let kind = others.isEmpty ? "no example" : "no seed and no example"
    if let stale = ExampleFolder.staleNames(of: name).first {
      throw UsageError(
        message: "'\(name)' was set aside by a later campaign; it is kept as '\(stale)'")
    }
    let names = ExampleFolder.names
    if names.isEmpty {
      throw UsageError(
        message: "'\(name)' is \(kind): the folder \(ExampleFolder.path), in which campaigns keep "
          + "theirs, is not here, or has none; run this where 'faultline fuzz' ran, or give "
          + (others.isEmpty ? "" : others + "or ") + "a scenario file")
    }
    let short = names.compactMap { $0.split(separator: "/").last.map(String.init) }
    let meant = nearestWord(to: name, among: names + short)
    throw UsageError(
      message: "'\(name)' is \(kind); " + (meant.map { "did you mean '\($0)'? " } ?? "")
        + "give \(others)a name that 'faultline fuzz' prints, or a scenario file; "
        + "examples are looked for in \(ExampleFolder.path) of this folder")
  }
}
