import Determinism
import PropertyTesting

/// A small state machine by which property-testing tools are compared; `Tests/Peers` has it in theirs.
///
/// 16 integer keys; a child's changes lie over its parent's values. put, get and delete change or ask the
/// child, save gives its changes to the parent, rollback forgets them. 100 operations a case, and after
/// each of them all keys are compared with a plain dictionary.
enum WorkloadS {
  static let keyCount = 16
  static let operationCount = 100
  static let valueCount = 1_000

  /// Cases of a campaign; how many operations they had.
  static func run(cases: Int, seed: UInt64 = 1, forgetsDeletions: Bool = false) -> Int {
    let campaign = campaign(cases: cases, seed: seed, forgetsDeletions: forgetsDeletions)
    precondition(campaign.findings.isEmpty, "the overlay is not what the dictionary is")
    return campaign.steps
  }

  /// With `forgetsDeletions`, the overlay has a bug that the comparison must find.
  static func campaign(
    cases: Int, seed: UInt64, forgetsDeletions: Bool
  ) -> Campaign<String> {
    Campaign<String>.run(0..<cases, seed: seed) { choices in
      var machine = Machine(forgetsDeletions: forgetsDeletions)
      var digest = Digest()
      for number in 0..<operationCount {
        let start = choices.position(in: .workload)
        let answer = machine.step(&choices)
        choices.closeSpan(from: start, in: .workload)
        digest.feed(answer)
        guard machine.agrees else {
          return Case(digest: digest.value, steps: number + 1, failures: ["another value"])
        }
      }
      return Case(digest: digest.value, steps: operationCount)
    }
  }
}

/// The overlay, and beside it the dictionaries that say what it should be.
private struct Machine {
  private enum Change {
    case none
    case put(Int)
    case delete
  }

  private var saved: [Int?] = Array(repeating: nil, count: WorkloadS.keyCount)
  private var changes: [Change] = Array(repeating: .none, count: WorkloadS.keyCount)
  private let forgetsDeletions: Bool

  private var expected: [Int: Int] = [:]
  private var expectedSaved: [Int: Int] = [:]
  private var isRightAnswer = true

  init(forgetsDeletions: Bool) { self.forgetsDeletions = forgetsDeletions }

  private func value(_ key: Int) -> Int? {
    switch changes[key] {
    case .none: saved[key]
    case .put(let value): value
    case .delete: nil
    }
  }

  /// One operation on both; what it answered.
  mutating func step(_ choices: inout Choices) -> Int {
    switch choices.draw(below: 5, from: .workload) {
    case 0:
      let key = choices.draw(below: WorkloadS.keyCount, from: .workload)
      let answer = value(key)
      isRightAnswer = answer == expected[key]
      return answer ?? -1
    case 1:
      let key = choices.draw(below: WorkloadS.keyCount, from: .workload)
      let value = choices.draw(below: WorkloadS.valueCount, from: .workload)
      changes[key] = .put(value)
      expected[key] = value
      return value
    case 2:
      let key = choices.draw(below: WorkloadS.keyCount, from: .workload)
      changes[key] = .delete
      expected[key] = nil
      return key
    case 3:
      for key in 0..<WorkloadS.keyCount {
        switch changes[key] {
        case .none: break
        case .put(let value): saved[key] = value
        case .delete: if !forgetsDeletions { saved[key] = nil }
        }
        changes[key] = .none
      }
      expectedSaved = expected
      return -2
    default:
      for key in 0..<WorkloadS.keyCount { changes[key] = .none }
      expected = expectedSaved
      return -3
    }
  }

  /// Whether all keys are what the dictionary says: every one that it has, and no other.
  var agrees: Bool {
    var count = 0
    for key in 0..<WorkloadS.keyCount where value(key) != nil { count += 1 }
    guard isRightAnswer, count == expected.count else { return false }
    for (key, value) in expected where self.value(key) != value { return false }
    return true
  }
}
