import InputFiles
import Prose

/// The instructions that each module spends on a step, as printed by `Tests/modules.sh`. Each line
/// has a name, the number of instructions, and their share in per cent. The name is a module,
/// "all", or "rest" for instructions that belong to no module.
struct ModuleInstructions {
  private let lines: [(name: String, count: Int, share: String)]

  init(path: String) throws(InputError) {
    let text: String
    do {
      text = try TextFile.read(path: path)
    } catch {
      throw InputError(file: path, message: "\(error.message); Tests/modules.sh writes it")
    }
    lines = try text.split(separator: "\n").enumerated().map { index, line throws(InputError) in
      let words = line.split(separator: " ").map { String($0) }
      guard words.count == 3, let count = Int(words[1]), Double(words[2]) != nil else {
        throw InputError(
          file: path, line: index + 1, message: "is not a line that Tests/modules.sh prints")
      }
      return (words[0], count, words[2])
    }
  }

  /// The section about modules on the page.
  var section: [String] {
    var text = [
      "", "## Instructions by module", "",
      "The instructions of one step of the default campaign, with its generation and its checks. Instructions of the"
        + " runtime, the standard library and the C library count for the module that calls them.",
      "", "| module | instructions per step | per cent |", "|---|--:|--:|",
    ]
    for line in lines {
      let name = ["all": "all", "rest": "without a calling module"][line.name] ?? "`\(line.name)`"
      text.append("| \(name) | \(grouped(line.count)) | \(line.share) |")
    }
    return text
  }
}
