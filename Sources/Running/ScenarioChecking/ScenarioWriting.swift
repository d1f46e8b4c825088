package import Execution
import ObjectModel
package import Scenario
import SimulatedCoreData
package import Vocabulary

/// Writes a run as a scenario, in which form failures are printed, kept and replayed.
extension Scenario {
  /// Creates a scenario with the transcript of a run and without claims.
  package init(
    _ program: Program, name: String, source: String, profile: Profile, quirks: QuirkSet,
    modelPath: String? = nil, prose: [String] = [], watch: [WatchedEvent] = []
  ) {
    self.init(name: name, evidence: .inferred, model: program.model, stack: program.stack)
    self.prose = prose
    self.source = source
    // A scenario can add quirks to its profile, but not remove any.
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

  /// Replaces the transcript with that of a run. Claims are not changed.
  package mutating func record(quirks: QuirkSet? = nil, bugs: PlantedBugSet = PlantedBugSet()) {
    let run = ScenarioRunner(self, quirks: quirks, bugs: bugs).run()
    for (index, transcript) in run.transcripts.enumerated() {
      items[index].transcript = transcript
    }
  }
}
