import InputFiles
import Scenario

/// Many scenarios at once: whatever is wrong with one, the others are looked at, too.
enum ScenarioFiles {
  /// Reads all; if some cannot be read, it complains about each of them.
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
