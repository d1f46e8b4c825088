import Catalogue
import Foundation
import InputFiles
import Scenario

/// The command `faultline scenario book`, which writes all scenarios as a site.
enum ScenarioBookCommand {
  static func run(
    _ scenarios: [(path: String, scenario: Scenario)], _ arguments: Arguments
  ) throws -> Int32 {
    let folder = arguments.text("to") ?? "book"
    let facts = try Checkout.path(FactCoverage.listPath).map { try FactList(path: $0) }
    let book = ScenarioBook(scenarios, facts: facts)
    let folders = Set(
      book.pages.map { URL(fileURLWithPath: "\(folder)/\($0.path)") }
        .map { $0.deletingLastPathComponent().path })
    for folder in folders.sorted() {
      do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      } catch {
        throw InputError(
          file: folder, message: "cannot create this folder; choose another with --to")
      }
    }
    for page in book.pages { try TextFile.write(page.html, to: "\(folder)/\(page.path)") }
    print("\(folder)/index.html: written, with \(scenarios.count) scenarios")
    return 0
  }
}
