package import Diagnosis
import Execution
import Failures
import Invariants
import PropertyTesting
package import Shrinking
import Vocabulary

/// A shrunk and diagnosed lead, with the runs of every lead that has the same cause.
package struct DiagnosedLead: Sendable {
  /// The lead with its shrunk program.
  package internal(set) var lead: Lead
  package let blame: Blame
  let size: ProgramSize
  /// The parts of the design and the contexts in which runs showed the finding.
  private(set) var sightings: Sightings
  /// Other failures that shrinking caused.
  var slips: [ProgramShrinker.Slip] = []
  /// Sliced leads of this finding, the shortest first. Each of them may shrink to a smaller
  /// program.
  private(set) var alternatives: [Lead] = []
  /// The time that the diagnosis took, in seconds, or 0 without a clock.
  var seconds = 0.0

  package init(_ lead: Lead, _ blame: Blame, size: ProgramSize) {
    (self.lead, self.blame, self.size) = (lead, blame, size)
    sightings = lead.sightings
  }

  /// The maximum number of alternatives of a finding.
  private static let alternativeLimit = 4

  /// Adds the runs of a sliced lead. Keeps the lead as an alternative if it is among the shortest.
  mutating func join(_ sliced: Lead) {
    lead.runs.formUnion(sliced.runs)
    sightings.add(sliced.sightings)
    let stepCount = sliced.program.stepCount
    let place = alternatives.firstIndex { $0.program.stepCount > stepCount }
    alternatives.insert(sliced, at: place ?? alternatives.count)
    alternatives = Array(alternatives.prefix(DiagnosedLead.alternativeLimit))
  }

  /// Adds the runs of `other`, a lead of the same finding. Takes its program if that program is
  /// more informative or smaller.
  mutating func join(_ other: DiagnosedLead) {
    let (mine, theirs) = (blame.tellingRank, other.blame.tellingRank)
    let tellsMore = mine == theirs ? other.size < size : theirs.lexicographicallyPrecedes(mine)
    var result = tellsMore ? other : self
    result.lead.runs = lead.runs
    result.lead.runs.formUnion(other.lead.runs)
    result.sightings = sightings
    result.sightings.add(other.sightings)
    result.slips = slips + other.slips
    result.alternatives = Array(
      (alternatives + other.alternatives).prefix(DiagnosedLead.alternativeLimit))
    result.seconds = seconds + other.seconds
    self = result
  }
}

extension [DiagnosedLead] {
  /// Adds a lead, or joins it with the finding that has an equal key.
  package mutating func add(_ next: DiagnosedLead) {
    if let known = firstIndex(where: { $0.blame.key == next.blame.key }) {
      self[known].join(next)
    } else {
      append(next)
    }
  }
}

extension Lead {
  fileprivate var sightings: Sightings {
    Sightings(of: failure, in: runs, on: origin.configuration.stack)
  }

  /// The maximum number of runs of a shrink for a diagnosis.
  private static let shrinkBudget = 300

  /// Returns the lead with its program shrunk by `passes`, and the cause of its failure.
  func diagnosed(by passes: [ProgramPass] = ProgramPass.structural) -> DiagnosedLead {
    let (lead, shrunk) = shrunk(by: passes)
    var result = lead.diagnosed(shrunk.outcome)
    result.slips = shrunk.slips
    return result
  }

  /// Returns the lead with the cause of its failure. Does not shrink the program, whose run
  /// produced `outcome`.
  ///
  /// - Parameter scheduleCount: The number of other schedules under which an intervention must
  ///   prevent the failure.
  func diagnosed(_ outcome: Outcome, scheduleCount: Int = 24) -> DiagnosedLead {
    let experiment = Experiment(
      of: failure, in: program, origin.configuration, scheduleCount: scheduleCount)
    let cause = experiment.cause
    let shown = outcome.violations.first {
      $0.kind == failure.kind && failure.admits($0.signature(in: program.stack))
    }
    return DiagnosedLead(
      self,
      Blame(
        FailureIdentity(failure.kind, cause), part: experiment.part(for: cause),
        role: failure.detail?.role, ways: shown?.ways, promise: shown?.promise),
      size: outcome.size)
  }

  /// Returns the lead without the steps that the proof of its failure does not need, and the run of
  /// the sliced program.
  func sliced() -> (lead: Lead, result: ProgramShrinker.Result) {
    let result = ProgramShrinker.slice(program, keeping: failure, origin.configuration)
    var lead = self
    lead.program = result.outcome.program
    return (lead, result)
  }

  /// Returns the lead with its program shrunk by `passes`, and the run of the shrunk program.
  func shrunk(by passes: [ProgramPass]) -> (lead: Lead, result: ProgramShrinker.Result) {
    let result = ProgramShrinker.shrink(
      program, keeping: failure, origin.configuration, budget: Lead.shrinkBudget, passes: passes)
    var lead = self
    lead.program = result.outcome.program
    return (lead, result)
  }
}

extension DiagnosedLead {
  /// Returns the finding with the smallest program that this lead and its alternatives shrink to.
  func withBestAlternative() -> DiagnosedLead {
    var best = self
    for alternative in alternatives where alternative.failure.kind == blame.kind {
      let other = alternative.diagnosed()
      if other.blame.key == blame.key, other.size < best.size { best = other }
    }
    (best.lead.runs, best.slips, best.seconds) = (lead.runs, slips, seconds)
    best.sightings = sightings
    return best
  }

  /// Returns the finding with a simpler program that fails for the same cause, if the passes find
  /// one.
  func polished() -> DiagnosedLead {
    var next = lead.diagnosed(by: ProgramPass.allCases.filter { !$0.isThorough })
    guard next.blame.key == blame.key, next.size < size else { return self }
    next.slips += slips
    (next.seconds, next.sightings) = (seconds, sightings)
    return next
  }
}
