import Foundation
import InputFiles
import ObjectModel
import PropertyTesting
import SimulatedDispatch
import Vocabulary

/// `faultline-bench`: how fast Faultline is, measured. `make bench` runs it.
@main
enum Bench {
  private static let help = """
    faultline-bench [options]: measures, and prints medians with the least and the greatest sample.

      --only PART       steps, kinds, small, schedules, shrinking, start, jobs or growth; may be repeated
      --samples N       how often each is measured (5)
      --seconds S       how long a sample takes (0.5)
      --peers FILE      also compares the small state machine with what Tests/Peers/run.sh has written, on the
                        page, too
      --quick           less of what takes long; for trying out
      --output DIR      also writes bench.json and growth.svg there
      --page FILE       also writes a page of it all, and beside it growth as a picture, FILE with .svg
      --case NAME       only does one fixed piece of work, for a counter of instructions: steps, small,
                        schedules, shrinking or growth; 'broken' is 'small' with a bug that must be found
      --memory WHAT N   only says by how many bytes a process grows for N contexts, levels, objects, rows or
                        steps; growth asks itself so
    """

  enum Part: String, CaseIterable {
    case steps, kinds, small, schedules, shrinking, start, jobs, growth
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

  private static func run(_ words: [String]) throws {
    var words = words[...]
    var (parts, sampling, isQuick, folder) = ([Part](), Sampling(), false, String?.none)
    var (peers, page) = (Peers?.none, String?.none)
    while let word = words.popFirst() {
      func value() throws -> String {
        guard let value = words.popFirst() else { throw Complaint("'\(word)' lacks its value") }
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
      case "--help", "-h": return print(help)
      case "--only":
        let name = try value()
        guard let part = Part(rawValue: name) else {
          throw Complaint(
            "no part is called '\(name)'; there are \(Part.allCases.map(\.rawValue).joined(separator: ", "))"
          )
        }
        parts.append(part)
      case "--samples":
        let count = try number(1...1_000)
        guard count == count.rounded() else {
          throw Complaint("'\(word) \(count)': write a whole number")
        }
        sampling.count = Int(count)
      case "--seconds": sampling.seconds = try number(0.001...600)
      case "--quick": isQuick = true
      case "--peers": peers = try Peers(path: value())
      case "--output": folder = try value()
      case "--page": page = try value()
      case "--case": return try FixedWork.run(value())
      case "--memory":
        guard let direction = Growth(rawValue: try value()) else {
          throw Complaint(
            "'--memory' counts \(Growth.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        guard let count = Int(try value()), 1...1_000_000 ~= count else {
          throw Complaint("'--memory \(direction.rawValue)': write a number from 1 to 1000000")
        }
        guard let bytes = direction.bytes(for: count) else {
          throw Complaint("this system does not say how much memory a process has")
        }
        return print(bytes)
      default: throw Complaint("'\(word)' is no option; --help lists them")
      }
    }
    if peers != nil, !parts.isEmpty, !parts.contains(.small) {
      throw Complaint("--peers compares part 'small'; add --only small")
    }
    // Before the minutes that the measuring takes.
    if let folder { try makeFolder(folder) }
    if let page { try makeFolder((page as NSString).deletingLastPathComponent) }
    let results = try Results(
      of: parts.isEmpty ? Part.allCases : parts, sampling, isQuick: isQuick)
    if let peers {
      for figure in results.sections.first(where: { $0.title == Results.title(of: .small) })?
        .figures ?? []
      {
        print("in the same run, \(figure.name)")
        for line in peers.comparison(with: figure) { print("  " + line) }
      }
    }
    if let folder { try results.write(to: folder) }
    if let page {
      let picture = (page as NSString).deletingPathExtension + ".svg"
      if !results.curves.isEmpty {
        try TextFile.write(GrowthPlot(curves: results.curves).svg, to: picture)
      }
      let text = SpeedPage(
        results: results, peers: peers, picture: (picture as NSString).lastPathComponent
      ).text
      try TextFile.write(text, to: page)
    }
  }
}

extension Bench {
  private static func makeFolder(_ folder: String) throws {
    let path = folder.isEmpty ? "." : folder
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw InputError(file: path, message: "cannot be made a folder; choose another")
    }
    guard FileManager.default.isWritableFile(atPath: path) else {
      throw InputError(file: path, message: "nothing can be written there; choose another folder")
    }
  }
}

/// Work that is the same each time, to the instruction.
enum FixedWork {
  static func run(_ name: String) throws {
    switch name {
    case "steps":
      let steps = CoreDataSteps(models: try Results.models())
      print(steps.run(.current, programs: 120), "steps")
    case "small": print(WorkloadS.run(ArrayOverlay(), cases: 300), "steps")
    case "broken":
      let findings = WorkloadS.campaign(ArrayOverlay(keepsDeletions: true), cases: 50, seed: 1)
        .findings
      guard let first = findings.first else {
        throw InputError(file: name, message: "a rollback that keeps deletions is not found")
      }
      print("found in case", first.firstIndex + 1)
    case "schedules":
      print(Schedules.run(.random, count: 500) + Schedules.run(.pct, count: 500), "schedules")
    case "shrinking": print(try Shrinking(programs: 3).run(), "failures")
    case "growth": print(Growth.fixedWork(), "steps")
    default:
      throw InputError(
        file: name,
        message: "no such case; there are steps, small, broken, schedules, shrinking and growth"
      )
    }
  }
}
