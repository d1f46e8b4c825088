import SimulatedCoreData
import Vocabulary

/// Calls of entry points with promises that are not over. A call is over when all steps of its
/// blocks have run, including blocks that it enqueued. Calls of an entry point that overlap end
/// together. Only calls by programs count.
struct OpenCalls: Hashable {
  /// The calls, as indices of `World.calls`. `failed` are calls in which a save failed.
  private var open: [Int] = []
  private var failed: [Int] = []
  private var knownCount = 0

  /// Forgets all calls, which a kill has ended.
  mutating func forgetAll(in world: World) {
    (open, failed, knownCount) = ([], [], world.calls.count)
  }

  /// Notes new calls, and the failure of a save by an entry point. Returns the new calls.
  mutating func note(_ moment: Moment, in world: World) -> Range<Int> {
    let new = knownCount..<world.calls.count
    open += new.filter {
      !world.stack.entryPoints[world.calls[$0].entryPoint.index].promises.isEmpty
    }
    knownCount = world.calls.count
    if case .entryPoint(let id) = moment.author, moment.hasFailed, moment.action.isSave {
      failed += open.filter { world.calls[$0].entryPoint == id && !failed.contains($0) }
    }
    return new
  }

  /// Calls that are over, as indices of `World.calls`.
  struct Finished {
    /// The calls in which no save failed.
    let succeeded: [Int]
    let failed: [Int]
  }

  /// Removes the calls that are over.
  mutating func takeFinished(in world: World) -> Finished {
    let over = open.filter { !world.isAtWork(.entryPoint(world.calls[$0].entryPoint)) }
    if over.isEmpty { return Finished(succeeded: [], failed: []) }
    let finished = divided(over)
    open.removeAll(where: over.contains)
    failed.removeAll(where: over.contains)
    return finished
  }

  /// Returns the calls that are judged at rest. A call is over then, even if its last block was
  /// lost or it performed no action.
  func finishedAtRest(in world: World) -> Finished {
    divided(open + (knownCount..<world.calls.count))
  }

  private func divided(_ calls: [Int]) -> Finished {
    Finished(
      succeeded: calls.filter { !failed.contains($0) }, failed: calls.filter(failed.contains))
  }
}
