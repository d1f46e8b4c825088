import Foundation
package import InputFiles
import Prose
import Vocabulary

/// The folder `.faultline` of a working directory, in which campaigns keep what they have shown: a
/// folder for each stack or model, in it a scenario for each failure.
package enum ExampleFolder {
  package static let path = ".faultline"

  /// Where a campaign on this stack, or these models, keeps what it shows; makes the folder above.
  /// Nothing in it is for version control, which is said there.
  ///
  /// A campaign under another profile, or with a bug planted, has a folder of its own: what it
  /// finds says nothing about the others.
  package static func make(
    stack: String?, _ settings: CampaignSettings
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
    let word = ([stem] + options).joined(separator: "-").map {
      $0.isLetter || $0.isNumber || $0 == "-" ? String($0) : "-"
    }.joined()
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw InputError(file: path, message: "cannot be made a folder")
    }
    let ignored = "\(path)/.gitignore"
    if !FileManager.default.fileExists(atPath: ignored) { try TextFile.write("*\n", to: ignored) }
    return "\(path)/\(word)"
  }

  /// What `replay` takes for the file at `path`: its place in the folder, or the path itself.
  package static func name(of path: String) -> String {
    guard path.hasPrefix(ExampleFolder.path + "/"), path.hasSuffix(".scenario") else { return path }
    return String(path.dropFirst(ExampleFolder.path.count + 1).dropLast(".scenario".count))
  }

  /// The files of this name, with or without the folder it is in.
  package static func files(named name: String) -> [String] {
    let direct = "\(path)/\(name).scenario"
    if FileManager.default.fileExists(atPath: direct) { return [direct] }
    return names.filter { $0.split(separator: "/").last.map(String.init) == name }
      .map { "\(path)/\($0).scenario" }
  }

  /// The names of those that a campaign has set aside and that had this name, with or without the
  /// folder it is in.
  package static func staleNames(of name: String) -> [String] {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return folders.sorted().compactMap { folder in
      let short = name.hasPrefix(folder + "/") ? String(name.dropFirst(folder.count + 1)) : name
      let stale = "\(folder)/stale/\(short)"
      return FileManager.default.fileExists(atPath: "\(path)/\(stale).scenario") ? stale : nil
    }
  }

  /// All names, sorted.
  package static var names: [String] {
    let folders = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return folders.sorted().flatMap { folder in
      let files = (try? FileManager.default.contentsOfDirectory(atPath: "\(path)/\(folder)")) ?? []
      return files.filter { $0.hasSuffix(".scenario") }.sorted()
        .map { "\(folder)/\($0.dropLast(".scenario".count))" }
    }
  }
}
