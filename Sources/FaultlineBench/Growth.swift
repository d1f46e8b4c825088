import Determinism
import Execution
import Foundation
import ObjectModel
import Reporting
import Scenario
import SimulatedCoreData
import Vocabulary

/// How a step's time and a world's memory grow with one thing, all else the same.
struct Curve: Encodable {
  struct Point: Encodable {
    var x: Int
    /// Nanoseconds per step, by sample.
    var time: Figure
    /// Bytes for each of what x counts, by sample, each in a process of its own; nil where the
    /// system does not can say.
    var memory: Figure?
  }

  var title: String
  /// What x counts, and what the memory is per.
  var xName: String
  var memoryName: String
  var points: [Point]
}

/// Programs that grow in one direction. What is stored, registered and changed by a step stays the
/// same but for that.
enum Growth: String, CaseIterable {
  /// Side by side below one.
  case contexts
  /// Every eighth step is followed by saves all the way up, whose time counts with the steps.
  case levels
  /// Held by the program, besides those that the steps are about.
  case objects
  /// No context has an instance of them.
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

  /// What this program says when it is run again with `arguments`: memory that was used before
  /// would be used again.
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

  /// By how many bytes this process grows for `x` of what the direction counts; nil where the
  /// system does not can say. To be asked once in a process.
  func bytes(for x: Int) -> Int? {
    // Tables that are made once do not count; they stay, or their room would be used again.
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

  /// A run with `count` contexts, each below the one before it or all below the first.
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
    // Nothing is left to chance.
    var choices = Choices(replaying: Choices.Recording())
    differentialRun.run(AddressedStep(ContextID(context), step), &choices)
    precondition(
      differentialRun.disagreement == nil, "engine and reference model disagree in a benchmark")
  }

  /// Common steps on the objects under the first names, which are there.
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

  /// Hands on what `context` has saved, up to the store.
  private static func saveUpwards(from context: Int, of differentialRun: inout DifferentialRun) {
    for above in (0..<context).reversed() { run(.save, in: above, of: &differentialRun) }
  }

  /// All that there is before the steps that are measured.
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

  /// Common steps: `count` of them if it is those that are counted, else as many whatever `count`
  /// is. How many they were is returned.
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
        // The saved changes go on, up to the store.
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

  /// Common steps beside many registered objects, and beside many rows; their number.
  static func fixedWork() -> Int {
    var (objects, rows) = (Growth.objects.prepared(1_000), Growth.rows.prepared(10_000))
    return Growth.objects.run(1_000, &objects) + Growth.rows.run(10_000, &rows)
  }
}
