import Calibration
import Catalogue
import Exporting
import Foundation
import InputFiles

/// The folder that `faultline calibration` writes, with files of the checkout and the tests.
struct CalibrationPackage {
  private static let template = "Fixtures/Calibration"
  /// The folder of the runner's sources in Faultline, and the folder to which they are copied.
  private static let runner = (from: "Sources/Results/Calibration", to: "Sources/Calibrating")
  private static let tests = "Tests/CalibrationTests"
  private static let list = "tests.json"

  /// The path of the checkout.
  let root: String
  let directory: String

  private var files: FileManager { .default }

  /// Refuses to write into a folder that contains something other than a calibration package.
  func checkFolder() throws(UsageError) {
    let names = (try? files.contentsOfDirectory(atPath: directory)) ?? []
    if names.isEmpty || names.contains(CalibrationPackage.list) { return }
    throw UsageError(
      message: "\(directory) has files and is not a calibration package, so nothing is written; "
        + "choose a new folder")
  }

  func write(_ plan: CalibrationPlan) throws {
    let template = try paths(below: CalibrationPackage.template)
    for path in template {
      try copy("\(CalibrationPackage.template)/\(path)", to: path)
    }
    let (from, to) = CalibrationPackage.runner
    for path in try paths(below: from) { try copy("\(from)/\(path)", to: "\(to)/\(path)") }
    try removeOldTests()
    for test in plan.files {
      try write(test.source, to: "\(CalibrationPackage.tests)/\(test.fileName)")
    }
    try write(
      "// On Linux, the other files of this folder are first prepared for the simulation.\n",
      to: "\(CalibrationPackage.tests)/Simulated.swift")
    try write(".build/\n.calibration/\nExcluded/\n", to: ".gitignore")
    try write(plan.list.text, to: CalibrationPackage.list)
  }

  /// Returns the files below a folder of the checkout, including hidden files, in sorted order.
  private func paths(below folder: String) throws(InputError) -> [String] {
    let path = "\(root)/\(folder)"
    let all = (files.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).sorted()
    let found = all.filter { name in
      var isFolder: ObjCBool = false
      return unsafe files.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder)
        && !isFolder.boolValue
    }
    guard !found.isEmpty else {
      throw InputError(
        file: path, message: "does not exist; give a checkout of Faultline with '--root'")
    }
    return found
  }

  private func copy(_ source: String, to path: String) throws {
    let isProgram = files.isExecutableFile(atPath: "\(root)/\(source)")
    try write(try TextFile.read(path: "\(root)/\(source)"), to: path)
    if isProgram {
      try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(directory)/\(path)")
    }
  }

  /// Writes a file unless it already has this text, so that unchanged files are not compiled again.
  private func write(_ text: String, to path: String) throws {
    let file = URL(fileURLWithPath: "\(directory)/\(path)")
    if (try? String(contentsOf: file, encoding: .utf8)) == text { return }
    let folder = file.deletingLastPathComponent().path
    do { try files.createDirectory(atPath: folder, withIntermediateDirectories: true) } catch {
      throw InputError(file: folder, message: "cannot create this folder; check its permissions")
    }
    // Hundreds of files can be written again, so the write does not wait for the disk.
    do { try Data(text.utf8).write(to: file, options: .atomic) } catch {
      throw InputError(file: file.path, message: "cannot be written; check the free disk space")
    }
  }

  private func removeOldTests() throws {
    for folder in [CalibrationPackage.tests, "Excluded"] {
      let names = (try? files.contentsOfDirectory(atPath: "\(directory)/\(folder)")) ?? []
      for name in names.sorted() where name.hasSuffix("Tests.swift") {
        try files.removeItem(atPath: "\(directory)/\(folder)/\(name)")
      }
    }
  }
}
