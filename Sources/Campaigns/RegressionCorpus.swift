import Failures
import Foundation
import Execution
package import InputFiles
import Scenario
import ScenarioChecking
import SimulatedCoreData
package import Vocabulary

/// A folder of failures: one scenario file for each kind with its cause, replayed before anything
/// new is tried.
///
/// It keeps programs and not seeds, so that they stay what they are when generators change. A
/// failure that does not show any more, or whose program the design rules out, is moved to the
/// folder `stale` in it; nothing is deleted, and a file that cannot be read is left where it is.
package struct RegressionCorpus {
  package let path: String
  /// Whether it has what campaigns have shown last: known failures too, and of each the example
  /// that was shown. Otherwise it has what is to be mended, in the smallest examples.
  package let isOfLastCampaign: Bool
  /// What was read, smallest first, then by path.
  package private(set) var kept: [RegressionCase] = []
  /// What is wrong with files of the folder.
  package private(set) var problems: [InputError] = []
  /// Files that were added, or replaced by a smaller example, in the order of their paths.
  package private(set) var written: [String] = []

  /// How many kinds of failure were not kept because they are known, or left out.
  package private(set) var leftOutCount = 0

  /// Reads the folder, or makes it.
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

  /// Runs every file again, on the whole of `design` if there is one, as that is now: what was
  /// mended there fails no more. Moves aside what shows nothing any more. Left alone is what is
  /// about contexts that the design has not, and what the campaign would not count: of a kind that
  /// it leaves out without a run. Costs a run of each, and a few more of those that still fail.
  package mutating func replay(
    on design: Stack? = nil, bugs: PlantedBugSet, baseline: Baseline,
    clock: () -> Double? = { nil }
  ) {
    for index in kept.indices {
      let start = clock()
      defer { if let start, let end = clock() { kept[index].seconds = end - start } }
      if baseline.leavesOut(kept[index].kind) {
        kept[index].status = .isLeftOut
        continue
      }
      guard let program = kept[index].program(on: design) else {
        kept[index].status = .isAboutAnotherStack
        continue
      }
      if kept[index].isRuledOut(program, by: design) {
        kept[index].status = .isRuledOut(movedTo: moveAside(index))
      } else if kept[index].stillFails(program, on: design, bugs: bugs) {
        let failure = kept[index]
        let precedent = failure.cause.flatMap {
          baseline.known.precedent(for: failure.kind, $0, like: program)
        }
        let standing = baseline.standing(of: failure.kind, failure.group, precedent)
        let isCounted =
          standing != .allowed && !baseline.onlyTells(failure.group, onDesign: design != nil)
        kept[index].status =
          isCounted ? .fails(standing, precedent: precedent?.path) : .isLeftOut
      } else {
        kept[index].status = .passes(movedTo: moveAside(index))
      }
    }
  }

  /// Keeps what a campaign found, and says in each failure which file has its example. A file that
  /// has the same failure already is replaced if the new example is smaller.
  package mutating func keep(_ failures: inout [FailureReport]) {
    for index in failures.indices {
      let failure = failures[index]
      guard failure.isNew || isOfLastCampaign && failure.standing == .known else {
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
        let isThere = scenario == kept[old].scenario || isSame && !isOfLastCampaign
        if isThere || write(scenario, to: kept[old].path) {
          failures[index].file = kept[old].path
        }
      }
    }
    written.sort()
  }

  /// Those that still fail, and that the campaign has not shown again.
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

  /// Where it is now; nil if it could not be moved.
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

  /// `name`, or `name-2` and so on if a file has it: whatever is there stays.
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

  /// Whether it fails, and is not known.
  package var isNew: Bool {
    if case .fails(.new, _) = status { true } else { false }
  }
}
