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
      "`\(command)` measured these figures on \(results.system), \(results.coreCount) cores, and wrote this page."
        + " Each figure is the median of several samples, followed by the least and the greatest sample.",
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
      ["", "Other tools, compared with \(figure.name):", ""]
        + peers.comparison(with: figure).map { "- \($0)" }
    }
  }

  private var growth: [String] {
    if results.curves.isEmpty { return [] }
    var lines = ["", "## Growth", ""]
    lines.append(
      "The cost of common steps (insert, set, get, delete, save) as one quantity grows. Memory is the memory of"
        + " engine, reference model and invariants together, measured as the pages that a separate process writes;"
        + " for small numbers, the size of these pages dominates. A save examines only changed objects, however many"
        + " objects its context has registered. A longer run has a longer history, because every save notification"
        + " and every ID remains available."
    )
    lines += ["", "![Time and memory as one quantity grows](\(picture))"]
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
      "Computed from \(Results.number(rate)) programs per second and core, with 60 steps each, under the default"
        + " configuration. Shrinking adds some tenths of a second for each kind of failure. The times for several"
        + " cores are this time divided by their number, not measurements. Threads (`--jobs`) come close to these"
        + " times (see above). Shards on other machines share nothing, but have to be merged.",
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
