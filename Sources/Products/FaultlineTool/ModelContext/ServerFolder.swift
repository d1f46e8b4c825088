import Campaigns
import Foundation
import InputFiles

/// The folder in which the server was started. Its tools use no path outside of this folder.
struct ServerFolder {
  /// The absolute path, without symbolic links.
  private let root: String

  init() {
    let here = FileManager.default.currentDirectoryPath
    root = ServerFolder.resolved(here) ?? here
  }

  /// Returns a path without symbolic links, relative to the folder. Throws an error if the path
  /// leads out of the folder.
  func path(_ given: String) throws(UsageError) -> String {
    let absolute = given.hasPrefix("/") ? given : root + "/" + given
    // If a file does not exist, its nearest existing folder decides. The error then reveals
    // nothing about the outside.
    var existing = absolute
    while ServerFolder.resolved(existing) == nil, let slash = existing.lastIndex(of: "/") {
      existing = String(existing[..<slash])
    }
    guard let real = ServerFolder.resolved(existing), isInside(real) else {
      throw UsageError(
        message: "'\(given)' is outside of the folder in which the server was started")
    }
    guard existing == absolute else { throw UsageError(message: "'\(given)': no such file") }
    let relative = real == root ? "." : String(real.dropFirst(root == "/" ? 1 : root.count + 1))
    return relative.hasPrefix("-") ? "./" + relative : relative
  }

  /// Returns the path of a file or folder that a command may read: the models that its files name,
  /// and the files of a folder, must be inside, too.
  func input(_ given: String) throws -> String {
    let path = try path(given)
    try checkContents(of: path)
    return path
  }

  /// Throws an error if the folder of kept examples leads out of this folder.
  func checkExamples() throws {
    guard FileManager.default.fileExists(atPath: ExampleFolder.path) else { return }
    try checkContents(of: path(ExampleFolder.path))
  }

  /// The paths of the stack files, at most `limit`, without those of hidden folders.
  func stacks(limit: Int) -> [String] {
    guard let files = FileManager.default.enumerator(atPath: root) else { return [] }
    var found: [String] = []
    while found.count < limit, let path = files.nextObject() as? String {
      if path.split(separator: "/").last?.hasPrefix(".") == true { files.skipDescendants() }
      // A link that leads out of the folder is not listed, because no tool follows it.
      if path.hasSuffix(".stack"), (try? self.path(path)) != nil { found.append(path) }
    }
    return found.sorted()
  }

  private func checkContents(of path: String) throws {
    try checkModel(namedBy: path)
    let files = FileManager.default
    for name in files.enumerator(atPath: path)?.compactMap({ $0 as? String }) ?? [] {
      let file = path + "/" + name
      let type = try? files.attributesOfItem(atPath: file)[.type] as? FileAttributeType
      if type == .typeSymbolicLink { _ = try self.path(file) }
      try checkModel(namedBy: file)
    }
  }

  /// Throws an error if a file names a model outside of the folder. Commands read stacks and
  /// scenarios whatever the name of the file.
  private func checkModel(namedBy path: String) throws {
    guard let text = try? TextFile.read(path: path) else { return }
    for line in text.split(whereSeparator: \.isNewline) {
      let words = line.split(separator: " ", maxSplits: 1)
      guard words.count == 2, words[0] == "model", line.hasPrefix("model") else { continue }
      let name = String(words[1].drop { $0 == " " })
      let model = ScenarioFile.locate(name, from: path)
      // The command itself reports a missing model.
      if FileManager.default.fileExists(atPath: model) { _ = try self.path(model) }
    }
  }

  private func isInside(_ path: String) -> Bool {
    path == root || path.hasPrefix(root == "/" ? root : root + "/")
  }

  /// Returns the absolute path without symbolic links, or nil if no such file exists.
  private static func resolved(_ path: String) -> String? {
    guard let buffer = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(buffer) }
    return unsafe String(cString: buffer)
  }
}
