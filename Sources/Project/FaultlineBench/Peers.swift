import Foundation
import InputFiles
import Prose

/// The results of other tools with the small state machine, as printed by `Tests/Peers/run.sh`.
/// Each sample is a line of JSON.
struct Peers {
  private struct Line: Decodable {
    var tool: String
    var version: String?
    var stepsPerSecond: Double?
    var skipped: String?
  }

  /// The lines of each tool.
  private let tools: [[Line]]

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
          file: path, line: index + 1, message: "is not a line that Tests/Peers/run.sh prints")
      }
      lines.append(line)
    }
    let names = lines.map(\.tool)
    tools = names.indices.filter { names.firstIndex(of: names[$0]) == $0 }
      .map { index in lines.filter { $0.tool == names[index] } }
  }

  /// Returns a line for each tool that compares its steps per second with those of `own`.
  func comparison(with own: Figure) -> [String] {
    tools.map { lines in
      let name = [lines[0].tool, lines[0].version].compactMap(\.self).joined(separator: " ")
      let figure = Figure(
        name: name, unit: "steps/s", samples: lines.compactMap(\.stepsPerSecond))
      guard figure.least > 0 else {
        return "\(name): not measured: \(lines[0].skipped ?? "it prints no rate")"
      }
      let tenths = Int((own.median / figure.median * 10).rounded())
      return
        "\(name): \(Results.text(figure)); Faultline runs \(tenths / 10).\(tenths % 10) times as many"
    }
  }
}
