import Scenario
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// A deadlock in which the program waits on a separate queue, so that the test's own thread stays
/// free.
///
/// Each lane of the cycle signals that it holds its queue, and waits until the other lanes have
/// signalled. Then all lanes wait for each other, regardless of their speed. One wait has a
/// timeout. When it expires, its lane continues, and the other lanes follow.
struct ProgramDeadlock {
  /// A step that waits for a queue of the cycle.
  struct Wait {
    /// The position of the wait in the cycle.
    let number: Int
    /// A Boolean value that indicates whether the step waits for the queue on which it is to run.
    let isForTurn: Bool
    /// A Boolean value that indicates whether the wait has a timeout.
    var isLimited = false
  }

  private(set) var waits: [StepPath: Wait] = [:]

  /// Refuses a deadlock in which a wait belongs to no step, or every wait is inside a call of Core
  /// Data.
  init(_ scenario: Scenario, _ rehearsal: Rehearsal) throws(Refusal) {
    let world = rehearsal.world
    let deadlocks = world.dispatcher.deadlocks
    if world.groupAwaitedInVain != nil {
      throw Refusal(
        "deadlock", "the test cannot know in advance which wait for its group never ends")
    }
    guard deadlocks.count == 1, let links = deadlocks.first?.links, links.count > 1 else {
      throw Refusal(
        "deadlock",
        deadlocks.first?.through == nil
          ? "a queue that waits for itself ends the process"
          : "the main thread waits for a thread that waits for it, without another lane")
    }
    for (number, link) in links.enumerated() {
      let path = try ProgramDeadlock.path(of: link.lane, scenario, rehearsal)
      guard waits[path] == nil else {
        throw Refusal("deadlock", "one step of an observer or entry point waits twice")
      }
      waits[path] = Wait(number: number, isForTurn: world.waitsForTurn(link.lane))
    }
    let main = scenario.stack.contextIDs.first { scenario.stack[$0].isOnMainQueue }
    let mainOwner = main.flatMap { world.dispatcher.owner(of: world.queue(of: $0)) }
    let mainNumber = links.firstIndex { $0.lane == mainOwner }
    let possible = waits.filter(\.value.isForTurn)
    let limited =
      possible.first { $0.value.number == mainNumber }
      ?? possible.min { $0.value.number < $1.value.number }
    guard let limited else {
      throw Refusal("deadlock", "each of its waits is inside a call of Core Data")
    }
    waits[limited.key]?.isLimited = true
    try checkObservers(scenario, rehearsal)
  }

  /// Refuses a waiting step of an observer or entry point that ran before, because such a step is
  /// written only once.
  private func checkObservers(
    _ scenario: Scenario, _ rehearsal: Rehearsal
  ) throws(Refusal) {
    for path in waits.keys where path.author != .program {
      let steps = scenario.steps(by: path.author)
      let hasRun = steps.dropFirst(path.indexes[0]).prefix(1).contains { step in
        step.contains { inner in
          rehearsal.bindings.indices.contains { !rehearsal.answers(to: inner, during: $0).isEmpty }
        }
      }
      if hasRun {
        throw Refusal(
          "deadlock", "the step that waits in an observer or entry point also ran earlier")
      }
    }
  }

  private static func path(
    of lane: LaneID, _ scenario: Scenario, _ rehearsal: Rehearsal
  ) throws(Refusal) -> StepPath {
    let program = scenario.items.map(\.step)
    var blocks = rehearsal.world.blocksInProgress(on: lane)[...]
    var path: StepPath
    var last: AddressedStep?
    if lane == rehearsal.world.driver {
      path = StepPath(indexes: [rehearsal.lastItem])
      last = program[rehearsal.lastItem]
    } else {
      let candidates = program.paths { step in
        guard let first = blocks.first, let block = step.step.block else { return false }
        return step.step.traits.contains(.enqueues) && block == first.steps
      }
      guard candidates.count == 1 else {
        throw Refusal(
          "deadlock",
          blocks.isEmpty
            ? "an automatic merge waits in it, and a program cannot delay that merge"
            : "one of the waiting blocks is not a block of the program")
      }
      path = candidates[0]
    }
    var author = Author.program
    while let block = blocks.popFirst() {
      // The block consists of the `performAndWait` step itself.
      if block.steps.count == 1, block.steps[0] == last { continue }
      if block.author != author {
        author = block.author
        path = StepPath(author: author)
      }
      path.indexes.append(block.index)
      last = block.steps[block.index]
    }
    return path
  }
}

