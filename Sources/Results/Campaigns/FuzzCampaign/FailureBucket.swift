package import Execution
package import Failures
import PropertyTesting

/// The origin of a failing program.
package struct Origin: Sendable {
  var seed: RunSeed
  var source: ModelSource
  var configuration: RunConfiguration
  var swarm: String
  var wholeSwarm: String
  var slippedFrom: FailureKind?

  package init(
    seed: RunSeed, source: ModelSource, configuration: RunConfiguration, swarm: String = "",
    wholeSwarm: String = ""
  ) {
    self.seed = seed
    self.source = source
    self.configuration = configuration
    self.swarm = swarm
    self.wholeSwarm = wholeSwarm
  }

  func slipping(from kind: FailureKind) -> Origin {
    var result = self
    result.slippedFrom = kind
    return result
  }
}

/// A failure that runs showed, with the smallest failing program.
package struct FailureBucket: Sendable {
  package let failure: FailureSignature
  package var runs: RunSet
  package var program: Program
  private(set) var origin: Origin

  package init(failure: FailureSignature, runs: RunSet, program: Program, origin: Origin) {
    self.failure = failure
    self.runs = runs
    self.program = program
    self.origin = origin
  }

  /// Derives the tables that every run of the program needs from the model.
  mutating func prepareTables() {
    origin.configuration.tables = RunTables(origin.configuration.model)
  }
}
