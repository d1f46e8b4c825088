package import Determinism

/// What the embedder reports of one run.
package struct Case<Failure> {
  /// A fingerprint of everything that happened.
  package var digest: UInt64
  package var steps: Int
  package var failures: [Failure]

  package init(digest: UInt64, steps: Int, failures: [Failure] = []) {
    self.digest = digest
    self.steps = steps
    self.failures = failures
  }
}

/// Many runs from one seed, and what came of them.
///
/// Run `index` has the seed `Generator.derive(seed, index)`, whichever thread runs it: a campaign
/// may be cut into shards, and `merge` gives what one process would have given.
package struct Campaign<Failure: IdentifiedFailure> {
  package private(set) var runs = 0
  package private(set) var steps = 0
  /// Changes with any case, and with the order of cases.
  package private(set) var digest: UInt64 = 0
  /// In order of first appearance.
  package private(set) var findings: [Finding<Failure>] = []
  /// By key of a failure: the number of its finding.
  private var numbers = LookupTable<Failure.Key, Int>()

  package init() {}

  /// A campaign that was written down, `findings` in order of first appearance.
  package init(runs: Int, steps: Int, digest: UInt64, findings: [Finding<Failure>]) {
    self.runs = runs
    self.steps = steps
    self.digest = digest
    self.findings = findings
    numberFindings()
  }

  /// Runs the cases `indexes`, and stops early if `shouldStop`, asked before each, says so.
  package static func run(
    _ indexes: Range<Int>, seed: UInt64, shouldStop: (borrowing Campaign) -> Bool = { _ in false },
    runCase: (inout Choices) -> Case<Failure>
  ) -> Campaign {
    var campaign = Campaign()
    // One for all cases: what one has recorded is only needed if it fails.
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

  /// Adds the run of this number. If it has failed, `size` is asked for, and `recording` if that
  /// size makes it the simplest example of something.
  package mutating func collect(
    _ result: Case<Failure>, index: Int, seed: UInt64, size: @autoclosure () -> Int,
    recording: @autoclosure () -> Choices.Recording
  ) {
    runs += 1
    steps += result.steps
    var digest = Digest(seed: UInt64(index))
    digest.feed(result.digest)
    // Added up, the index inside: every order of shards gives one sum, every order of cases its
    // own.
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
