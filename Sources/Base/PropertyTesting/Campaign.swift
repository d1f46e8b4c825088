package import Determinism

/// The outcome of one run, as the property reports it.
package struct Case<Failure> {
  /// A fingerprint of everything that happened in the run.
  package var digest: UInt64
  package var steps: Int
  package var failures: [Failure]

  package init(digest: UInt64, steps: Int, failures: [Failure] = []) {
    self.digest = digest
    self.steps = steps
    self.failures = failures
  }
}

/// The accumulated results of many runs from one seed.
///
/// The run numbered `index` has the seed `Generator.derive(seed, index)`, on any thread. A campaign
/// may therefore be divided into shards. Merging all shards gives the result of a single process.
package struct Campaign<Failure: IdentifiedFailure> {
  package private(set) var runs = 0
  package private(set) var steps = 0
  /// A fingerprint of all cases and their numbers, which changes if any case changes or if two
  /// different cases are exchanged.
  package private(set) var digest: UInt64 = 0
  /// The findings, in order of first appearance.
  package private(set) var findings: [Finding<Failure>] = []
  /// The index of each finding in `findings`, by the key of its failure.
  private var numbers = LookupTable<Failure.Key, Int>()

  package init() {}

  /// Creates a campaign from stored results. `findings` must be in order of first appearance.
  package init(runs: Int, steps: Int, digest: UInt64, findings: [Finding<Failure>]) {
    self.runs = runs
    self.steps = steps
    self.digest = digest
    self.findings = findings
    numberFindings()
  }

  /// Runs the cases `indexes`. Stops early if `shouldStop`, which is called before each case,
  /// returns true.
  package static func run(
    _ indexes: Range<Int>, seed: UInt64, shouldStop: (borrowing Campaign) -> Bool = { _ in false },
    runCase: (inout Choices) -> Case<Failure>
  ) -> Campaign {
    var campaign = Campaign()
    // All cases share one buffer, because the recording of a case is needed only if the case fails.
    var choices = Choices(seed: seed)
    for index in indexes {
      if shouldStop(campaign) { break }
      let seed = Generator.derive(seed, UInt64(index))
      choices.restart(seed: seed)
      let result = runCase(&choices)
      campaign.collect(
        result, index: index, seed: seed, size: choices.size, recording: choices.recording)
    }
    return campaign
  }

  /// Adds the run with the given number.
  ///
  /// If the run failed, evaluates `size`. Evaluates `recording` only if that size makes the run the
  /// simplest example of a finding.
  package mutating func collect(
    _ result: Case<Failure>, index: Int, seed: UInt64, size: @autoclosure () -> Int,
    recording: @autoclosure () -> Choices.Recording
  ) {
    runs += 1
    steps += result.steps
    var digest = Digest(seed: UInt64(index))
    digest.feed(result.digest)
    // Each digest includes the index of its case. The sum is thus independent of the order of
    // shards but not of the order of cases.
    self.digest &+= digest.value
    if result.failures.isEmpty { return }
    let size = size()
    var made: Choices.Recording?
    for (position, failure) in result.failures.enumerated() {
      if let known = numbers[failure.key], !findings[known].isLarger(than: size, index) {
        findings[known].count(index: index, position: position, seed: seed)
        continue
      }
      let recording = made ?? recording()
      made = recording
      insert(
        Finding(
          identity: failure.identity, count: 1, firstIndex: index, firstPosition: position,
          firstSeed: seed,
          example: Example(index: index, seed: seed, recording: recording, failure: failure)))
    }
  }

  /// Adds the runs of another part of the same campaign.
  package mutating func merge(_ other: Campaign) {
    runs += other.runs
    steps += other.steps
    digest &+= other.digest
    for finding in other.findings { insert(finding) }
    findings.sort { ($0.firstIndex, $0.firstPosition) < ($1.firstIndex, $1.firstPosition) }
    numberFindings()
  }

  private mutating func numberFindings() {
    for index in findings.indices { numbers[findings[index].example.failure.key] = index }
  }

  private mutating func insert(_ finding: Finding<Failure>) {
    let key = finding.example.failure.key
    if let known = numbers[key] {
      findings[known].merge(finding)
    } else {
      numbers[key] = findings.count
      findings.append(finding)
    }
  }
}

extension Campaign: Sendable where Failure: Sendable, Failure.Key: Sendable {}
