package import Campaigns
import Failures
import InputFiles
import Timelines
import Vocabulary

/// A line of a file to which a failure belongs, for tools that show failures in files.
package struct SourcePlace: Hashable {
  package let path: String
  /// The line number, from 1.
  package let line: Int

  package init(path: String, line: Int) { (self.path, self.line) = (path, line) }

  /// Finds the line where a scenario begins, after its description. Uses the first line if the file
  /// cannot be read.
  package init(ofScenario path: String) {
    let text = (try? TextFile.read(path: path)) ?? ""
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let index = lines.firstIndex { $0.hasPrefix("scenario ") } ?? 0
    self.init(path: path, line: index + 1)
  }

  /// Finds the line of a stack file that declares the part of the design at fault. If no part is at
  /// fault, or a policy that settles conflicts, uses the context in which the failure showed. The
  /// last resorts are the broken promise and the stack's name.
  package init(of failure: FailureReport, inStack path: String) {
    let lines = ((try? TextFile.read(path: path)) ?? "")
      .split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.split(separator: " ").map(String.init) }
    func line(_ isMeant: ([String]) -> Bool) -> Int? { lines.firstIndex(where: isMeant) }
    var found: Int? = nil
    switch failure.cause?.settlesConflicts == true ? nil : failure.part {
    case .entryPoint(let names):
      // The first of several entry points with the same steps.
      let name = String(names.split(separator: names.contains(",") ? "," : " ")[0])
      // `entry  finish worker*` declares an entry point for each worker.
      found = line { words in
        words.starts(with: ["entry", name])
          || words.count > 2 && words[0] == "entry" && words[1] + "*" == name
            && words[2].hasSuffix("*")
      }
    case .observer(of: let notification, by: let poster, in: _):
      found = line { $0.starts(with: ["observe", notification.rawValue, poster]) }
    case nil where failure.cause == .automaticMerge: found = line { $0.contains("autoMerge") }
    case nil: break
    }
    let context = failure.finding?.context.map { failure.timeline.places[$0.index] }
    if found == nil, let context, let place = SourcePlace(ofContext: context, inStack: path) {
      self = place
      return
    }
    if found == nil, let promise = failure.subject?.promise {
      let words = promise.split(separator: " ").map(String.init)
      // The place and the occasion of a promise are not in its text.
      let others = ["in", "after", "always", "at"]
      found = line {
        let rest = $0.dropFirst(1 + words.count)
        return $0.first == "promise" && $0.dropFirst().starts(with: words)
          && rest.first.map(others.contains) != false
      }
    }
    self.init(path: path, line: (found ?? line { $0.first == "stack" } ?? 0) + 1)
  }

  /// Finds the line of a stack file that declares a context or its pool. Returns nil if no line
  /// declares it.
  package init?(ofContext name: String, inStack path: String) {
    let digits = name.reversed().prefix { $0.isNumber }.count
    let pool = "\(name.dropLast(digits))*"
    let lines = ((try? TextFile.read(path: path)) ?? "")
      .split(separator: "\n", omittingEmptySubsequences: false)
    let index = lines.firstIndex { line in
      let words = line.split(separator: " ")
      guard line.hasPrefix("  "), words.count > 2, Self.queueTypes.contains(String(words[1])) else {
        return false
      }
      return words[0] == name || words[0].hasPrefix(pool)
    }
    guard let index else { return nil }
    self.init(path: path, line: index + 1)
  }

  private static let queueTypes = Stack.ConcurrencyType.allCases.map(\.rawValue)

  /// Finds the line of a model that declares the property or entity of a failure, or else the first
  /// line. For an Xcode model, this is a line in the XML of the current version.
  package init(of failure: FailureReport, inModel path: String) {
    let path = ModelFile.withoutTrailingSlashes(path)
    let isText = !path.hasSuffix(".xcdatamodeld") && !path.hasSuffix(".xcdatamodel")
    let file = isText ? path : (try? ModelFile.contents(ofModel: path)) ?? path
    let lines = ((try? TextFile.read(path: file)) ?? "")
      .split(separator: "\n", omittingEmptySubsequences: false)
    func declares(_ name: String, _ line: Substring, isEntity: Bool) -> Bool {
      if isText {
        let words = line.split(separator: " ").drop { isEntity && $0 == "abstract" }
        return line.hasPrefix(" ") != isEntity && words.first == name[...]
      }
      return line.contains("<entity ") == isEntity && line.contains(" name=\"\(name)\"")
    }
    let entity = failure.finding?.entity.flatMap { name in
      lines.firstIndex { declares(name, $0, isEntity: true) }
    }
    guard let entity else {
      self.init(path: file, line: 1)
      return
    }
    let members = lines[(entity + 1)...].prefix { line in
      isText ? line.isEmpty || line.hasPrefix(" ") : !line.contains("</entity>")
    }
    let property = failure.finding?.attribute.flatMap { name in
      members.firstIndex { declares(name, $0, isEntity: false) }
    }
    self.init(path: file, line: (property ?? entity) + 1)
  }
}
