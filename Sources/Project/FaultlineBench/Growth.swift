import Determinism
import Execution
import Foundation
import ObjectModel
import Reporting
import Scenario
import SimulatedCoreData
import Vocabulary

/// The growth of the time of a step, and of the memory of a world, with one quantity. Everything
/// else stays the same.
struct Curve: Encodable {
  struct Point: Encodable {
    var x: Int
    /// The nanoseconds per step, by sample.
    var time: Figure
    /// The bytes for each unit of `x`, by sample, each measured in a separate process. Nil if the
    /// system does not report memory.
    var memory: Figure?
  }

  var title: String
  /// The quantity that `x` counts. `memoryName` names the bytes per unit.
  var xName: String
  var memoryName: String
  var points: [Point]
}

/// Programs that grow in one direction. Apart from this, the number of stored, registered and
/// changed objects in a step stays the same.
enum Growth: String, CaseIterable {
  /// Contexts side by side, below the first one.
  case contexts
  /// Levels of contexts. Every eighth step is followed by saves up to the store, whose time counts
  /// with the steps.
  case levels
  /// Objects that the program holds, in addition to those that the steps use.
  case objects
  /// Rows of which no context has an instance.
  case rows
  case steps

  static func curves(_ sampling: Sampling, isQuick: Bool) -> [Curve] {
    allCases.map { direction in
      let values = isQuick ? Array(direction.values.prefix(3)) : direction.values
      return Curve(
        title: direction.title, xName: direction.rawValue,
        memoryName: "bytes per \(direction.rawValue.dropLast())",
        points: values.map { direction.point($0, sampling) })
    }
  }

  private var title: String {
    switch self {
    case .contexts: "contexts side by side"
    case .levels: "depth of the tree"
    case .objects: "objects in a context"
    case .rows: "objects in the store"
    case .steps: "length of the run"
    }
  }

  private var values: [Int] {
    switch self {
    case .contexts: [1, 2, 4, 8, 16, 32, 64]
    case .levels: [1, 2, 4, 8, 16]
    case .objects: [10, 100, 1_000, 10_000, 100_000]
    case .rows: [10, 100, 1_000, 10_000, 100_000]
    case .steps: [100, 1_000, 10_000, 100_000, 1_000_000]
    }
  }

  private func point(_ x: Int, _ sampling: Sampling) -> Curve.Point {
    let times = (0..<sampling.count).map { _ in
      var differentialRun = prepared(x)
      var count = 0
      let seconds = Sampling.seconds { count = run(x, &differentialRun) }
      return seconds / Double(count) * 1e9
    }
    let memory = (0..<(anonymousMemory == nil ? 0 : sampling.count)).map { _ in
      Double(Growth.answer(["--memory", rawValue, "\(x)"])) / Double(x)
    }
    return Curve.Point(
      x: x, time: Figure(name: title, unit: "ns", samples: times),
      memory: memory.isEmpty ? nil : Figure(name: title, unit: "bytes", samples: memory))
  }

  /// Returns the number that this program prints when it runs again with `arguments`. A new process
  /// is necessary, because a process reuses memory.
  private static func answer(_ arguments: [String]) -> Int {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    guard (try? process.run()) != nil else { preconditionFailure("this program cannot run itself") }
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0,
      let number = Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
    else { preconditionFailure("\(arguments): exit code \(process.terminationStatus)") }
    return number
  }

  /// Returns the number of bytes by which this process grows for `x` units, or nil if the system
  /// does not report memory. Call this only once in a process.
  func bytes(for x: Int) -> Int? {
    // Exclude tables that are created once. They stay alive, because their memory would otherwise
    // be reused.
    var first = prepared(1)
    _ = run(1, &first)
    defer { withExtendedLifetime(first) {} }
    if self != .steps {
      let before = anonymousMemory
      let differentialRun = prepared(x)
      defer { withExtendedLifetime(differentialRun) {} }
      return Growth.difference(before, anonymousMemory)
    }
    var differentialRun = prepared(x)
    let before = anonymousMemory
    _ = run(x, &differentialRun)
    defer { withExtendedLifetime(differentialRun) {} }
    return Growth.difference(before, anonymousMemory)
  }

  private static func difference(_ before: Int?, _ after: Int?) -> Int? {
    guard let before, let after else { return nil }
    return max(0, after - before)
  }

  // MARK: Programs

  private static let note = EntityID(0)
  private static let title = PropertyID(0)
  private static let liveCount = 20
  private static let stepsOfASample = 2_000

  /// Returns a run with `count` contexts, which form a chain or are all below the first context.
  private static func differentialRun(_ count: Int, isChain: Bool) -> DifferentialRun {
    var text = """
      scenario  growth
      evidence  inferred

      model
        Note
          title  integer?

      stack
        store  main
        c0  privateQueue coordinator store

      """
    for index in 1..<max(1, count) {
      text += "  c\(index)  privateQueue parent c\(isChain ? index - 1 : 0)\n"
    }
    guard
      let scenario = try? ScenarioText.parse(
        text, model: { .failure(UnreadableModel(message: $0)) })
    else { preconditionFailure("a scenario of the benchmark cannot be read:\n\(text)") }
    return DifferentialRun(
      model: scenario.model, stack: scenario.stack, quirks: Profile.current.quirks)
  }

