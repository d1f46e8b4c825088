package import Execution
package import Failures
import PropertyTesting
package import Shrinking

/// Where a failing program comes from.
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

/// A failure as runs showed it, with the smallest of them.
package struct Lead: Sendable {
  let failure: FailureSignature
  let runs: RunSet
  package let program: Program
  let origin: Origin

  package init(failure: FailureSignature, runs: RunSet, program: Program, origin: Origin) {
    self.failure = failure
    self.runs = runs
    self.program = program
    self.origin = origin
  }
}

/// Leads to one bug, as far as that can be told before they are shrunk for good.
package struct LeadGroup: Sendable {
  package var best: Lead
  package var runs: RunSet
  /// What a first look at its best lead came to; nil if none was needed.
  package var look: Look?

  /// What is known of a lead that was shrunk in a hurry.
  package struct Look: Sendable {
    var blame: Blame
    var size: ProgramSize

    package init(_ blame: Blame, size: ProgramSize) {
      self.blame = blame
      self.size = size
    }
  }

  package init(_ lead: Lead, look: Look? = nil) {
    best = lead
    runs = lead.runs
    self.look = look
  }

  /// In order of appearance, those of one bug as one, with the smallest of their leads.
  package static func joining(_ all: [LeadGroup]) -> [LeadGroup] {
    var groups: [LeadGroup] = []
    for next in all {
      let known = groups.firstIndex { group in
        guard let look = group.look, let other = next.look else { return false }
        return look.blame.kind == other.blame.kind && look.blame.isSameBug(as: other.blame)
      }
      guard let known else {
        groups.append(next)
        continue
      }
      groups[known].runs.formUnion(next.runs)
      if let look = next.look, let best = groups[known].look, look.size < best.size {
        (groups[known].best, groups[known].look) = (next.best, look)
      }
    }
    return groups
  }
}
