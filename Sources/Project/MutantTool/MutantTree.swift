import Foundation

/// A copy of the package that contains all mutants at once.
package struct MutantTree {
  let root: URL
  private(set) var mutants: [Mutant] = []

  private static let parts = [
    "Package.swift", "Sources", "Tests", "Scenarios", "Fixtures", "Makefile", "README.md",
  ]
  private static let modules = [
    "Sources/Engine/SimulatedCoreData", "Sources/Engine/SimulatedDispatch",
  ]
  private var list: URL { root.appendingPathComponent("mutants.txt") }

  /// Copies the package at `package` and finds the mutants of the engine. Files of debug checks
  /// have none, because campaigns do not run those checks.
  init(of package: URL, at root: URL) throws {
    self.root = root
    let files = FileManager.default
    try files.createDirectory(at: root, withIntermediateDirectories: true)
    for part in MutantTree.parts {
      let copy = root.appendingPathComponent(part)
      if files.fileExists(atPath: copy.path) { try files.removeItem(at: copy) }
      try files.copyItem(at: package.appendingPathComponent(part), to: copy)
    }
    let manifest = root.appendingPathComponent("Package.swift")
    // Some mutants leave unreachable code behind, and all call `getenv`.
    let text = try String(contentsOf: manifest, encoding: .utf8)
      .replacingOccurrences(of: ".treatAllWarnings(as: .error), .strictMemorySafety(),", with: "")
    try (text + MutantTree.selection).write(to: manifest, atomically: true, encoding: .utf8)
    var number = 1
    for path in try MutantTree.paths(in: package) {
      let found = MutantFinder.mutants(
        of: try source(of: path), path: path, first: number)
      mutants += found
      number += found.count
    }
    foundCount = mutants.count
    originals = try Dictionary(
      uniqueKeysWithValues: Set(mutants.map(\.path)).map { ($0, try source(of: $0)) })
    dropWhatDidNotCompile()
  }

  /// Skips the mutants that did not compile in an earlier build of the tree, if the same mutants
  /// were found.
  private mutating func dropWhatDidNotCompile() {
    guard let text = try? String(contentsOf: list, encoding: .utf8) else { return }
    let lines = text.split(separator: "\n").map(String.init)
    let (all, built) = (Set(mutants.map(\.description)), Set(lines.dropFirst()))
    guard lines.first == "\(foundCount) found", built.isSubset(of: all) else { return }
    mutants = mutants.filter { built.contains($0.description) }
  }

  /// The tests of the engine, and the tool. No other targets are built.
  private static let selection = """

    let tests = ["SimulatedCoreDataTests", "SimulatedDispatchTests", "ScenarioCheckingTests"]
    let unused = [
      "FaultlineBench", "FaultlineFuzzer", "CoreData", "CoreDataXCTest", "CoreDataTesting",
      "Combine", "PlatformValues", "UIKit", "AppKit", "CoreLocation", "_Testing_UIKit", "_Testing_AppKit",
      "PrepareTool", "FaultlinePrepare", "MutantTool",
    ]
    package.products.removeAll { $0.name != "faultline" }
    package.targets.removeAll {
      $0.isTest ? !tests.contains($0.name) : unused.contains($0.name)
    }

    """

  /// The original sources, indexed by path.
  private var originals: [String: String] = [:]
  private var foundCount = 0

  private static func paths(in package: URL) throws -> [String] {
    try modules.flatMap { module in
      try FileManager.default.subpathsOfDirectory(
        atPath: package.appendingPathComponent(module).path
      ).filter { $0.hasSuffix(".swift") && !$0.contains("Invariants") }.sorted().map {
        "\(module)/\($0)"
      }
    }
  }

  private func source(of path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  /// Builds products with all mutants that compile, and drops all other mutants.
  ///
  /// - Throws: `MutantError.build` if an error occurs at no mutant's line.
  mutating func build(_ options: [String]) throws {
    while true {
      try write()
      let (status, output) = try Command.run(
        "swift", ["build", "-c", "release", "--package-path", root.path] + options)
      let errors = MutantTree.errors(in: output, below: root.path)
      if status == 0, errors.isEmpty { break }
      let blamed = Set(errors.flatMap(mutantsBlamed))
      let kept = mutants.filter { !blamed.contains($0.number) }
      print("\(errors.count) errors: \(mutants.count - kept.count) mutants do not compile")
      if kept.count == mutants.count {
        throw MutantError.build(String(output.suffix(4_000)))
      }
      mutants = kept
    }
    let lines = ["\(foundCount) found"] + mutants.map(\.description)
    try (lines.joined(separator: "\n") + "\n").write(
      to: list, atomically: true, encoding: .utf8)
  }

  /// Reads the list of mutants from a tree that is built.
  static func read(_ root: URL) throws -> [Mutant] {
    let text = try String(
      contentsOf: root.appendingPathComponent("mutants.txt"), encoding: .utf8)
    return text.split(separator: "\n").dropFirst().compactMap { line in
      let fields = line.split(separator: "\t").map(String.init)
      let place = fields[1].split(separator: ":")
      guard let number = Int(fields[0]), let line = Int(place[1]) else { return nil }
      return Mutant(
        number: number, path: String(place[0]), line: line, change: fields[2], edits: [])
    }
  }

  private func write() throws {
    for (path, original) in originals.sorted(by: { $0.key < $1.key }) {
      let edits = mutants.filter { $0.path == path }.flatMap(\.edits)
      try update(path, MutantTree.rewritten(original, edits))
    }
    for module in MutantTree.modules {
      let text = MutantSupport.text(for: mutants.filter { $0.path.hasPrefix(module + "/") })
      try update("\(module)/\(MutantSupport.fileName)", text)
    }
  }

  private func update(_ path: String, _ text: String) throws {
    let file = root.appendingPathComponent(path)
    if (try? String(contentsOf: file, encoding: .utf8)) != text {
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
  }

  /// Returns the source with the edits applied. Mutants are found from the outside in. Before a
  /// token, the insertion of the outer mutant comes first, and after a token it comes last.
  package static func rewritten(_ source: String, _ edits: [Mutant.Edit]) -> String {
    let bytes = Array(source.utf8)
    let ordered = edits.enumerated().sorted { a, b in
      let (x, y) = (a.element, b.element)
      if x.range.lowerBound != y.range.lowerBound {
        return x.range.lowerBound < y.range.lowerBound
      }
      if x.range.isEmpty != y.range.isEmpty { return x.range.isEmpty }
      let isClosing = x.text.first == " " || x.text.first == ")"
      return isClosing ? a.offset > b.offset : a.offset < b.offset
    }
    var result: [UInt8] = []
    var position = 0
    for (_, edit) in ordered {
      result += bytes[position..<edit.range.lowerBound]
      result += Array(edit.text.utf8)
      position = edit.range.upperBound
    }
    return String(decoding: result + bytes[position...], as: UTF8.self)
  }

  /// The place of a compiler error.
  package struct CompilerError: Hashable {
    let path: String
    let line: Int

    package init(path: String, line: Int) {
      self.path = path
      self.line = line
    }
  }

  /// Returns the mutants at the line of an error. If no mutant is at the line, blames the mutant
  /// before it, because the function may end without the value that this statement returned.
  private func mutantsBlamed(for error: CompilerError) -> [Int] {
    let near = mutants.filter { $0.path == error.path }
    let atLine = near.filter { $0.edits.contains { $0.line == error.line } }
    if !atLine.isEmpty { return atLine.map(\.number) }
    let lastLine = near.flatMap(\.edits).map(\.line).filter { $0 < error.line }.max()
    return near.filter { $0.edits.last?.line == lastLine }.map(\.number)
  }

  /// Returns the places of errors in the compiler's output. An unused result counts as an error,
  /// because it may be the value of a function that needs no `return`.
  package static func errors(in output: String, below root: String) -> Set<CompilerError> {
    var errors: Set<CompilerError> = []
    for line in output.split(separator: "\n")
    where line.contains(": error:") || line.contains("is unused [#no-usage]") {
      let fields = line.split(separator: ":", maxSplits: 3)
      guard fields.count == 4, fields[0].hasPrefix(root), let number = Int(fields[1]) else {
        continue
      }
      errors.insert(
        CompilerError(path: String(fields[0].dropFirst(root.count + 1)), line: number))
    }
    return errors
  }
}

/// The reason that the tool cannot build or run mutants.
enum MutantError: Error, CustomStringConvertible {
  case build(String)
  case arguments(String)

  var description: String {
    switch self {
    case .build(let output): "the tree does not build, and no mutant causes the error:\n\(output)"
    case .arguments(let message): message
    }
  }
}
