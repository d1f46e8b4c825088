import Determinism
import PropertyTesting

/// A small state machine for comparing property-testing tools. `Tests/Peers` has the same machine
/// for other tools.
///
/// The machine has 16 integer keys. A child's changes lie over its parent's values. `put`, `get`
/// and `delete` change or read the child. `save` passes its changes to the parent, and `rollback`
/// discards them. A case has 100 operations. After each operation, all keys are compared with a
/// plain dictionary.
enum WorkloadS {
  static let keyCount = 16
  static let operationCount = 100
  static let valueCount = 1_000

  /// Runs the cases of a campaign, and returns the number of their operations.
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

/// A key as narrow as in the other tools, because a dictionary needs more time to hash a wider key.
typealias Key = UInt8

/// The structure under test, which lays a child's changes over its parent's values.
protocol Overlay {
  subscript(key: Key) -> Int? { get }
  mutating func put(_ value: Int, at key: Key)
  mutating func delete(_ key: Key)
  mutating func save()
  mutating func rollback()
  /// Returns whether every key has the value that a plain dictionary gives.
  func agrees(with expected: [Key: Int]) -> Bool
}

private enum Change {
  case none
  case put(Int)
  case delete

  /// Returns the value of a key whose value in the parent is `value`.
  func applied(to value: Int?) -> Int? {
    switch self {
    case .none: value
    case .put(let value): value
    case .delete: nil
    }
  }
}

/// An overlay made of arrays, by an author who knows that there are 16 keys. A comparison iterates
/// over the dictionary once, instead of looking up each key.
struct ArrayOverlay: Overlay {
  private var saved = Array(repeating: Int?.none, count: WorkloadS.keyCount)
  private var changes: [Change] = Array(repeating: .none, count: WorkloadS.keyCount)
  /// A Boolean value that indicates whether a rollback wrongly keeps deletions, a bug that the
  /// comparison must find.
  private let keepsDeletions: Bool

  init(keepsDeletions: Bool = false) { self.keepsDeletions = keepsDeletions }

  subscript(key: Key) -> Int? { changes[Int(key)].applied(to: saved[Int(key)]) }

  mutating func put(_ value: Int, at key: Key) { changes[Int(key)] = .put(value) }
  mutating func delete(_ key: Key) { changes[Int(key)] = .delete }

  mutating func save() {
    for key in changes.indices {
      saved[key] = changes[key].applied(to: saved[key])
      changes[key] = .none
    }
  }

  func agrees(with expected: [Key: Int]) -> Bool {
    for (key, value) in expected where self[key] != value { return false }
    return zip(changes, saved).count { $0.applied(to: $1) != nil } == expected.count
  }

  mutating func rollback() {
    for key in changes.indices {
      if keepsDeletions, case .delete = changes[key] { continue }
      changes[key] = .none
    }
  }
}

/// An overlay made of dictionaries for any keys, as in the other tools. A comparison looks up each
/// key on both sides.
struct DictionaryOverlay: Overlay {
  private var saved: [Key: Int] = [:]
  private var changes: [Key: Change] = [:]

  subscript(key: Key) -> Int? {
    switch changes[key] {
    case nil, .some(.none): saved[key]
    case .put(let value): value
    case .delete: nil
    }
  }

  mutating func put(_ value: Int, at key: Key) { changes[key] = .put(value) }
  mutating func delete(_ key: Key) { changes[key] = .delete }

  mutating func save() {
    for (key, change) in changes {
      if case .put(let value) = change { saved[key] = value } else { saved[key] = nil }
    }
    changes.removeAll(keepingCapacity: true)
  }

  mutating func rollback() { changes.removeAll(keepingCapacity: true) }

  func agrees(with expected: [Key: Int]) -> Bool {
    for key in 0..<Key(WorkloadS.keyCount) where self[key] != expected[key] { return false }
    return true
  }
}

/// An overlay, with plain dictionaries that give the expected values.
private struct Machine<Level: Overlay> {
  private var overlay: Level
  private var expected: [Key: Int] = [:]
  private var expectedSaved: [Key: Int] = [:]
  private var isRightAnswer = true

  init(_ overlay: Level) { self.overlay = overlay }

  /// Performs an operation on both, and returns its answer.
  mutating func step(_ choices: inout Choices) -> Int {
    switch choices.draw(below: 5, from: .workload) {
    case 0:
      let key = key(&choices)
      let answer = overlay[key]
      isRightAnswer = answer == expected[key]
      return answer ?? -1
    case 1:
      let key = key(&choices)
      let value = choices.draw(below: WorkloadS.valueCount, from: .workload)
      overlay.put(value, at: key)
      expected[key] = value
      return value
    case 2:
      let key = key(&choices)
      overlay.delete(key)
      expected[key] = nil
      return Int(key)
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

  private func key(_ choices: inout Choices) -> Key {
    Key(choices.draw(below: WorkloadS.keyCount, from: .workload))
  }

  /// A Boolean value that indicates whether all keys have the expected values.
  var agrees: Bool { isRightAnswer && overlay.agrees(with: expected) }
}
