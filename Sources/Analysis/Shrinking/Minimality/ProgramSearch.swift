import Failures
import Determinism
import Execution
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// A search of all programs over an alphabet, including all their schedules if lanes may overtake
/// each other.
///
/// The search is breadth first, by number of steps and then by number of preemptions. From programs
/// that lead to the same state, the search continues only once.
///
/// - Complexity: A copy of a run, a step and a fingerprint for each transition, about 20,000
///   instructions on stacks of three contexts.
struct ProgramSearch: ~Copyable {
  struct Result {
    /// The first failing program in the order of the search. Among programs as long as the given
    /// program, the simplest with the same kind of last step.
    var found: Program?
    /// The number of different states from which the search continued.
    var stateCount = 0
    var transitionCount = 0
    /// The number of steps below which all programs were searched.
    var completedCost = 0
  }

  private struct Node {
    var differentialRun: DifferentialRun
    /// The index of the last move that led to this node. Nil at the start.
    var move: Int?
    var preemptionCount = 0
    var inserted: [Bool]
    /// The number of steps of the program that were submitted.
    var submittedCount = 0
    /// A Boolean value that indicates whether no step follows.
    var isEnding = false
    var hasFailed = false
  }

  /// A node behind a reference, because copying a node copies a run.
  private final class Kept {
    let node: Node

    init(_ node: consuming Node) { self.node = node }
  }

  private enum Move {
    case submit(Int)
    case choose(Int)
  }

  private let configuration: RunConfiguration
  /// The program whose stack the search uses. Its steps are ignored.
  private let start: Program
  /// The program with which failing programs are compared.
  private let program: Program
  private let target: FailureSignature
  private let alphabet: StepAlphabet
  /// A Boolean value that indicates whether the letters are the steps of the program in their
  /// order, so that only schedules are searched.
  private let followsProgram: Bool
  private let budget: Int
  /// A Boolean value that indicates whether the failure may show only at the end of the run.
  private let looksAtTheEnd: Bool
  private let tellsHistory: Bool
  private let strayNameCount: Int
  private let unleftEntryCount: Int
  private let repeatedValueCount: Int
  /// A Boolean value that indicates whether the search finds failing programs in the order of their
  /// size.
  private let findsInOrder: Bool

  private var moves: [(parent: Int?, move: Move)] = []
  /// The nodes from which to continue, indexed by number of steps and then by number of
  /// preemptions.
  private var frontier: [[[Kept]]] = []
  private var seen: Set<Int> = []
  private var result = Result()
  /// The size of the simplest program found that is as long as the given program.
  private var leastSize: ProgramSize?
  /// The choices of a scheduler that has nothing to choose.
  private var noChoices = Choices(replaying: Choices.Recording())

  /// Creates a search for a program over `alphabet` that fails as `target`.
  ///
  /// - Parameters:
  ///   - program: A program that fails as `target` under `configuration`.
  ///   - budget: The maximum number of transitions.
  ///   - alphabet: The steps of programs. If nil, all schedules of `program` are searched.
  ///   - start: A program on the stack to search, if it differs from the stack of `program`.
  init(
    _ program: Program, target: FailureSignature, _ configuration: RunConfiguration, budget: Int,
    over alphabet: StepAlphabet? = nil, from start: Program? = nil
  ) {
    followsProgram = alphabet == nil
    let alphabet = alphabet ?? StepAlphabet(inOrderOf: program)
    self.program = program
    self.start = start ?? program
    self.target = target
    self.alphabet = alphabet
    self.configuration = configuration
    self.budget = budget
    strayNameCount = program.strayNames.count
    unleftEntryCount = program.unleftEntryCount
    repeatedValueCount = program.repeatedValueCount
    looksAtTheEnd =
      program.isInterleaved || self.start.isInterleaved
      || !configuration.showsEarly(target, in: program)
    findsInOrder = !self.start.isInterleaved && alphabet.letters.allSatisfy { $0.cost == 1 }
    tellsHistory =
      !self.start.stack.observers.isEmpty
      || alphabet.letters.contains { $0.step.asksHistory }
      || self.start.stack.entryPoints.contains { $0.steps.contains(where: \.asksHistory) }
      || self.start.stack.contexts.contains(where: \.automaticallyMergesChangesFromParent)
  }

