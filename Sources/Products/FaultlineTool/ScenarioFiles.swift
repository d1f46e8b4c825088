import InputFiles
import Scenario

/// Reads several scenarios. An error in one file does not prevent other files from being read.
enum ScenarioFiles {
  /// Reads all scenarios, and reports an error for each file that cannot be read.
  static func readAll(_ paths: [String]) throws -> [(path: String, scenario: Scenario)] {
    let (scenarios, errors) = read(paths)
    for error in errors.dropLast().flatMap(\.all) { Tool.note(error.description) }
    if let last = errors.last { throw last }
    return scenarios
  }

  static func read(
    _ paths: [String]
  ) -> (scenarios: [(path: String, scenario: Scenario)], errors: [InputError]) {
    var scenarios: [(path: String, scenario: Scenario)] = []
    var errors: [InputError] = []
    for path in paths {
      do throws(InputError) {
        scenarios.append((path, try ScenarioFile.read(path: path)))
      } catch {
        errors.append(error)
      }
    }
    return (scenarios, errors)
  }
}
