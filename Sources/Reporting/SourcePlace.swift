import InputFiles

/// A line of a file that a failure belongs to, for tools that show it there.
package struct SourcePlace: Hashable {
  package let path: String
  /// From 1.
  package let line: Int

  package init(path: String, line: Int) { (self.path, self.line) = (path, line) }

  /// Where a scenario begins, behind what it says of itself; its first line if it cannot be read.
  package init(ofScenario path: String) {
    let text = (try? TextFile.read(path: path)) ?? ""
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let index = lines.firstIndex { $0.hasPrefix("scenario ") } ?? 0
    self.init(path: path, line: index + 1)
  }
}
