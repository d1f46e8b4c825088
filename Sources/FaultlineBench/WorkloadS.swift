import Determinism
import PropertyTesting

/// A small state machine by which property-testing tools are compared; `Tests/Peers` has it in
/// theirs.
///
/// 16 integer keys; a child's changes lie over its parent's values. put, get and delete change or
/// ask the child, save gives its changes to the parent, rollback forgets them. 100 operations a
/// case, and after each of them all keys are compared with a plain dictionary.
enum WorkloadS {
  static let keyCount = 16
  static let operationCount = 100
  static let valueCount = 1_000

  /// Cases of a campaign; how many operations they had.
  static func run<Level: Overlay>(_ overlay: Level, cases: Int, seed: UInt64 = 1) -> Int {
    let campaign = campaign(overlay, cases: cases, seed: seed)
    precondition(campaign.findings.isEmpty, "the overlay is not what the dictionary is")
    return campaign.steps
  }

  static func campaign<Level: Overlay>(
    _ overlay: Level, cases: Int, seed: UInt64
  ) -> Campaign<String> {
    Campaign<String>.run(0..<cases, seed: seed) { choices in
      var machine = Machine(overlay)
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

/// What is tested: a child's changes over its parent's values.
protocol Overlay {
  subscript(key: Int) -> Int? { get }
  mutating func put(_ value: Int, at key: Int)
  mutating func delete(_ key: Int)
  mutating func save()
  mutating func rollback()
  /// Whether every key is what a plain dictionary says.
  func agrees(with expected: [Int: Int]) -> Bool
}

private enum Change {
  case none
  case put(Int)
  case delete
}

/// As written by an author who knows that there are 16 keys: in arrays, and the dictionary that
/// it is compared with is walked once and not asked 16 times.
struct ArrayOverlay: Overlay {
  private var saved = Array(repeating: Int?.none, count: WorkloadS.keyCount)
  private var changes: [Change] = Array(repeating: .none, count: WorkloadS.keyCount)
  /// A bug that the comparison has to find: a rollback leaves deletions as they are.
  private let keepsDeletions: Bool

  init(keepsDeletions: Bool = false) { self.keepsDeletions = keepsDeletions }

  subscript(key: Int) -> Int? {
    switch changes[key] {
    case .none: saved[key]
    case .put(let value): value
    case .delete: nil
    }
  }

  mutating func put(_ value: Int, at key: Int) { changes[key] = .put(value) }
  mutating func delete(_ key: Int) { changes[key] = .delete }

  mutating func save() {
    for key in changes.indices {
      switch changes[key] {
      case .none: break
      case .put(let value): saved[key] = value
      case .delete: saved[key] = nil
      }
      changes[key] = .none
    }
  }

  func agrees(with expected: [Int: Int]) -> Bool {
    for (key, value) in expected where self[key] != value { return false }
    var count = 0
    for key in changes.indices where self[key] != nil { count += 1 }
    return count == expected.count
  }

  mutating func rollback() {
    for key in changes.indices {
      if keepsDeletions, case .delete = changes[key] { continue }
      changes[key] = .none
    }
  }
}

/// As written for any keys, and as it is written in the other tools: each key is
/// asked for on both sides.
struct DictionaryOverlay: Overlay {
  private var saved: [Int: Int] = [:]
  private var changes: [Int: Change] = [:]

  subscript(key: Int) -> Int? {
    switch changes[key] {
    case nil, .some(.none): saved[key]
    case .put(let value): value
    case .delete: nil
    }
  }

  mutating func put(_ value: Int, at key: Int) { changes[key] = .put(value) }
  mutating func delete(_ key: Int) { changes[key] = .delete }

  mutating func save() {
    for (key, change) in changes {
      if case .put(let value) = change { saved[key] = value } else { saved[key] = nil }
    }
    changes.removeAll(keepingCapacity: true)
  }

  mutating func rollback() { changes.removeAll(keepingCapacity: true) }

  func agrees(with expected: [Int: Int]) -> Bool {
    for key in 0..<WorkloadS.keyCount where self[key] != expected[key] { return false }
    return true
  }
}

/// An overlay, and beside it the plain dictionaries that say what it should be.
private struct Machine<Level: Overlay> {
  private var overlay: Level
  private var expected: [Int: Int] = [:]
  private var expectedSaved: [Int: Int] = [:]
  private var isRightAnswer = true

  init(_ overlay: Level) { self.overlay = overlay }

  /// One operation on both; what it answered.
  mutating func step(_ choices: inout Choices) -> Int {
    switch choices.draw(below: 5, from: .workload) {
    case 0:
      let key = choices.draw(below: WorkloadS.keyCount, from: .workload)
      let answer = overlay[key]
      isRightAnswer = answer == expected[key]
      return answer ?? -1
    case 1:
      let key = choices.draw(below: WorkloadS.keyCount, from: .workload)
      let value = choices.draw(below: WorkloadS.valueCount, from: .workload)
      overlay.put(value, at: key)
      expected[key] = value
      return value
    case 2:
      let key = choices.draw(below: WorkloadS.keyCount, from: .workload)
      overlay.delete(key)
      expected[key] = nil
      return key
    case 3:
      overlay.save()
      expectedSaved = expected
      return -2
    default:
      overlay.rollback()
      expected = expectedSaved
      return -3
    }
  }

  /// Whether all keys are what the dictionary says.
  var agrees: Bool { isRightAnswer && overlay.agrees(with: expected) }
}
