import Campaigns
import Foundation
import InputFiles
import Prose
import Reporting
import Scenario

/// Where the report of a campaign goes, and in which format: what `fuzz` and `merge` share.
struct CampaignOutput {
  private enum Format: String, CaseIterable { case human, json, junit, github, sarif }

  static var formats: [String] { Format.allCases.map(\.rawValue) }

  static let options = ["format", "quiet", "verbose", "output", "html"]

  static let help = """
      --format NAME      human (default), json, junit, github, sarif; github also adds a summary to the
                         file that GITHUB_STEP_SUMMARY names
      -q, --quiet        prints the table of failures, the commands that replay the examples, and the
                         verdict
      -v, --verbose      prints all failures in full, known ones too, each example as a scenario, the
                         run that it was found in, and how far the campaign came: steps, marks,
                         abstract states
      --output DIR       also writes each example as a scenario file, named after the kind of
                         failure, the report as JSON, and how far the campaign came, which --resume and
                         'faultline merge' read; says which files it wrote
      --html FILE        also writes the report as a page
    """

  private let format: Format
  private let folder: String?
  private let page: String?
  private let detail: HumanReport.Detail

  /// Makes the folder before the campaign, not after it: otherwise its results might not
  /// be kept. `campaign` are the options that say what it reads, which is not written over.
  init(_ arguments: Arguments, of campaign: Arguments) throws {
    format = try arguments.choice("format", Format.self) ?? .human
    folder = arguments.text("output")
    page = arguments.text("html")
    if arguments.has("quiet"), arguments.has("verbose") {
      throw UsageError(message: "'--quiet' and '--verbose' say the opposite; choose one")
    }
    detail = arguments.has("quiet") ? .quiet : arguments.has("verbose") ? .verbose : .usual
    if let folder {
      do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      } catch {
        throw InputError(file: folder, message: "cannot be made a folder; choose another")
      }
    }
    if let page {
      try TextFile.checkCanWrite(page)
      let inputs = ["model", "stack", "known"].flatMap(campaign.texts)
      let others = ["report.json", CampaignRecord.fileName].map { "\(folder ?? ".")/\($0)" }
      if let path = TextFile.sameFile(as: page, among: inputs + (folder == nil ? [] : others)) {
        throw UsageError(
          message: "'--html \(page)' would be written over \(path); choose another file")
      }
    }
  }

  /// The number of failures that the output shows in full; nil if it shows all of them so.
  var shownCount: Int? {
    if format != .human || folder != nil || page != nil || detail == .verbose { return nil }
    return detail == .quiet ? 0 : HumanReport.inFull
  }

  /// How far the campaign is, if there is a folder for it.
  func write(
    _ share: borrowing ShardResult, _ settings: CampaignSettings, _ arguments: Arguments
  ) throws(InputError) {
    guard let folder else { return }
    // A guided campaign knows more than a record has; and the campaign must not go on with
    // an older one.
    if settings.isGuided {
      try? FileManager.default.removeItem(atPath: "\(folder)/\(CampaignRecord.fileName)")
      return
    }
    let record = CampaignRecord(
      copy share, of: settings,
      options: CampaignRecord.options(of: arguments) + ["--runs=\(settings.runs)"])
    try TextFile.write(record.json, to: "\(folder)/\(CampaignRecord.fileName)")
  }

  /// `progress` knows how fast it went; nil if there was no progress line.
  func write(_ report: CampaignReport, _ arguments: Arguments, _ progress: Progress?) throws {
    let report = report.withNumberedExamples
    let human = HumanReport(
      report, tool: CommandLine.arguments[0], options: CampaignOptions.repeated(arguments),
      detail: detail, style: Style.ofOutput, width: Terminal.width)
    let replay = { human.exampleReplay($0) ?? human.replay($0) }
    let machine = MachineReport(
      report, replay: replay, place: { place(of: $0, arguments) },
      contextPlace: { context in
        stackFile(arguments).flatMap { SourcePlace(ofContext: context, inStack: $0) }
      }, duration: progress?.duration)
    // Files first: a reader of the report may close the pipe before its end.
    let written = try folder.map { try write(report, machine, to: $0) } ?? []
    if let page {
      try TextFile.write(
        CampaignPage(report, samples: progress?.samples ?? Samples(), replay: replay).html,
        to: page)
    }
    switch format {
    case .human: print(human.text)
    case .json: print(machine.json())
    case .junit: print(machine.junit())
    case .github:
      print(machine.github())
      try addSummary(machine.markdown())
    case .sarif: print(machine.sarif())
    }
    if let folder {
      // A format that other programs read has to stay what it is.
      for line in remarks(about: written, in: folder) {
        format == .human ? print(line) : Tool.note(line)
      }
    }
    if let page { Tool.note("\(page): written") }
    if let progress, progress.secondsOfRuns > 0.1, isatty(STDERR_FILENO) == 1 {
      Tool.note(speed(progress))
    }
  }

  /// The scenario by which it is known, or what it was found with: the line of the stack that
  /// declares what is at fault, or of the model that declares what it is about; else the scenario
  /// that was written of it. Tools show what is in a repository, which that scenario seldom is.
  private func place(of failure: FailureReport, _ arguments: Arguments) -> SourcePlace? {
    if failure.standing == .known, let path = failure.precedent {
      return SourcePlace(ofScenario: path)
    }
    if let stack = stackFile(arguments) { return SourcePlace(of: failure, inStack: stack) }
    if FileManager.default.fileExists(atPath: failure.model) {
      return SourcePlace(of: failure, inModel: failure.model)
    }
    return folder.map { SourcePlace(ofScenario: "\($0)/\(failure.example.name).scenario") }
  }

  /// The file that `--stack` names; nil if it names a stack of the checkout, or there is no such
  /// option.
  private func stackFile(_ arguments: Arguments) -> String? {
    arguments.text("stack").flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
  }

  /// Not in the report, which is the same on every machine.
  private func speed(_ progress: Progress) -> String {
    let tenths = Int(progress.secondsOfRuns * 10)
    return
      "the programs ran for \(tenths / 10).\(tenths % 10) s, \(grouped(progress.stepsPerSecond)) steps a second"
  }

  /// For the page of a GitHub Actions run, where other steps of the job may have written before.
  private func addSummary(_ text: String) throws(InputError) {
    guard let path = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"], !path.isEmpty
    else { return }
    let before = FileManager.default.fileExists(atPath: path) ? try TextFile.read(path: path) : ""
    try TextFile.write(before + text, to: path)
  }

  /// The names of the files, each of which takes the place of an older one.
  private func write(
    _ report: CampaignReport, _ machine: MachineReport, to folder: String
  ) throws -> [String] {
    var names: [String] = []
    for failure in report.disagreements + report.violations {
      // Complete in itself, so that it can be moved and kept.
      var example = failure.example
      example.modelPath = nil
      names.append("\(example.name).scenario")
      try ScenarioFile.write(example, to: "\(folder)/\(names[names.count - 1])")
    }
    names.append("report.json")
    try TextFile.write(machine.json() + "\n", to: "\(folder)/report.json")
    if !report.settings.isGuided { names.append(CampaignRecord.fileName) }
    return names
  }

  /// What another campaign left must not be taken for what this one found.
  private func remarks(about written: [String], in folder: String) -> [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let older = all.sorted().filter { $0.hasSuffix(".scenario") && !written.contains($0) }
    return ["written to \(folder): \(written.joined(separator: ", "))"]
      + (older.isEmpty ? [] : ["there before, and left: \(older.joined(separator: ", "))"])
  }
}

extension CampaignReport {
  /// With a number behind the name of each example of a kind but the first: `deadlock-2`.
  fileprivate var withNumberedExamples: CampaignReport {
    var (result, counts) = (self, [String: Int]())
    func number(_ failure: inout FailureReport) {
      let name = failure.example.name
      counts[name, default: 0] += 1
      if let count = counts[name], count > 1 { failure.example.name = "\(name)-\(count)" }
    }
    for index in result.disagreements.indices { number(&result.disagreements[index]) }
    for index in result.violations.indices { number(&result.violations[index]) }
    return result
  }
}

extension CampaignRecord {
  /// Those of a command's options that decide what the campaign is, but for its length; each as one
  /// word.
  static func options(of arguments: Arguments) -> [String] {
    (["seed", "guidance"] + CampaignOptions.baselineOptions + CampaignOptions.names).flatMap {
      name in
      arguments.texts(name).map { "--\(name)=\($0)" }
    }
  }
}
