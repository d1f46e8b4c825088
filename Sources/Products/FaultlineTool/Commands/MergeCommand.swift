import Vocabulary
import Campaigns
import InputFiles
import Prose
import SimulatedCoreData

/// The command `faultline merge`.
enum MergeCommand {
  static let options = CampaignOutput.options + ["failures", "jobs"]

  private static let help = """
    faultline merge DIR… [options]: combines the outputs of a campaign's shards, which were written by
    'faultline fuzz --shard I/N --output DIR'. The report equals the report of a single campaign without
    --shard. Models and stacks are read again from the paths that were given to the shards. If shards are
    missing, merge names them and reports on the others.

    \(CampaignOutput.help)
    \(CampaignOptions.jobsHelp)
      --failures DIR     as in 'faultline fuzz'; the outputs of shards do not include their kept failures

      faultline fuzz --runs 30000 --shard 1/2 --output first
      faultline fuzz --runs 30000 --shard 2/2 --output second
      faultline merge first second --output both --html both/report.html

    Exit codes are those of 'faultline fuzz'. Exit code 2 also if a shard is missing or was stopped early
    and the other shards pass.
    """

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, known: options)
    if arguments.has("help") {
      print(help)
      return 0
    }
    let folders = arguments.positional
    guard !folders.isEmpty else {
      throw UsageError(
        message: "merge takes one or more folders that 'faultline fuzz --output' wrote")
    }
    let records = try folders.map { try CampaignRecord(folder: $0) }
    if let output = arguments.text("output"),
      let input = TextFile.sameFile(as: output, among: folders)
    {
      throw UsageError(
        message:
          "'--output \(output)' would overwrite the shard in \(input); choose another folder")
    }
    for (folder, record) in zip(folders, records).dropFirst()
    where record.options != records[0].options {
      throw InputError(
        file: folder,
        message:
          "has a campaign with other options (\(record.options.joined(separator: " "))) than "
          + "\(folders[0]) (\(records[0].options.joined(separator: " ")))")
    }
    let campaignArguments = try FuzzCommand.arguments(of: records[0], in: folders[0])
    let settings = try FuzzCommand.settings(campaignArguments)
    let crashReport = CrashReport(of: "merge", words)
    crashReport.begin()
    defer { crashReport.end() }
    var campaign = try FuzzCampaign(settings, jobs: CampaignOptions.jobs(arguments))
    campaign.clock = Progress.clock
    let shares = try zip(folders, records).map { folder, record in
      try record.share(of: campaign, "\(folder)/\(CampaignRecord.fileName)")
    }
    let isWhole = try check(shares, folders, settings)
    var whole = ShardResult(.whole, modelCount: settings.models.count)
    for share in shares { whole.merge(share) }

    let baseline = try CampaignOptions.baseline(campaignArguments)
    let output = try CampaignOutput(arguments, of: campaignArguments)
    campaign.certifiedCount = output.shownCount
    // A record says where to continue, so parts that ended at different places have no common
    // record.
    if isWhole { try output.write(whole, settings, campaignArguments) }
    var failures = try CampaignOptions.failures(arguments, of: campaignArguments, settings)
    campaign.keepsExamples = failures != nil
    var report = campaign.report(on: whole, baseline: baseline)
    CampaignOptions.replay(&failures, settings, baseline)
    if let failures { report.keep(in: failures) }
    try output.write(report, campaignArguments, nil)
    let problems = report.failures?.problems ?? []
    for problem in problems.flatMap(\.all) { Tool.note(problem.description) }
    let isComplete = isWhole && report.failures?.errors.isEmpty != false
    return !report.passes ? 1 : isComplete ? 0 : 2
  }

  /// Returns whether the shards are complete, and each of them ran to its end.
  private static func check(
    _ shares: [ShardResult], _ folders: [String], _ settings: CampaignSettings
  ) throws -> Bool {
    let count = shares[0].part.count
    for (index, share) in shares.enumerated() {
      guard share.part.count == count else {
        throw InputError(
          file: folders[index],
          message: "is shard \(share.part.text), but \(folders[0]) is \(shares[0].part.text)")
      }
      if let twin = shares[..<index].firstIndex(where: { $0.part == share.part }) {
        throw InputError(
          file: folders[index],
          message:
            "is shard \(share.part.text), like \(folders[twin]); each shard can be merged only once"
        )
      }
    }
    let missing = Shard.all(count).filter { part in !shares.contains { $0.part == part } }
    if !missing.isEmpty {
      Tool.note(
        "missing, so the report is incomplete: shard \(missing.map(\.text).joined(separator: ", "))"
      )
    }
    let stopped = shares.filter { $0.reach < settings.runs }
    if !stopped.isEmpty {
      Tool.note("stopped early: shard \(stopped.map(\.part.text).joined(separator: ", "))")
    }
    return missing.isEmpty && stopped.isEmpty
  }
}
