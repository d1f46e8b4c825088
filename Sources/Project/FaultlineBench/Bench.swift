import Foundation
import InputFiles
import ObjectModel
import PropertyTesting
import SimulatedDispatch
import Vocabulary

/// The command `faultline-bench`, which measures the speed of Faultline. `make bench` runs it.
@main
enum Bench {
  private static let help = """
    faultline-bench [options]: measures the speed of Faultline, and prints medians with the least and the
    greatest sample.

      --only PART       measures only verdict, steps, kinds, small, schedules, shrinking, start, jobs, code or
                        growth; may be repeated
      --samples N       number of samples of each figure (5)
      --seconds S       duration of a sample (0.5)
      --peers FILE      also compares the small state machine with the results in FILE, which
                        Tests/Peers/run.sh writes
      --quick           measures less, for a trial run
      --output DIR      also writes bench.json and growth.svg to DIR
      --page FILE       also writes all figures as a page, and the picture of growth as FILE with .svg
      --modules FILE    adds the table of modules in FILE, which Tests/modules.sh writes, to the page
      --live N          only runs an app's code N times, and prints the digest and the failures
      --deadlocks N     only runs code N times into a deadlock, and prints the size of the process after the
                        first tenth and at the end
      --case NAME       only does a fixed amount of work, for an instruction counter: steps, small, schedules,
                        shrinking, verdict or growth; 'fewsteps' is a shorter 'steps', and 'broken' is 'small'
                        with a bug that must be found
      --memory WHAT N   only prints by how many bytes a process grows for N contexts, levels, objects, rows or
                        steps; the part 'growth' runs this command
    """

  enum Part: String, CaseIterable {
    case verdict, steps, kinds, small, schedules, shrinking, start, jobs, code, growth
  }

  static func main() {
    do {
      try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      FileHandle.standardError.write(Data("faultline-bench: \(error)\n".utf8))
      exit(2)
    }
  }

