import Foundation
package import InputFiles
import Prose
import Vocabulary

/// The folder `.faultline` of a working directory, in which campaigns keep examples of failures.
/// Each stack or model has a folder in `.faultline`, with a scenario for each failure.
package enum ExampleFolder {
  package static let path = ".faultline"

  /// Returns the folder in which a campaign on this stack, or on these models, keeps its examples.
  /// Creates the folder if necessary, and in `.faultline` a `.gitignore` that excludes all
  /// examples.
  ///
  /// Campaigns with another profile, other quirks or a planted bug use separate folders, because
  /// their failures are unrelated. Each shard has its own folder too, because shards may run at the
  /// same time, and no shard has all failures. Stacks with one name in several places have numbered
  /// folders, as does one stack on different models.
  package static func make(
    stack: String?, _ settings: CampaignSettings, part: Shard = .whole
  ) throws(InputError) -> String {
    let models = settings.models
    let subject =
      stack ?? (models.count == 1 ? models[0].name : models.isEmpty ? "generated" : "models")
    let last = subject.split(separator: "/").last.map(String.init) ?? subject
    let stem = last.split(separator: ".").first.map(String.init) ?? last
    let options =
      (settings.profile == .current ? [] : [settings.profile.rawValue])
      + settings.withQuirks.map { "with-\($0.name)" }
      + settings.withoutQuirks.map { "without-\($0.name)" }
      + settings.bugs.map { "plant-\($0.name)" }
      + (part == .whole ? [] : ["shard-\(part.number)-of-\(part.count)"])
    let word = ([stem] + options).joined(separator: "-").map {
      $0.isLetter || $0.isNumber || $0 == "-" ? String($0) : "-"
    }.joined()
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw InputError(file: path, message: "cannot create this folder")
    }
    let ignored = "\(path)/.gitignore"
    if !FileManager.default.fileExists(atPath: ignored) { try TextFile.write("*\n", to: ignored) }
    let owners = ([stack].compactMap(\.self) + models.compactMap(\.path)).map(resolved)
    return try folder(
      named: word, of: owners.isEmpty ? subject : owners.joined(separator: " "),
      formerly: owners.first ?? subject)
  }

  /// The name of the file that identifies the stack or model of a folder.
  private static let ownerFile = ".owner"

  /// Returns the folder of this name that belongs to `owner` or to no owner. Adds a number to the
  /// name if another owner has the folder.
  ///
  /// - Parameter formerly: The owner as earlier versions named it, without the models of a stack.
  private static func folder(
    named word: String, of owner: String, formerly: String
  ) throws(InputError) -> String {
    var (folder, number) = ("\(path)/\(word)", 1)
    while true {
      let file = "\(folder)/\(ownerFile)"
      guard FileManager.default.fileExists(atPath: file) else {
        do {
          try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        } catch { throw InputError(file: folder, message: "cannot create this folder") }
        try TextFile.write(owner + "\n", to: file)
        return folder
      }
      let known = try TextFile.read(path: file)
      if known == owner + "\n" { return folder }
      if known == formerly + "\n" {
        try TextFile.write(owner + "\n", to: file)
        return folder
      }
      number += 1
      folder = "\(path)/\(word)-\(number)"
    }
  }

  /// Returns the absolute path of a file, or another name as it is.
  private static func resolved(_ name: String) -> String {
    let isFile = FileManager.default.fileExists(atPath: name)
    return isFile ? URL(fileURLWithPath: name).resolvingSymlinksInPath().path : name
  }

  /// Returns the argument with which `replay` finds the file at `path`. For an example, the
  /// argument is the path in `.faultline` without the extension, and otherwise `path` itself.
  package static func name(of path: String) -> String {
    guard path.hasPrefix(ExampleFolder.path + "/"), path.hasSuffix(".scenario") else { return path }
    return String(path.dropFirst(ExampleFolder.path.count + 1).dropLast(".scenario".count))
  }

  /// Returns the paths of the examples with this name, with or without their folder.
  package static func files(named name: String) -> [String] {
    let direct = "\(path)/\(name).scenario"
    if FileManager.default.fileExists(atPath: direct) { return [direct] }
    return names.filter { $0.split(separator: "/").last.map(String.init) == name }
      .map { "\(path)/\($0).scenario" }
  }

  /// Returns the names of the stale examples that had this name, with or without their folder.
  package static func staleNames(of name: String) -> [String] {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return folders.sorted().compactMap { folder in
      let short = name.hasPrefix(folder + "/") ? String(name.dropFirst(folder.count + 1)) : name
      let stale = "\(folder)/stale/\(short)"
      return FileManager.default.fileExists(atPath: "\(path)/\(stale).scenario") ? stale : nil
    }
  }

  /// The names of all examples, sorted.
  package static var names: [String] {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return folders.sorted().flatMap { folder in
      let files = (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? []
      return files.filter { $0.hasSuffix(".scenario") }.sorted()
        .map { "\(folder)/\($0.dropLast(".scenario".count))" }
    }
  }
}
