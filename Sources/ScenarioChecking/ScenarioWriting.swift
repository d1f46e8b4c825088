package import Execution
import ObjectModel
package import Scenario
import SimulatedCoreData
package import Vocabulary

/// A run as a scenario: what a failure is printed, kept and replayed as.
extension Scenario {
  /// Complete but for claims; the transcript is what the run shows.
  package init(
    _ program: Program, name: String, source: String, profile: Profile, quirks: QuirkSet,
    modelPath: String? = nil, prose: [String] = [], watch: [WatchedEvent] = []
  ) {
    self.init(name: name, evidence: .inferred, model: program.model, stack: program.stack)
    self.prose = prose
    self.source = source
    // A profile can be added to, not taken from.
    let isWhole = profile.quirks.quirks.allSatisfy { quirks.contains($0) }
    self.profile = isWhole ? profile : .documented
    self.quirks = quirks.quirks.filter { !isWhole || !profile.quirks.contains($0) }
    self.watch = watch
    self.modelPath = modelPath
    names = program.names
    items = program.steps.map { Item($0) }
    if program.isInterleaved {
      interleave = .choices(program.schedule.map { Int($0) })
    }
    record(quirks: quirks)
  }

  /// Rewrites the transcript with what a run shows. Claims are left alone.
  package mutating func record(quirks: QuirkSet? = nil, bugs: PlantedBugSet = PlantedBugSet()) {
    let run = ScenarioRunner(self, quirks: quirks, bugs: bugs).run()
    for (index, transcript) in run.transcripts.enumerated() {
      items[index].transcript = transcript
    }
  }
}