  private static func run(_ step: Step, in context: Int, of differentialRun: inout DifferentialRun)
  {
    // With an empty recording, nothing is left to chance.
    var choices = Choices(replaying: Choices.Recording())
    differentialRun.run(AddressedStep(ContextID(context), step), &choices)
    precondition(
      differentialRun.disagreement == nil, "engine and reference model disagree in a benchmark")
  }

  /// Performs common steps on the objects with the first names, which must exist.
  private static func work(
    _ count: Int, from start: Int = 0, in context: (Int) -> Int,
    of differentialRun: inout DifferentialRun
  ) {
    for number in start..<start + count {
      let (context, name) = (context(number), ObjectName(number / 8 % liveCount))
      let step: Step =
        switch number % 8 {
        case 0: .delete(name)
        case 1: .insert(note, as: name)
        case 7: .save
        case 2, 4, 6: .set(name, title, .integer(Int64(number)))
        default: .get(name, title)
        }
      run(step, in: context, of: &differentialRun)
    }
  }

  private static func prepare(_ context: Int, of differentialRun: inout DifferentialRun) {
    for name in 0..<liveCount {
      run(.insert(note, as: ObjectName(name)), in: context, of: &differentialRun)
    }
    run(.save, in: context, of: &differentialRun)
  }

  /// Saves the ancestors of `context`, so that its changes reach the store.
  private static func saveUpwards(from context: Int, of differentialRun: inout DifferentialRun) {
    for above in (0..<context).reversed() { run(.save, in: above, of: &differentialRun) }
  }

  /// Returns a run in the state before the measured steps.
  private func prepared(_ count: Int) -> DifferentialRun {
    switch self {
    case .contexts, .levels:
      var differentialRun = Growth.differentialRun(count, isChain: self == .levels)
      for context in self == .levels ? [count - 1] : Array(0..<count) {
        Growth.prepare(context, of: &differentialRun)
      }
      if self == .levels { Growth.saveUpwards(from: count - 1, of: &differentialRun) }
      return differentialRun
    case .objects:
      var differentialRun = Growth.differentialRun(1, isChain: false)
      Growth.prepare(0, of: &differentialRun)
      for name in 0..<count {
        Growth.run(
          .insert(Growth.note, as: ObjectName(Growth.liveCount + name)), in: 0, of: &differentialRun
        )
      }
      Growth.run(.save, in: 0, of: &differentialRun)
      return differentialRun
    case .rows:
      var differentialRun = Growth.differentialRun(1, isChain: false)
      let rows = (0..<count).map { [PropertyValue(Growth.title, .integer(Int64($0)))] }
      Growth.run(
        .batch(BatchRequest(entity: Growth.note, kind: .insert(rows))), in: 0, of: &differentialRun)
      Growth.prepare(0, of: &differentialRun)
      return differentialRun
    case .steps:
      var differentialRun = Growth.differentialRun(1, isChain: false)
      Growth.prepare(0, of: &differentialRun)
      return differentialRun
    }
  }

  /// Performs common steps, and returns their number. The number is `count` if steps are the
  /// quantity that grows. Otherwise it is fixed, apart from additional saves.
  private func run(_ count: Int, _ differentialRun: inout DifferentialRun) -> Int {
    switch self {
    case .objects, .rows:
      Growth.work(Growth.stepsOfASample, in: { _ in 0 }, of: &differentialRun)
      return Growth.stepsOfASample
    case .steps:
      Growth.work(count, in: { _ in 0 }, of: &differentialRun)
      return count
    case .contexts:
      var saveCount = 0
      for round in 0..<Growth.stepsOfASample / 8 {
        Growth.work(8, from: round * 8, in: { $0 / 8 % count }, of: &differentialRun)
        // Pass the saved changes on to the store.
        if count > 1 {
          Growth.run(.save, in: 0, of: &differentialRun)
          saveCount += 1
        }
      }
      return Growth.stepsOfASample + saveCount
    case .levels:
      for round in 0..<Growth.stepsOfASample / 8 {
        Growth.work(8, from: round * 8, in: { _ in count - 1 }, of: &differentialRun)
        Growth.saveUpwards(from: count - 1, of: &differentialRun)
      }
      return Growth.stepsOfASample
    }
  }

  /// Performs common steps with many registered objects, and with many rows. Returns the number of
  /// steps.
  static func fixedWork() -> Int {
    var (objects, rows) = (Growth.objects.prepared(1_000), Growth.rows.prepared(10_000))
    return Growth.objects.run(1_000, &objects) + Growth.rows.run(10_000, &rows)
  }
}
