import Faultline
import Foundation

/// What other tools did with the small state machine, as `Tests/Peers/run.sh` prints it: a line of JSON each.
struct Peers {
  private struct Line: Decodable {
    var tool: String
    var version: String?
    var stepsPerSecond: Double?
    var skipped: String?
  }

  private let lines: [Line]

  init(path: String) throws(InputError) {
    let text: String
    do {
      text = try TextFile.read(path: path)
    } catch {
      throw InputError(file: path, message: "\(error.message); Tests/Peers/run.sh writes it")
    }
    var lines: [Line] = []
    for (index, line) in text.split(separator: "\n").enumerated() {
      guard let line = try? JSONDecoder().decode(Line.self, from: Data(line.utf8)) else {
        throw InputError(
          file: path, line: index + 1, message: "is no line that Tests/Peers/run.sh prints")
      }
      lines.append(line)
    }
    self.lines = lines
  }

  /// How many times as many steps a second `own` is, a line for each tool.
  func comparison(with own: Figure) -> [String] {
    lines.map { line in
      let name = [line.tool, line.version].compactMap(\.self).joined(separator: " ")
      guard let rate = line.stepsPerSecond, rate > 0 else {
        return "\(name): not measured: \(line.skipped ?? "it says no rate")"
      }
      let tenths = Int((own.median / rate * 10).rounded())
      return
        "\(name): \(grouped(Int(rate))) steps/s; Faultline does \(tenths / 10).\(tenths % 10) times as many"
    }
  }
}
