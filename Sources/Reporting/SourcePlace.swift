package import Campaigns
import Failures
import InputFiles
import Vocabulary

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

  /// The line of a stack file that declares the part of the design at fault; where that is no one
  /// part, the line of its name.
  package init(of failure: FailureReport, inStack path: String) {
    let lines = ((try? TextFile.read(path: path)) ?? "")
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.split(separator: " ").map(String.init) }
    func line(_ isMeant: ([String]) -> Bool) -> Int? { lines.firstIndex(where: isMeant) }
    var found: Int? = nil
    switch failure.part {
    case .entryPoint(let name): found = line { $0.starts(with: ["entry", name]) }
    case .observer(of: let notification, by: let poster, in: _):
      found = line { $0.starts(with: ["observe", notification.rawValue, poster]) }
    case nil where failure.cause == .automaticMerge: found = line { $0.contains("autoMerge") }
    case nil: break
    }
    self.init(path: path, line: (found ?? line { $0.first == "stack" } ?? 0) + 1)
  }
}
