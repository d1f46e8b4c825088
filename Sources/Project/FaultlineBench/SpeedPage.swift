import Prose

/// The measurements as a page, with an estimate of the duration of campaigns.
struct SpeedPage {
  let results: Results
  /// The results of other tools, or nil if they were not measured.
  let peers: Peers?
  /// The instructions of modules, or nil if they were not counted.
  let modules: ModuleInstructions?
  /// The path of the picture of growth, relative to the page.
  let picture: String

  var text: String {
    var lines = [
      "# How fast Faultline is", "",
      "Measured by `\(command)` on \(results.system), \(results.coreCount) cores, and written by it. Each"
        + " figure is the median of several samples, with the least and the greatest behind it.",
    ]
    for section in results.sections {
      lines += ["", "## \(section.title.prefix(1).uppercased() + section.title.dropFirst())", ""]
      lines += ["| | median | least | greatest |", "|---|--:|--:|--:|"]
      for figure in section.figures {
        let values = [figure.median, figure.least, figure.greatest].map {
          "\(Results.number($0)) \(figure.unit)"
        }
        lines.append("| \(figure.name) | \(values.joined(separator: " | ")) |")
      }
      if section.title == Results.title(of: .kinds), !results.rareKinds.isEmpty {
        lines += ["", "Too rare to be measured: \(results.rareKinds.joined(separator: ", "))."]
      }
      if section.title == Results.title(of: .small) { lines += comparison(section.figures) }
    }
    lines += modules?.section ?? []
    lines += growth + campaigns
    return lines.joined(separator: "\n") + "\n"
  }

  private var command: String {
    var (before, options) = ("", [String]())
    if peers != nil {
      before += "make bench-peers && "
      options.append("--peers .build/bench/peers.json")
    }
    if modules != nil {
      before += "make bench-modules && "
      options.append("--modules .build/bench/modules.txt")
    }
    let arguments = options.isEmpty ? "" : " ARGS='\(options.joined(separator: " "))'"
    return "\(before)make bench PAGE=Tests/SPEED.md\(arguments)"
  }

  /// Returns a comparison with other tools.
  private func comparison(_ figures: [Figure]) -> [String] {
    guard let peers else { return [] }
    return figures.flatMap { figure in
      ["", "Beside \(figure.name):", ""] + peers.comparison(with: figure).map { "- \($0)" }
    }
  }

  private var growth: [String] {
    if results.curves.isEmpty { return [] }
    var lines = ["", "## Growth", ""]
    lines.append(
      "Common steps (insert, set, get, delete, save), by one thing that grows. Memory is what engine, reference model"
        + " and invariants have together, in the pages that a process of its own has written: of few there"
        + " is little to see but those pages. Of a save both look at what has changed, however many objects their context has"
        + " registered. A longer run"
        + " has a longer history: what every save has told and every ID that was given out can still be asked for."
    )
    lines += ["", "![Time and memory, each by one thing that grows](\(picture))"]
    for curve in results.curves {
      lines += [
        "", "### \(curve.title.prefix(1).uppercased() + curve.title.dropFirst())", "",
        "| \(curve.xName) | ns per step | least | greatest | \(curve.memoryName) | least | greatest |",
      ]
      lines.append("|--:|--:|--:|--:|--:|--:|--:|")
      for point in curve.points {
        let cells = [point.time, point.memory].flatMap { figure in
          figure.map { [$0.median, $0.least, $0.greatest].map(Results.number) } ?? ["", "", ""]
        }
        lines.append("| \(grouped(point.x)) | \(cells.joined(separator: " | ")) |")
      }
    }
    return lines
  }

  /// Estimates computed from the rate of one core. Shards share nothing, and threads hardly
  /// anything.
  private var campaigns: [String] {
    guard let rate = results.programsPerSecond else { return [] }
    let cores = [1, 2, 8, 64, 512]
    var lines = [
      "", "## How long a campaign takes", "",
      "Computed from \(Results.number(rate)) programs a second and core, with 60 steps each, under the default"
        + " configuration; shrinking what was found comes on top, some tenths of a second for each kind of failure."
        + " More cores than one are that divided by their number, not measured: threads (`--jobs`) come close to it"
        + " (above), and shards on other machines share nothing, but have to be merged.",
      "",
      "| programs | " + cores.map { "\($0) core\($0 == 1 ? "" : "s")" }.joined(separator: " | ")
        + " |",
      "|--:|" + String(repeating: "--:|", count: cores.count),
    ]
    for programs in [5_000, 100_000, 1_000_000, 100_000_000, 1_000_000_000] {
      let times = cores.map { span(Double(programs) / rate / Double($0)) }
      lines.append("| \(grouped(programs)) | \(times.joined(separator: " | ")) |")
    }
    return lines
  }

  private func span(_ seconds: Double) -> String {
    switch seconds {
    case ..<1: "under 1 s"
    case ..<120: "\(Int(seconds.rounded())) s"
    case ..<7_200: "\(Int((seconds / 60).rounded())) min"
    case ..<172_800: "\(Int((seconds / 3_600).rounded())) h"
    default: "\(Int((seconds / 86_400).rounded())) days"
    }
  }
}
