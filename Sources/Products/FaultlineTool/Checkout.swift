import Foundation

/// The folders that a campaign uses by default. They belong to the checkout in which the tool was
/// built, or else to the checkout around the working directory. Without a checkout, they are in the
/// working directory.
enum Checkout {
  /// Returns the path of `name` in the checkout. The path is relative if the working directory is
  /// the checkout.
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

  /// Returns the nearest folder, from `start` upwards, that is a package and contains `name`.
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
