import Failures
import Foundation
import Execution
package import InputFiles
package import ObjectModel
import Scenario
import ScenarioChecking
import SimulatedCoreData
package import Vocabulary

/// A folder of failures, with a scenario file for each kind of failure and cause. A campaign
/// replays the files before it runs new programs.
///
/// The folder keeps programs, not seeds, so that changes of the generators do not affect them. The
/// folder `stale` receives failures that no longer occur, and programs that the design rules out.
/// No file is deleted, and unreadable files stay in place.
package struct RegressionCorpus {
  package let path: String
  /// A Boolean value that indicates whether the folder keeps the failures that campaigns reported
  /// last, with the reported examples and including known failures. Otherwise the folder keeps the
  /// failures to fix, with the smallest examples.
  package let isOfLastCampaign: Bool
  /// The failures read from the folder, sorted by size and path.
  package private(set) var kept: [RegressionCase] = []
  /// The errors in files of the folder, one for each file.
  package private(set) var problems: [InputError] = []
  /// The problems that fail a campaign. A folder of the last campaign has none, because an earlier
  /// version of the tool may have written its files.
  package var errors: [InputError] { isOfLastCampaign ? [] : problems }
  /// The files that were added, or replaced by a smaller example, sorted by path.
  package private(set) var written: [String] = []

  /// The number of failures that were not kept because they are known or left out.
  package private(set) var leftOutCount = 0

  /// Reads the folder, or creates it.
  package init(path: String, isOfLastCampaign: Bool = false) throws(InputError) {
    self.path = path
    self.isOfLastCampaign = isOfLastCampaign
    let names: [String]
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      names = try FileManager.default.contentsOfDirectory(atPath: path)
    } catch {
      throw InputError(file: path, message: "cannot be used as a folder; choose another")
    }
    for name in names.sorted() where name.hasSuffix(".scenario") && !name.hasPrefix(".") {
      do throws(InputError) {
        kept.append(try RegressionCase(path: file(named: name)))
      } catch {
        problems.append(error)
      }
    }
    kept.sort { ($0.size, $0.path) < ($1.size, $1.path) }
  }

  private func file(named name: String) -> String {
    path.hasSuffix("/") ? path + name : "\(path)/\(name)"
  }

  /// Runs every kept program again, on the whole of the current `design` and with the current
  /// `model` if given. Moves programs that no longer fail, or that the design rules out, to
  /// `stale`.
  ///
  /// Programs with parts that the design lacks stay in place, as do failures that the campaign does
  /// not count. Programs whose kind of failure the campaign leaves out are not run.
  ///
  /// - Complexity: One run of each program, and a few more of each program that still fails.
  package mutating func replay(
    on design: Stack? = nil, model: ObjectModel? = nil, bugs: PlantedBugSet, baseline: Baseline,
    clock: () -> Double? = { nil }
  ) {
    for index in kept.indices {
      let start = clock()
      defer { if let start, let end = clock() { kept[index].seconds = end - start } }
      if baseline.leavesOut(kept[index].kind) {
        kept[index].status = .isLeftOut
        continue
      }
      if let model {
        do { try kept[index].adopt(model) } catch {
          kept[index].status = .isAboutAnotherStack
          continue
        }
      }
      kept[index].status =
        switch kept[index].verdict(on: design, bugs: bugs) {
        case .isAboutAnotherStack: .isAboutAnotherStack
        case .isRuledOut: .isRuledOut(movedTo: moveAside(index))
        case .passes: .passes(movedTo: moveAside(index))
        case .fails(let program):
          status(of: kept[index], showing: program, baseline, onDesign: design != nil)
        }
    }
  }

  /// Returns the status of a kept failure that `program` shows.
  private func status(
    of failure: RegressionCase, showing program: Program, _ baseline: Baseline,
    onDesign isDesigned: Bool
  ) -> RegressionCase.Status {
    let precedent = failure.cause.flatMap {
      baseline.known.precedent(for: failure.kind, $0, of: failure.subject, like: program)
    }
    let standing = baseline.standing(of: failure.kind, failure.group, precedent)
    let isCounted =
      standing != .allowed && !baseline.leavesUncounted(failure.group, onDesign: isDesigned)
    return isCounted ? .fails(standing, precedent: precedent?.path) : .isLeftOut
  }

  /// Keeps failures of a campaign, and records in each failure the file with its example. If a file
  /// already has the failure, a smaller example replaces its example. In a folder of the last
  /// campaign, every new example does.
  package mutating func keep(_ failures: inout [FailureReport]) {
    for index in failures.indices {
      let failure = failures[index]
      guard failure.isReported || isOfLastCampaign && failure.standing == .known else {
        leftOutCount += 1
        continue
      }
      let old = kept.indices.first {
        kept[$0].isFailing && !kept[$0].isFoundAgain && kept[$0].isSameBug(as: failure)
      }
      guard let old else {
        let name = freeName(failure.fileName, in: path)
        let path = file(named: name + ".scenario")
        if write(failure.kept(as: name), to: path) { failures[index].file = path }
        continue
      }
      kept[old].isFoundAgain = true
      let scenario = failure.kept(as: kept[old].scenario.name)
      let (size, oldSize) = (RegressionCase.size(of: scenario), kept[old].size)
      let isSame = Program(scenario) == Program(kept[old].scenario)
      if isSame || isOfLastCampaign || size < oldSize {
        let isKept = scenario == kept[old].scenario || isSame && !isOfLastCampaign
        if isKept || write(scenario, to: kept[old].path) {
          failures[index].file = kept[old].path
        }
      }
    }
    written.sort()
  }

  /// The kept failures that still occur and that the campaign did not find again.
  package var onlyKept: [RegressionCase] { kept.filter { $0.isFailing && !$0.isFoundAgain } }

  // MARK: Files

  private mutating func write(_ scenario: Scenario, to path: String) -> Bool {
    do throws(InputError) {
      try ScenarioFile.write(scenario, to: path)
      written.append(path)
      return true
    } catch {
      problems.append(error)
      return false
    }
  }

  /// Moves a file to `stale`, and returns its new path or nil if the move fails.
  private mutating func moveAside(_ index: Int) -> String? {
    let folder = file(named: "stale")
    let name = kept[index].path.split(separator: "/").last?.dropLast(".scenario".count) ?? ""
    let target = "\(folder)/\(freeName(String(name), in: folder)).scenario"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try FileManager.default.moveItem(atPath: kept[index].path, toPath: target)
      return target
    } catch {
      problems.append(
        InputError(
          file: kept[index].path, message: "is stale, and cannot be moved to \(folder)"))
      return nil
    }
  }

  /// Returns `name` if no file has it, otherwise `name-2` and so on. Existing files are never
  /// overwritten.
  private func freeName(_ name: String, in folder: String) -> String {
    var (free, number) = (name, 1)
    while FileManager.default.fileExists(atPath: "\(folder)/\(free).scenario") {
      number += 1
      free = "\(name)-\(number)"
    }
    return free
  }
}

extension RegressionCase {
  package var isFailing: Bool {
    if case .fails = status { true } else { false }
  }

  /// A Boolean value that indicates whether the program still fails and the failure is not known.
  package var isNew: Bool {
    if case .fails(.new, _) = status { true } else { false }
  }
}