  /// Searches all programs of at most `limit` steps until one of them fails.
  consuming func run(upTo limit: Int) -> Result {
    var differentialRun = DifferentialRun(configuration.judging(target), start)
    let asksForAnswers =
      alphabet.letters.contains { $0.step.asksForAnswer }
      || start.stack.ownSteps.contains(where: \.asksForAnswer)
    if !asksForAnswers { differentialRun.forgetAnswers() }
    let root = Node(
      differentialRun: differentialRun, move: nil,
      inserted: Array(repeating: false, count: start.names.count))
    frontier = Array(repeating: [], count: limit + 1)
    if enter(root, cost: 0, limit) { return result }
    for cost in 0...limit {
      // First reach every state of programs of this size, in the order of preemptions.
      var waiting: [[Kept]] = []
      var preemptions = 0
      while preemptions < frontier[cost].count {
        waiting.append([])
        var position = 0
        while position < frontier[cost][preemptions].count {
          let kept = frontier[cost][preemptions][position]
          if kept.node.hasFailed {
            result.found = program(of: kept.node)
            return result
          }
          position += 1
          // Mark the state only here, because a longer path to it may be found first.
          guard seen.insert(fingerprint(of: kept.node)).inserted else { continue }
          result.stateCount += 1
          if isAtASubmission(kept.node) {
            waiting[preemptions].append(kept)
            if looksAtTheEnd, end(kept.node, cost: cost, limit) { return result }
          } else if choose(after: kept.node, cost: cost, limit) {
            return result
          }
          if result.transitionCount >= budget { return result }
        }
        frontier[cost][preemptions] = []
        preemptions += 1
      }
      result.completedCost = cost + 1
      for kept in waiting.joined() {
        if submitAll(after: kept.node, cost: cost, limit) { return result }
        if result.transitionCount >= budget { break }
      }
      if result.transitionCount >= budget { break }
    }
    return result
  }

  // MARK: Moves

  private func isAtASubmission(_ node: Node) -> Bool {
    !node.isEnding && node.differentialRun.world.isDriverIdle
  }

  /// Runs each runnable lane, and returns true if that ends the search.
  private mutating func choose(after node: Node, cost: Int, _ limit: Int) -> Bool {
    let lanes = node.differentialRun.alternatives
    for (choice, lane) in lanes.enumerated() {
      var child = node
      child.move = note(.choose(choice), after: node)
      if child.differentialRun.isPreemption(lane) { child.preemptionCount += 1 }
      child.differentialRun.go(lane)
      if enter(consume child, cost: cost, limit) { return true }
    }
    return false
  }

  /// Submits each step that may follow, and returns true if that ends the search.
  private mutating func submitAll(after node: Node, cost: Int, _ limit: Int) -> Bool {
    let lastVerb = program.stack == start.stack ? program.steps.last?.step.verb : nil
    let isLast =
      findsInOrder && cost + 1 == program.stepCount && limit == program.stepCount && lastVerb != nil
    if followsProgram {
      guard let letter = alphabet.letters.dropFirst(node.submittedCount).first else { return false }
      return submit(node.submittedCount, letter, after: node, cost: cost, limit)
    }
    for (index, letter) in alphabet.letters.enumerated() where cost + letter.cost <= limit {
      // No shorter program fails, so only simpler programs with the same kind of last step are of
      // interest.
      if isLast, letter.step.step.verb != lastVerb { continue }
      guard canInsert(letter.inserted, after: node.inserted) else { continue }
      if submit(index, letter, after: node, cost: cost, limit) { return true }
      if result.transitionCount >= budget { return false }
    }
    return false
  }

  /// Returns a Boolean value that indicates whether a step may insert `names`. No name may be
  /// inserted yet, and the names of each entity come in order. Any other order is the same program
  /// with other names.
  private func canInsert(_ names: [ObjectName], after inserted: [Bool]) -> Bool {
    names.indices.allSatisfy { position in
      func exists(_ name: ObjectName) -> Bool {
        inserted[name.index] || names[..<position].contains(name)
      }
      let name = names[position]
      let entity = alphabet.entities[name.index]
      return !exists(name)
        && (0..<name.index).allSatisfy {
          alphabet.entities[$0] != entity || exists(ObjectName($0))
        }
    }
  }

  private mutating func submit(
    _ index: Int, _ letter: StepAlphabet.Letter, after node: Node, cost: Int, _ limit: Int
  ) -> Bool {
    var child = node
    child.move = note(.submit(index), after: node)
    for name in letter.inserted { child.inserted[name.index] = true }
    child.submittedCount += 1
    child.differentialRun.begin(letter.step, noChoices)
    return enter(consume child, cost: cost + letter.cost, limit)
  }

