import Foundation

/// Builds the tests of a calibration package, leaving out the files that do not compile.
///
/// A file of exported tests may use Core Data in a way that one version of the framework's Swift
/// interface does not have. It is moved to `Excluded`, and the others are built. It is tried again
/// in the next run.
struct PackageBuild {
  static let tests = "Tests/CalibrationTests"
  private static let excluded = "Excluded"

  let folder: String
  /// `swift`, or the path of another.
  let swift: String
  /// What is given to `swift build` besides.
  let flags: [String]
  /// Where the output of the compiler goes.
  let log: String
  /// By test: what the compiler says about it.
  private(set) var errors: [String: [String]] = [:]

  init(folder: String, swift: String, flags: [String], log: String) {
    (self.folder, self.swift, self.flags, self.log) = (folder, swift, flags, log)
  }

  /// Builds. Throws `CalibrationError` if something else than a test does not compile.
  mutating func build() throws {
    try takeBack()
    while true {
      let build = try LimitedProcess(
        [swift, "build", "--build-tests"] + flags, in: folder, seconds: nil, output: log)
      if build.ending == .status(0) { return }
      let new = PackageBuild.errors(in: build.output).filter { errors[$0.test] == nil }
      guard !new.isEmpty else {
        throw CalibrationError(
          "the package does not build, and no test is to blame; see \(log):\n"
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

  /// The errors that name a file of the tests: `…/CalibrationTests/NameTests.swift:7:3: error: …`.
  /// A build plugin names what it has made of the file `NameTests.swift` likewise.
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

  /// What an earlier run has left out.
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
    // A package that was written again has a newer one.
    if files.fileExists(atPath: target) {
      try files.removeItem(atPath: path("\(from)/\(test).swift"))
    } else {
      try files.moveItem(atPath: path("\(from)/\(test).swift"), toPath: target)
    }
  }

  private func path(_ name: String) -> String { "\(folder)/\(name)" }
}

/// Why a calibration cannot be made, in one line or more.
package struct CalibrationError: Error, CustomStringConvertible {
  package let description: String
  init(_ description: String) { self.description = description }
}
