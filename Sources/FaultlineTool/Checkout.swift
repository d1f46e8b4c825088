import Foundation

/// The folders that a campaign uses unless it is told otherwise: those of the checkout that the
/// tool was built in, wherever it is started, or else those of the checkout that it is started in,
/// or of the working directory.
enum Checkout {
  /// `name` in the checkout; from inside of it, as a relative path.
  static func path(_ name: String) -> String? {
    let here = FileManager.default.currentDirectoryPath
    let executable = Bundle.main.executableURL?.resolvingSymlinksInPath()
    let starts = [executable?.deletingLastPathComponent(), URL(fileURLWithPath: here)]
    for start in starts.compactMap(\.self) {
      if let root = root(above: start, with: name) {
        return root == here ? name : root + "/" + name
      }
    }
    return FileManager.default.fileExists(atPath: name) ? name : nil
  }

  /// The nearest folder, this one or one above, that is a package and has `name` in it.
  private static func root(above start: URL, with name: String) -> String? {
    var folder = start
    while folder.path != "/" {
      let files = FileManager.default
      if files.fileExists(atPath: folder.appendingPathComponent("Package.swift").path),
        files.fileExists(atPath: folder.appendingPathComponent(name).path)
      {
        return folder.resolvingSymlinksInPath().path
      }
      folder = folder.deletingLastPathComponent()
    }
    return nil
  }
}