  private mutating func end(_ node: Node, cost: Int, _ limit: Int) -> Bool {
    var child = node
    child.isEnding = true
    child.differentialRun.allowTurnsOfEnd()
    return enter(consume child, cost: cost, limit)
  }

  private mutating func note(_ move: Move, after node: Node) -> Int {
    moves.append((node.move, move))
    result.transitionCount += 1
    return moves.count - 1
  }

  /// Runs the node until its next choice or submission, and adds it to the frontier unless it
  /// cannot continue. Returns true if that ends the search.
  private mutating func enter(_ node: consuming Node, cost: Int, _ limit: Int) -> Bool {
    while !node.differentialRun.isOver {
      if !start.isInterleaved {
        node.differentialRun.rest(&noChoices)
        break
      }
      if node.differentialRun.world.isDriverIdle, !node.isEnding { break }
      let lanes = node.differentialRun.alternatives
      if lanes.count > 1 { break }
      if let lane = lanes.first {
        node.differentialRun.go(lane)
      } else if !node.differentialRun.wake() {
        break
      }
    }
    let isOver = node.differentialRun.isOver || node.isEnding && node.differentialRun.isAtRest
    if isOver {
      node.differentialRun.finish(&noChoices)
    }
    node.hasFailed = node.differentialRun.failed(as: target) && isFit(program(of: node))
    if node.hasFailed {
      // No later program can be smaller.
      if findsInOrder {
        let found = program(of: node)
        guard cost < max(limit, program.stepCount) else {
          let size = ProgramSize(found, preemptionCount: 0)
          if leastSize.map({ size < $0 }) ?? true { (result.found, leastSize) = (found, size) }
          return false
        }
        result.found = found
        return true
      }
    } else {
      // A program with the maximum number of steps cannot be continued.
      let isFull = cost == limit && isAtASubmission(node) && !looksAtTheEnd
      if isOver || isFull { return false }
    }
    node.differentialRun.forgetTouched()
    while frontier[cost].count <= node.preemptionCount { frontier[cost].append([]) }
    frontier[cost][node.preemptionCount].append(Kept(node))
    return false
  }

  private func fingerprint(of node: Node) -> Int {
    var hasher = Hasher()
    node.differentialRun.hashState(into: &hasher, for: target, tellsHistory: tellsHistory)
    hasher.combine(node.isEnding)
    hasher.combine(node.inserted)
    if followsProgram { hasher.combine(node.submittedCount) }
    return hasher.finalize()
  }

  /// Returns a Boolean value that indicates whether a failing program is an acceptable example.
  ///
  /// A failure of an object that no step inserts cannot be read back. Waiting for a group that the
  /// program does not leave is a different failure. Equal values do not tell the reader which edit
  /// they see.
  private func isFit(_ found: Program) -> Bool {
    found.strayNames.count <= strayNameCount && found.unleftEntryCount <= unleftEntryCount
      && (target.isAboutEqualValues || found.repeatedValueCount <= repeatedValueCount)
  }

  private func program(of node: Node) -> Program {
    var steps: [AddressedStep] = []
    var schedule: [UInt32] = []
    var next = node.move
    while let number = next {
      switch moves[number].move {
      case .submit(let letter): steps.append(alphabet.letters[letter].step)
      case .choose(let choice): schedule.append(UInt32(choice))
      }
      next = moves[number].parent
    }
    var program = start
    program.steps = steps.reversed()
    program.schedule = schedule.reversed()
    while program.schedule.last == 0 { program.schedule.removeLast() }
    return program
  }
}

extension RunConfiguration {
  /// Returns a Boolean value that indicates whether a program fails as `target` by the end of its
  /// last step, before the end of the run.
  fileprivate func showsEarly(_ target: FailureSignature, in program: Program) -> Bool {
    var differentialRun = DifferentialRun(judging(target), program)
    var choices = Choices(replaying: Choices.Recording())
    for step in program.steps where !differentialRun.isOver { differentialRun.run(step, &choices) }
    return differentialRun.failed(as: target)
  }
}

extension AddressedStep {
  /// A Boolean value that indicates whether the step, or a step in its block, depends on earlier
  /// saves in addition to the stored rows.
  fileprivate var asksHistory: Bool { contains { $0.step.traits.contains(.merges) } }

  /// A Boolean value that indicates whether the step, or a step in its block, depends on the answer
  /// of a request.
  fileprivate var asksForAnswer: Bool {
    contains { inner in
      if case .when(let condition, _) = inner.step { condition.question == .found } else { false }
    }
  }
}
