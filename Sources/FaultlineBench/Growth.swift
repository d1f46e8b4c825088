import Determinism
import Faultline
import ObjectModel
import Scenario
import SimulatedCoreData
import Vocabulary

/// How a step's time and a world's memory grow with one thing, all else the same.
struct Curve: Encodable {
  struct Point: Encodable {
    var x: Int
    /// Nanoseconds per step, by sample.
    var time: Figure
    /// Bytes; nil where nobody can say.
    var memory: Int?
  }

  var title: String
  /// What x counts, and what the memory is per.
  var xName: String
  var memoryName: String
  var points: [Point]
}

/// Programs that grow in one direction. What is stored, registered and changed by a step stays the same but
/// for that. In a chain of contexts every eighth step is followed by saves all the way up, whose time counts with
/// the steps.
enum Growth {
  static func curves(_ sampling: Sampling, isQuick: Bool) -> [Curve] {
    func reduced(_ values: [Int], _ count: Int) -> [Int] {
      isQuick ? Array(values.prefix(count)) : values
    }
    return [
      curve(
        "contexts side by side", "contexts", "bytes per context",
        reduced([1, 2, 4, 8, 16, 32, 64], 3),
        sampling
      ) { contexts($0, isChain: false) },
      curve(
        "depth of the tree", "levels", "bytes per level", reduced([1, 2, 4, 8, 16], 3), sampling
      ) { contexts($0, isChain: true) },
      curve(
        "objects in a context", "objects", "bytes per object",
        reduced([10, 100, 1_000], 2),
        sampling, registered),
      curve(
        "objects in the store", "objects", "bytes per object",
        reduced([10, 100, 1_000, 10_000, 100_000], 3), sampling, stored),
      curve(
        "length of the run", "steps", "bytes per step",
        reduced([100, 1_000, 10_000, 100_000, 1_000_000], 3), sampling, length),
    ]
  }

  private static func curve(
    _ title: String, _ xName: String, _ memoryName: String, _ values: [Int], _ sampling: Sampling,
    _ measure: (Int) -> (nanoseconds: Double, bytes: Int?)
  ) -> Curve {
    let points = values.map { x in
      let samples = (0..<sampling.count).map { _ in measure(x) }
      return Curve.Point(
        x: x, time: Figure(name: title, unit: "ns", samples: samples.map(\.nanoseconds)),
        memory: samples.compactMap(\.bytes).max().map { max(0, $0) / x })
    }
    return Curve(title: title, xName: xName, memoryName: memoryName, points: points)
  }

  // MARK: Programs

  private static let note = EntityID(0)
  private static let title = PropertyID(0)
  private static let liveCount = 20
  private static let stepsOfASample = 2_000

  /// A session with `count` contexts, each below the one before it or all below the first.
  private static func session(_ count: Int, isChain: Bool) -> Session {
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
    return Session(
      model: scenario.model, stack: scenario.stack, quirks: Profile.current.quirks)
  }

  private static func run(_ step: Step, in context: Int, of session: inout Session) {
    // Nothing is left to chance.
    var choices = Choices(replaying: Choices.Recording())
    session.run(AddressedStep(ContextID(context), step), &choices)
    precondition(session.disagreement == nil, "engine and reference disagree in a benchmark")
  }

  /// Everyday steps on the objects under the first names, which are there; their number is the result.
  private static func work(
    _ count: Int, from start: Int = 0, in context: (Int) -> Int, of session: inout Session
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
      run(step, in: context, of: &session)
    }
  }

  private static func prepare(_ context: Int, of session: inout Session) {
    for name in 0..<liveCount {
      run(.insert(note, as: ObjectName(name)), in: context, of: &session)
    }
    run(.save, in: context, of: &session)
  }

  private static func contexts(_ count: Int, isChain: Bool) -> (Double, Int?) {
    let before = residentMemory
    var session = session(count, isChain: isChain)
    let worker: (Int) -> Int = { isChain ? count - 1 : $0 / 8 % count }
    for context in isChain ? [count - 1] : Array(0..<count) { prepare(context, of: &session) }
    let bytes = grown(since: before)
    var saveCount = 0
    let seconds = Sampling.seconds {
      for round in 0..<stepsOfASample / 8 {
        work(8, from: round * 8, in: worker, of: &session)
        // What was saved goes on, up to the store.
        for above in (0..<(isChain ? count - 1 : 0)).reversed() {
          run(.save, in: above, of: &session)
          saveCount += 1
        }
        if !isChain, count > 1 {
          run(.save, in: 0, of: &session)
          saveCount += 1
        }
      }
    }
    return (seconds / Double(stepsOfASample + (isChain ? 0 : saveCount)) * 1e9, bytes)
  }

  /// So many instances that are held, besides those that the steps are about.
  private static func registered(_ count: Int) -> (Double, Int?) {
    let before = residentMemory
    var session = session(1, isChain: false)
    prepare(0, of: &session)
    for name in 0..<count {
      run(.insert(note, as: ObjectName(liveCount + name)), in: 0, of: &session)
    }
    run(.save, in: 0, of: &session)
    let bytes = grown(since: before)
    let seconds = Sampling.seconds { work(stepsOfASample, in: { _ in 0 }, of: &session) }
    return (seconds / Double(stepsOfASample) * 1e9, bytes)
  }

  /// So many rows, of which no context has an instance.
  private static func stored(_ count: Int) -> (Double, Int?) {
    let before = residentMemory
    var session = session(1, isChain: false)
    let rows = (0..<count).map { [PropertyValue(title, .integer(Int64($0)))] }
    run(.batch(BatchRequest(entity: note, kind: .insert(rows))), in: 0, of: &session)
    prepare(0, of: &session)
    let bytes = grown(since: before)
    let seconds = Sampling.seconds { work(stepsOfASample, in: { _ in 0 }, of: &session) }
    return (seconds / Double(stepsOfASample) * 1e9, bytes)
  }

  /// Everyday steps beside many registered objects, and beside many rows; their number.
  static func fixedWork() -> Int {
    _ = registered(1_000)
    _ = stored(10_000)
    return 2 * stepsOfASample
  }

  private static func length(_ count: Int) -> (Double, Int?) {
    var session = session(1, isChain: false)
    prepare(0, of: &session)
    let before = residentMemory
    let seconds = Sampling.seconds { work(count, in: { _ in 0 }, of: &session) }
    return (seconds / Double(count) * 1e9, grown(since: before))
  }

  private static func grown(since before: Int?) -> Int? {
    guard let before, let now = residentMemory else { return nil }
    return now - before
  }
}
