import Campaigns
import Determinism
import Execution
import Failures
import InputFiles
import Invariants
import Scenario
import Shrinking
import TestSupport
import Testing

/// Long generated programs lose most of their steps before any step is deleted on trial.
@Suite struct `A slice by proof` {
  private struct Slice {
    let steps: Int
    let result: ProgramShrinker.Result
    let target: FailureSignature
  }

  /// Returns the slices of all failures with a proof, in long programs of a campaign on `stack`.
  private func slices(on stack: String) throws -> [Slice] {
    let folder = "\(Repository.root)/Fixtures"
    let path = "\(folder)/Models/Note.model"
    var settings = CampaignSettings(models: [.file(path: path, try ModelFile.read(path: path))])
    settings.stack = try StackFile.read(path: "\(folder)/Stacks/\(stack).stack").stack
    settings.runs = 20
    let campaign = FuzzCampaign(settings)
    var slices: [Slice] = []
    for number in 1...settings.runs {
      let (source, seed) = campaign.origin(ofProgram: number)
      var choices = campaign.choices(seed, source)
      let outcome = campaign.run(source, &choices)
      var again = Choices(replaying: choices.recording)
      let configuration = settings.configuration(for: source, &again)
      for target in outcome.failures where outcome.program.steps.count >= 30 {
        guard outcome.violations.contains(where: { $0.kind == target.kind && !$0.proof.isEmpty })
        else { continue }
        let result = ProgramShrinker.shrink(
          outcome.program(showing: target), keeping: target, configuration, passes: [.truncate])
        slices.append(
          Slice(steps: outcome.program.steps.count, result: result, target: target))
      }
    }
    return slices
  }

  /// Without slices, three in five steps stay, which are the steps with an effect before the
  /// failure.
  @Test(arguments: ["private-root-main-workers", "container-with-automatic-merging"])
  func `a slice leaves two fifths of the steps at most, after a few runs`(stack: String) throws {
    let slices = try slices(on: stack)
    #expect(slices.count >= 20)
    for slice in slices { #expect(slice.result.outcome.fails(as: slice.target)) }
    let before = slices.reduce(0) { $0 + $1.steps }
    let after = slices.reduce(0) { $0 + $1.result.outcome.program.steps.count }
    #expect(after * 5 <= before * 2, "\(after) of \(before) steps")
    let runs = slices.reduce(0) { $0 + $1.result.statistics.executions }
    #expect(runs <= 30 * slices.count, "\(runs) runs for \(slices.count) programs")
  }
}
