import Foundation
import Testing

@Suite struct `A module` {
  /// Modules that make up the simulation itself. Nothing in them may depend on the host.
  private static let simulated = [
    "Determinism", "SimulatedDispatch", "ObjectModel", "Vocabulary", "SimulatedCoreData",
    "ReferenceModel", "PropertyTesting", "Generation", "Invariants", "Execution",
  ]

  /// Returns the output of `swift package describe`: each target with the modules that it declares.
  private static func declaredImports() throws -> [String: Set<String>] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "swift", "package", "--package-path", SourceFile.root,
      "--scratch-path", NSTemporaryDirectory() + "faultline-house-tests", "dump-package",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let package = try JSONDecoder().decode(Manifest.self, from: data)
    return Dictionary(
      uniqueKeysWithValues: package.targets.map { target in
        (target.name, Set(target.dependencies.compactMap { $0.byName?.first ?? nil }))
      })
  }

  /// The floors, from the ground up. The map draws them, and a floor is a folder of Sources.
  private static let floors = [
    "Base", "Language", "Engine", "Oracle", "Running", "Analysis", "Results", "AppCode",
    "Faultline", "Products", "Project",
  ]

  @Test func `a module imports modules of its own floor and of the floors below`() throws {
    var heights: [String: Int] = [:]
    let files = try SourceFile.all(below: "Sources")
    for file in files {
      let folder = String(file.path.split(separator: "/")[1])
      let height = try #require(Self.floors.firstIndex(of: folder), "\(file.path)")
      heights[file.module] = height
    }
    for file in files {
      let height = try #require(heights[file.module])
      for name in Self.imports(of: file) {
        #expect(heights[name] ?? 0 <= height, "\(file.path) imports \(name) from above")
      }
    }
  }

  private struct Manifest: Decodable {
    struct Target: Decodable {
      struct Dependency: Decodable {
        /// The name comes first, then a condition, mostly `null`.
        var byName: [String?]?
      }
      var name: String
      var dependencies: [Dependency]
    }
    var targets: [Target]
  }

  private static func imports(of file: SourceFile) -> [String] {
    file.lines.compactMap { line in
      guard !SourceFile.isComment(line) else { return nil }
      let words = line.split(separator: " ")
      guard let position = words.firstIndex(of: "import"), position <= 1, words.count > position + 1
      else { return nil }
      return String(words[position + 1])
    }
  }

  /// The compiler also finds modules that a target does not declare, if another target has built
  /// them before.
  @Test func `a module imports only what Package swift declares`() throws {
    let declared = try Self.declaredImports()
    let files = try SourceFile.all(below: "Sources")
    let modules = Set(files.map(\.module))
    for module in modules.sorted() {
      #expect(declared[module] != nil, "Package.swift has no target \(module)")
    }
    for module in Self.simulated {
      #expect(modules.contains(module), "\(module) is no module, so no rule is checked for it")
    }
    for file in files {
      for name in Self.imports(of: file) where modules.contains(name) {
        #expect(declared[file.module]?.contains(name) == true, "\(file.path) imports \(name)")
      }
    }
    // The two accounts are independent.
    #expect(declared["ReferenceModel"]?.contains("SimulatedCoreData") == false)
    #expect(declared["SimulatedCoreData"]?.contains("ReferenceModel") == false)
  }

  @Test func `a module has fewer than 6,500 lines, but for the engine and Apple's names`() throws {
    var counts: [String: Int] = [:]
    for file in try SourceFile.all(below: "Sources") {
      counts[file.module, default: 0] += file.lines.count { !SourceFile.isComment($0) }
    }
    for module in counts.keys.sorted()
    where !["SimulatedCoreData", "CoreData"].contains(module) {
      #expect(counts[module, default: 0] < 6500, "\(module)")
    }
  }

  /// Order, chance and time come from `Choices` and the scheduler.
  @Test func `a module of the simulation asks the host for nothing`() throws {
    let banned = [
      "SystemRandomNumberGenerator", ".random(", ".shuffled()", ".randomElement()", "arc4random",
      "Date()", "Date.now", "UUID()", "hashValue", "DispatchQueue", "Thread.", "NotificationCenter",
      "@unchecked", "nonisolated(unsafe)", "@testable",
    ]
    for file in try SourceFile.all(below: "Sources") where Self.simulated.contains(file.module) {
      for (index, line) in file.lines.enumerated() where !SourceFile.isComment(line) {
        for word in banned {
          #expect(!line.contains(word), "\(file.path):\(index + 1) has \(word)")
        }
      }
    }
  }

  @Test func `a module comments on each public declaration`() throws {
    var memberCount = 0
    for file in try SourceFile.all(below: "Sources") {
      for (index, line) in file.lines.enumerated() {
        let words = line.split(separator: " ")
        guard words.first == "public", words.count > 1, words[1] != "import" else { continue }
        if words[1] != "extension" {
          #expect(
            isExplained(index, of: file), "\(file.path):\(index + 1) is public and has no comment")
        }
        for member in membersThatArePublicToo(index, words, of: file) {
          memberCount += 1
          #expect(
            isExplained(member, of: file), "\(file.path):\(member + 1) is public and has no comment"
          )
        }
      }
    }
    #expect(memberCount > 100)
  }

  private func isExplained(_ index: Int, of file: SourceFile) -> Bool {
    var above = index - 1
    while above >= 0, file.lines[above].drop(while: { $0 == " " }).hasPrefix("@") { above -= 1 }
    return above >= 0 && file.lines[above].contains("///")
  }

  /// Returns the lines of members that are public without an access level of their own. These are
  /// cases of a public enum, requirements of a public protocol, and members of a public extension.
  private func membersThatArePublicToo(
    _ index: Int, _ words: [Substring], of file: SourceFile
  ) -> [Int] {
    let keywords: Set<Substring>
    if words.contains("enum") {
      keywords = ["case"]
    } else if words[1] == "protocol" || words[1] == "extension" {
      keywords = [
        "func", "var", "let", "init", "subscript", "associatedtype", "typealias", "static",
      ]
    } else {
      return []
    }
    let indent = file.lines[index].prefix(while: { $0 == " " })
    guard let end = file.lines[index...].firstIndex(where: { $0 == indent + "}" }) else {
      return []
    }
    return (index + 1..<end).filter { member in
      let line = file.lines[member]
      return line.hasPrefix(indent + "  ") && !line.hasPrefix(indent + "   ")
        && keywords.contains(line.dropFirst(indent.count + 2).prefix(while: \.isLetter))
    }
  }
}