extension Scenario {
  /// Returns the steps of an author.
  fileprivate func steps(by author: Author) -> [AddressedStep] {
    switch author {
    case .observer(let index): stack.observers[index].steps
    case .entryPoint(let entry): stack.entryPoints[entry.index].steps
    default: items.map(\.step)
    }
  }
}

extension TestWriter {
  /// Prepares the export of a deadlock in which the program waits on a separate queue.
  mutating func standStill() throws(Refusal) {
    let programDeadlock = try ProgramDeadlock(scenario, rehearsal)
    let interleaving = try Interleaving(
      scenario, rehearsal.performances, endsInDeadlock: true)
    if interleaving.gateCount > 0,
      programDeadlock.waits.keys.contains(where: { $0.author != .program })
    {
      throw Refusal("deadlock", "a step whose observer waits cannot let other queues continue")
    }
    (self.programDeadlock, self.interleaving) = (programDeadlock, interleaving)
  }

  /// Returns the statements of a step that waits permanently, or nil for other steps. The step
  /// signals that its lane holds a queue, and waits until all other lanes hold theirs.
  mutating func standstillStatements(
    _ step: AddressedStep, place: Place
  ) throws(Refusal) -> [Statement]? {
    guard let programDeadlock, let wait = programDeadlock.waits[path],
      writtenWaits.insert(path).inserted
    else { return nil }
    isPastDeadlock = true
    defer { isPastDeadlock = false }
    var meeting: [Statement] = []
    for _ in 1..<programDeadlock.waits.count {
      meeting.append(.line("held[\(wait.number)].signal()"))
    }
    for other in 0..<programDeadlock.waits.count where other != wait.number {
      meeting.append(.line("held[\(other)].wait()"))
    }
    guard wait.isLimited else {
      let isOutside = wait.isForTurn || place.isIn(step.context)
      if isOutside { return meeting + (try statements(for: [step], place: place)) }
      let inner = try statements(for: step, place: place.inside(step.context))
      return block(of: step.context, meeting + inner)
    }
    return meeting + (try limitedWait(step))
  }

  /// Returns the work that is to run on the queue, and a wait for it with a timeout.
  private mutating func limitedWait(_ step: AddressedStep) throws(Refusal) -> [Statement] {
    let opening: String
    let body: [Statement]
    switch step.step {
    case .sync(let queue, let steps):
      opening = "\(names[queue]).async {"
      body = try statements(for: steps, place: Place(onMain: false))
    case .performAndWait(let steps):
      opening = "\(names[step.context]).perform {"
      body = try statements(for: steps, place: Place(onMain: false, contexts: [step.context]))
    case .call: throw refusal(step, "the entry point does not begin, and it has no queue")
    default:
      opening = "\(names[step.context]).perform {"
      body = try statements(for: step, place: Place(onMain: false, contexts: [step.context]))
    }
    if case .sync = step.step {} else { overdueContexts.insert(step.context) }
    let waited = names.local("waited")
    return [
      .line("let \(waited) = DispatchSemaphore(value: 0)"),
      .block(opening + capture(of: body), body.caught + [.line("\(waited).signal()")]),
      .comment("A wait without a timeout would never end."),
      .line("XCTAssertEqual(\(waited).wait(timeout: .now() + 1), .timedOut)"),
    ]
  }
}