  private struct Complaint: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
  }

  private struct Options {
    var parts: [Part] = []
    var sampling = Sampling()
    var isQuick = false
    var folder: String?
    var peers: Peers?
    var modules: ModuleInstructions?
    var page: String?
  }

  private static func run(_ words: [String]) throws {
    guard let options = try options(words) else { return }
    if options.peers != nil, !options.parts.isEmpty, !options.parts.contains(.small) {
      throw Complaint("--peers compares part 'small'; add --only small")
    }
    // Create folders first, because the measurements take minutes.
    if let folder = options.folder { try makeFolder(folder) }
    if let page = options.page { try makeFolder((page as NSString).deletingLastPathComponent) }
    let results = try Results(
      of: options.parts.isEmpty ? Part.allCases : options.parts, options.sampling,
      isQuick: options.isQuick)
    if let peers = options.peers { compare(results, with: peers) }
    if let folder = options.folder { try results.write(to: folder) }
    if let page = options.page { try write(results, options, to: page) }
  }

  /// Returns the options of a measurement, or nil if the words request another activity, which is
  /// then already done.
  private static func options(_ words: [String]) throws -> Options? {
    var words = words[...]
    var options = Options()
    while let word = words.popFirst() {
      func value() throws -> String {
        guard let value = words.popFirst() else { throw Complaint("'\(word)' needs a value") }
        return value
      }
      func number(_ range: ClosedRange<Double>) throws -> Double {
        let text = try value()
        guard let number = Double(text), range.contains(number) else {
          throw Complaint(
            "'\(word) \(text)': write a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
      }
      switch word {
      case "--help", "-h":
        print(help)
        return nil
      case "--only": options.parts.append(try part(value()))
      case "--samples":
        let count = try number(1...1_000)
        guard count == count.rounded() else {
          throw Complaint("'\(word) \(count)': write a whole number")
        }
        options.sampling.count = Int(count)
      case "--seconds": options.sampling.seconds = try number(0.001...600)
      case "--quick": options.isQuick = true
      case "--peers": options.peers = try Peers(path: value())
      case "--modules": options.modules = try ModuleInstructions(path: value())
      case "--output": options.folder = try value()
      case "--page": options.page = try value()
      case "--case":
        try FixedWork.run(value())
        return nil
      case "--live", "--deadlocks":
        try live(word, count: value())
        return nil
      case "--memory":
        print(try memory(of: value(), count: value()))
        return nil
      default: throw Complaint("'\(word)' is not an option; --help lists them")
      }
    }
    return options
  }

  private static func live(_ word: String, count: String) throws {
    guard let count = Int(count), 10...1_000_000 ~= count else {
      throw Complaint("'\(word) \(count)': write a number of runs from 10 to 1000000")
    }
    #if os(Linux)
      print(word == "--live" ? CodeRuns.report(count) : CodeRuns.deadlocks(count))
    #else
      throw Complaint("'\(word)': an app's code runs on Linux only")
    #endif
  }

  private static func part(_ name: String) throws -> Part {
    guard let part = Part(rawValue: name) else {
      throw Complaint(
        "no part is called '\(name)'; there are \(Part.allCases.map(\.rawValue).joined(separator: ", "))"
      )
    }
    return part
  }

  /// Returns the growth of the process, in bytes.
  private static func memory(of name: String, count: String) throws -> Int {
    guard let direction = Growth(rawValue: name) else {
      throw Complaint(
        "'--memory' counts \(Growth.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    guard let count = Int(count), 1...1_000_000 ~= count else {
      throw Complaint("'--memory \(direction.rawValue)': write a number from 1 to 1000000")
    }
    guard let bytes = direction.bytes(for: count) else {
      throw Complaint("this system does not report the memory of a process")
    }
    return bytes
  }

  private static func compare(_ results: Results, with peers: Peers) {
    let small = results.sections.first { $0.title == Results.title(of: .small) }
    for figure in small?.figures ?? [] {
      print("in the same run: \(figure.name)")
      for line in peers.comparison(with: figure) { print("  " + line) }
    }
  }

  private static func write(_ results: Results, _ options: Options, to page: String) throws {
    let picture = (page as NSString).deletingPathExtension + ".svg"
    if !results.curves.isEmpty {
      try TextFile.write(GrowthPlot(curves: results.curves).svg, to: picture)
    }
    let text = SpeedPage(
      results: results, peers: options.peers, modules: options.modules,
      picture: (picture as NSString).lastPathComponent
    ).text
    try TextFile.write(text, to: page)
  }
}

extension Bench {
  private static func makeFolder(_ folder: String) throws {
    let path = folder.isEmpty ? "." : folder
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw InputError(file: path, message: "cannot create this folder; choose another")
    }
    guard FileManager.default.isWritableFile(atPath: path) else {
      throw InputError(file: path, message: "cannot be written to; choose another folder")
    }
  }
}

/// Work that executes the same instructions each time.
enum FixedWork {
  static func run(_ name: String) throws {
    switch name {
    case "steps":
      let steps = CoreDataSteps(models: try Results.models())
      print(steps.run(.current, programs: 120), "steps")
    case "fewsteps":
      let steps = CoreDataSteps(models: try Results.models())
      print(steps.run(.current, programs: 20), "steps")
    case "small": print(WorkloadS.run(ArrayOverlay(), cases: 300), "steps")
    case "broken":
      let findings = WorkloadS.campaign(ArrayOverlay(keepsDeletions: true), cases: 50, seed: 1)
        .findings
      guard let first = findings.first else {
        throw InputError(
          file: name, message: "the planted bug, a rollback that keeps deletions, is not found")
      }
      print("found in case", first.firstIndex + 1)
    case "schedules":
      print(Schedules.run(.random, count: 500) + Schedules.run(.pct, count: 500), "schedules")
    case "shrinking": print(try Shrinking(programs: 3).run(), "failures")
    case "verdict": print(try Verdicts.fixedWork(), "failures")
    case "growth": print(Growth.fixedWork(), "steps")
    default:
      throw InputError(
        file: name,
        message: "unknown case; there are steps, small, broken, fewsteps, schedules, shrinking,"
          + " verdict and growth"
      )
    }
  }
}
