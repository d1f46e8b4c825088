import Campaigns
import Foundation
import InputFiles
import Prose
import Reporting
import Scenario

/// The destination and the format of a campaign's report, as shared by `fuzz` and `merge`.
struct CampaignOutput {
  private enum Format: String, CaseIterable { case human, brief, json, junit, github, sarif }

  static var formats: [String] { Format.allCases.map(\.rawValue) }

  static let options = ["format", "quiet", "verbose", "output", "html"]

  static let help = """
      --format NAME      human (default); brief, for coding agents: the verdict first, at most
                         \(grouped(BriefReport.characterLimit)) characters; json; junit; sarif; github, which also adds a summary to the
                         file that GITHUB_STEP_SUMMARY names
      -q, --quiet        prints only the table of failures, the commands that replay the examples, and
                         the verdict
      -v, --verbose      prints all failures in full, including known failures, each example as a
                         scenario with the run that it was found in, and the progress of the campaign:
                         steps, marks and abstract states
      --output DIR       also writes each example as a scenario file that is named after its kind of
                         failure, the report as JSON, and the campaign's progress, which --resume and
                         'faultline merge' read; lists the written files
      --html FILE        also writes the report as an HTML page
    """

  private let format: Format
  private let folder: String?
  private let page: String?
  private let detail: HumanReport.Detail

  /// Creates the output folder before the campaign, because results might otherwise be lost.
  ///
  /// - Parameter campaign: The options that name the inputs of the campaign, which must not be
  ///   overwritten.
  init(_ arguments: Arguments, of campaign: Arguments) throws {
    format = try arguments.choice("format", Format.self) ?? .human
    folder = arguments.text("output")
    page = arguments.text("html")
    if arguments.has("quiet"), arguments.has("verbose") {
      throw UsageError(message: "'--quiet' and '--verbose' contradict each other; choose one")
    }
    detail = arguments.has("quiet") ? .quiet : arguments.has("verbose") ? .verbose : .usual
    if let folder {
      do {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      } catch {
        throw InputError(file: folder, message: "cannot create this folder; choose another")
      }
    }
    if let page {
      try TextFile.checkCanWrite(page)
      let inputs = ["model", "stack", "known"].flatMap(campaign.texts)
      let others = ["report.json", CampaignRecord.fileName].map { "\(folder ?? ".")/\($0)" }
      if let path = TextFile.sameFile(as: page, among: inputs + (folder == nil ? [] : others)) {
        throw UsageError(
          message: "'--html \(page)' would overwrite \(path); choose another file")
      }
    }
  }

  /// The number of failures that the output shows in full, or nil if it shows all failures in full.
  /// A brief report shows no certificate and no explanation.
  var shownCount: Int? {
    if folder != nil || page != nil { return nil }
    switch format {
    case .brief: return 0
    case .human where detail == .quiet: return 0
    case .human where detail == .usual: return HumanReport.inFull
    default: return nil
    }
  }

  /// Writes the progress of the campaign into the output folder, if there is one.
  func write(
    _ share: borrowing ShardResult, _ settings: CampaignSettings, _ arguments: Arguments
  ) throws(InputError) {
    guard let folder else { return }
    // A record does not contain all that a guided campaign knows. Remove an older record, so that
    // the campaign is not resumed from it.
    if settings.isGuided {
      try? FileManager.default.removeItem(atPath: "\(folder)/\(CampaignRecord.fileName)")
      return
    }
    let record = CampaignRecord(
      copy share, of: settings,
      options: CampaignRecord.options(of: arguments) + ["--runs=\(settings.runs)"])
    try TextFile.write(record.json, to: "\(folder)/\(CampaignRecord.fileName)")
  }

