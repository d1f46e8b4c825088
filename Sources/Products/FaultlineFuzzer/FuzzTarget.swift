import Failures
import Campaigns
import Determinism
import Execution
import Foundation
import InputFiles
import Invariants
import Scenario
import ScenarioChecking
import SimulatedCoreData
import Vocabulary

/// An input of libFuzzer, interpreted as a program whose choices are read from bytes. Fewer bytes
/// mean a simpler program, and no bytes mean the empty program.
///
/// Settings come from the environment, because libFuzzer uses the command line itself.
private struct FuzzTarget {
  private let campaign: FuzzCampaign
  private let source: ModelSource
  /// The kind of failure to look for in addition to defects of the engine, or nil for none.
  private let kind: FailureKind?

  /// The maximum length of an input. A longer input finds nothing that several shorter ones could
  /// not.
  private static let byteLimit = 16_384

  init(environment: [String: String]) throws {
    source =
      if let path = environment["FAULTLINE_MODEL"] {
        .file(path: path, try ModelFile.read(path: path))
      } else {
        .generated
      }
    var settings = CampaignSettings(models: [source])
    if let name = environment["FAULTLINE_PROFILE"] {
      guard let profile = Profile(rawValue: name) else {
        throw InputError(
          file: "FAULTLINE_PROFILE",
          message: "'\(name)' is not a profile; write documented, legacy or current")
      }
      settings.profile = profile
    }
    if let name = environment["FAULTLINE_PLANT"] {
      guard let bug = PlantedBug.allCases.first(where: { $0.name == name }) else {
        throw InputError(
          file: "FAULTLINE_PLANT",
          message: "'\(name)' is not a planted bug; 'faultline completion bash' lists all bugs")
      }
      settings.bugs = [bug]
    }
    let name = environment["FAULTLINE_FAILURE"]
    kind = name.flatMap(FailureKind.init)
    if let name, kind?.invariant == nil {
      throw InputError(
        file: "FAULTLINE_FAILURE",
        message: "'\(name)' is not a kind of failure; the README lists all kinds")
    }
    campaign = FuzzCampaign(settings)
  }

  /// Returns the scenario of a failing program as text, or nil if the program does not fail.
  func failure(of bytes: [UInt8]) -> String? {
    var choices = Choices(reading: Array(bytes.prefix(FuzzTarget.byteLimit)))
    let outcome = campaign.run(source, &choices)
    let found = kind.map { outcome.failureKinds.contains($0) } ?? false
    guard outcome.showsDefect || found else { return nil }
    let settings = campaign.settings
    let name =
      (outcome.disagreement?.failureKind ?? (found ? kind : nil)
        ?? .violation(.EveryBlockRuns, at: .program))
      .name
    let scenario = Scenario(
      outcome.program, name: name.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-"),
      source: "libFuzzer", profile: settings.profile, quirks: settings.quirks,
      prose: ["Found by libFuzzer: \(name)."])
    let bugs = settings.bugs.map { ", with the planted bug \($0.name)" }.joined()
    return "faultline: \(name)\(bugs)\n\n" + ScenarioText.print(scenario)
  }
}

private let target: FuzzTarget = {
  do {
    return try FuzzTarget(environment: ProcessInfo.processInfo.environment)
  } catch {
    FileHandle.standardError.write(Data("faultline: \(error)\n".utf8))
    exit(2)
  }
}()

/// The first function that libFuzzer calls. It resets signal handlers, such as those for Swift
/// backtraces. libFuzzer does not replace existing handlers, and would lose the input that led to a
/// signal.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafeMutableRawPointer?, _ words: UnsafeMutableRawPointer?)
  -> Int32
{
  for number in [SIGABRT, SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE] { signal(number, SIG_DFL) }
  _ = target
  return 0
}

/// The function that libFuzzer calls for each input. It writes the failure and aborts, so that
/// libFuzzer keeps the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
  let input = unsafe UnsafeBufferPointer(start: bytes, count: count)
  if let failure = unsafe target.failure(of: Array(input)) {
    FileHandle.standardError.write(Data("\(failure)\n".utf8))
    abort()
  }
  return 0
}
