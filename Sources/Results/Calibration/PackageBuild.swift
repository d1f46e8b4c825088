import Foundation

/// Builds the tests of a calibration package without the files that do not compile.
///
/// An exported test may use Core Data in a way that some versions of the framework's Swift
/// interface do not support. The file is moved to `Excluded`, and the other files are built. The
/// next run tries the file again.
struct PackageBuild {
  static let tests = "Tests/CalibrationTests"
  private static let excluded = "Excluded"

  let folder: String
  /// The command `swift`, or the path of another toolchain's command.
  let swift: String
  /// Additional arguments of `swift build`.
  let flags: [String]
  /// The path of the file that receives the output of the compiler.
  let log: String
  /// The messages of the compiler, by test.
  private(set) var errors: [String: [String]] = [:]

  init(folder: String, swift: String, flags: [String], log: String) {
    (self.folder, self.swift, self.flags, self.log) = (folder, swift, flags, log)
  }

  /// Builds the package. Throws `CalibrationError` if a file other than a test does not compile.
  mutating func build() throws {
    try takeBack()
    while true {
      let build = try LimitedProcess(
        [swift, "build", "--build-tests"] + flags, in: folder, seconds: nil, output: log)
      if build.ending == .status(0) { return }
      let new = PackageBuild.errors(in: build.output).filter { errors[$0.test] == nil }
      guard !new.isEmpty else {
        throw CalibrationError(
          "the package does not build, and the errors are not in its tests; see \(log):\n"
            + build.lastLines(12).joined(separator: "\n"))
      }
      for (test, message) in new {
        if errors[test] == nil {
          try move(test, from: PackageBuild.tests, to: PackageBuild.excluded)
        }
        errors[test, default: []].append(message)
      }
    }
  }

  /// Returns the errors in test files: `…/CalibrationTests/NameTests.swift:7:3: error: …`.
  ///
  /// A file that a build plugin makes of a test has the same name.
  static func errors(in output: String) -> [(test: String, message: String)] {
    output.split(separator: "\n").compactMap { line in
      guard let error = line.range(of: ": error: ") else { return nil }
      let place = line[..<error.lowerBound]
      let path = place.split(separator: ":").first ?? ""
      guard let name = path.split(separator: "/").last, name.hasSuffix("Tests.swift"),
        path.contains("/CalibrationTests/")
      else { return nil }
      let message = "\(name)\(place.dropFirst(path.count)): \(line[error.upperBound...])"
      return (String(name.dropLast(".swift".count)), message)
    }
  }

  /// Moves the files that an earlier run excluded back to the tests.
  private func takeBack() throws {
    let files = FileManager.default
    let names = (try? files.contentsOfDirectory(atPath: path(PackageBuild.excluded))) ?? []
    for name in names.sorted() where name.hasSuffix(".swift") {
      try move(
        String(name.dropLast(".swift".count)), from: PackageBuild.excluded,
        to: PackageBuild.tests)
    }
  }

  private func move(_ test: String, from: String, to: String) throws {
    let files = FileManager.default
    try files.createDirectory(atPath: path(to), withIntermediateDirectories: true)
    let target = path("\(to)/\(test).swift")
    // A package that was written again has a newer version of the file.
    if files.fileExists(atPath: target) {
      try files.removeItem(atPath: path("\(from)/\(test).swift"))
    } else {
      try files.moveItem(atPath: path("\(from)/\(test).swift"), toPath: target)
    }
  }

  private func path(_ name: String) -> String { "\(folder)/\(name)" }
}

/// The reason why a calibration cannot be made, on one or more lines.
package struct CalibrationError: Error, CustomStringConvertible {
  package let description: String
  init(_ description: String) { self.description = description }
}