  /// Writes the report.
  ///
  /// - Parameter progress: The progress, which knows the duration, or nil if no runs were made.
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
    // Write files first, because a reader of the report may close the pipe before its end.
    let written = try folder.map { try write(report, machine, to: $0) } ?? []
    if let page {
      try TextFile.write(
        CampaignPage(report, samples: progress?.samples ?? Samples(), replay: replay).html,
        to: page)
    }
    switch format {
    case .human: print(human.text)
    case .brief: print(BriefReport(human) { place(of: $0, arguments) }.text)
    case .json: print(machine.json())
    case .junit: print(machine.junit())
    case .github:
      print(machine.github())
      try addSummary(machine.markdown())
    case .sarif: print(machine.sarif())
    }
    if let folder {
      // A format for other programs must not contain remarks.
      for line in remarks(about: written, in: folder) {
        format == .human ? print(line) : Tool.note(line)
      }
    }
    if let page { Tool.note("\(page): written") }
    if let progress, progress.secondsOfRuns > 0.1, isatty(STDERR_FILENO) == 1 {
      Tool.note(speed(progress))
    }
  }

  /// Returns the place of a failure. For a known failure, this is the scenario that shows it.
  /// Otherwise, it is the line of the stack or the model that declares the part at fault. Without
  /// such a file, it is the example that was written or kept.
  ///
  /// Viewers show files in a repository, which seldom contains the written scenario.
  private func place(of failure: FailureReport, _ arguments: Arguments) -> SourcePlace? {
    if failure.standing == .known, let path = failure.precedent {
      return SourcePlace(ofScenario: path)
    }
    if let stack = stackFile(arguments) { return SourcePlace(of: failure, inStack: stack) }
    if FileManager.default.fileExists(atPath: failure.model) {
      return SourcePlace(of: failure, inModel: failure.model)
    }
    let written = folder.map { "\($0)/\(failure.example.name).scenario" } ?? failure.file
    return written.map { SourcePlace(ofScenario: $0) }
  }

  /// Returns the file of the stack that `--stack` names, or nil if the option is missing.
  private func stackFile(_ arguments: Arguments) -> String? {
    arguments.text("stack").flatMap(StackOption.file)
  }

  /// Returns a text about the speed of the programs. The report omits the speed, because the report
  /// must be reproducible.
  private func speed(_ progress: Progress) -> String {
    let tenths = Int(progress.secondsOfRuns * 10)
    return
      "the programs ran for \(tenths / 10).\(tenths % 10) s, \(grouped(progress.stepsPerSecond)) steps a second"
  }

  /// Appends a summary for the page of a GitHub Actions run, where other steps of the job may have
  /// written before.
  private func addSummary(_ text: String) throws(InputError) {
    guard let path = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"], !path.isEmpty
    else { return }
    let before = FileManager.default.fileExists(atPath: path) ? try TextFile.read(path: path) : ""
    try TextFile.write(before + text, to: path)
  }

  /// Writes the files, which replace older ones, and returns their names.
  private func write(
    _ report: CampaignReport, _ machine: MachineReport, to folder: String
  ) throws -> [String] {
    var names: [String] = []
    for failure in report.disagreements + report.violations {
      // The file includes its model, so that it can be moved and kept.
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

  /// Returns remarks that distinguish the written files from files of earlier campaigns.
  private func remarks(about written: [String], in folder: String) -> [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let older = all.sorted().filter { $0.hasSuffix(".scenario") && !written.contains($0) }
    return ["written to \(folder): \(written.joined(separator: ", "))"]
      + (older.isEmpty ? [] : ["older files, left unchanged: \(older.joined(separator: ", "))"])
  }
}

extension CampaignReport {
  /// The report with numbers appended to repeated names of examples, such as `deadlock-2`.
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
  /// Returns the options that determine a campaign except for its length, each as one word.
  static func options(of arguments: Arguments) -> [String] {
    let names = ["seed", "guidance"] + CampaignOptions.baselineOptions + CampaignOptions.names
    return arguments.given(names) { "\($0)=\($1)" }
  }
}
