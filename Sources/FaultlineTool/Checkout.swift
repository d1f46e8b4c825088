import Foundation

/// The folders that a campaign uses unless it is told otherwise: those of the checkout that the tool
/// was built in, wherever it is started, or else those of the working directory.
enum Checkout {
  /// `name` in the checkout; from inside of it, as a relative path.
  static func path(_ name: String) -> String? {
    let here = FileManager.default.currentDirectoryPath
    var folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
    while let candidate = folder, candidate.path != "/" {
      let files = FileManager.default
      if files.fileExists(atPath: candidate.appendingPathComponent("Package.swift").path),
        files.fileExists(atPath: candidate.appendingPathComponent(name).path)
      {
        let root = candidate.resolvingSymlinksInPath().path
        return root == here ? name : root + "/" + name
      }
      folder = candidate.deletingLastPathComponent()
    }
    return FileManager.default.fileExists(atPath: name) ? name : nil
  }
}
