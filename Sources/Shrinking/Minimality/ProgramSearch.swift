import Failures
import Determinism
import Execution
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// All programs over an alphabet and, where lanes may overtake each other, all their schedules:
/// breadth first by number of steps, then by number of preemptions. Programs that lead to the same
/// state are gone on with once.
///
/// Searching costs a copy of a run, a step and a fingerprint for each transition; some 20,000
/// instructions on stacks of three contexts.
struct ProgramSearch: ~Copyable {
  /// Where a search came to.
  struct Result {
    /// The first failing program in the order of the search; of those that are as long as the given
    /// one, the simplest that ends like it.
    var found: Program?
    /// How many different states were gone on with.
    var stateCount = 0
    var transitionCount = 0
    /// All programs of fewer steps than this were seen.
    var completedCost = 0
  }

  private struct Node {
    var differentialRun: DifferentialRun
    /// The last move that led here; nil at the start.
    var move: Int?
    var preemptionCount = 0
    var inserted: [Bool]
    /// How many steps of the program were submitted.
    var submittedCount = 0
    /// No step follows.
    var isEnding = false
    var hasFailed = false
  }

  /// A node under one reference: a copy of it is a copy of a run.
  private final class Kept {
    let node: Node

    init(_ node: consuming Node) { self.node = node }
  }

  private enum Move {
    case submit(Int)
    case choose(Int)
  }

  private let configuration: RunConfiguration
  /// What steps are taken on; its own are not.
  private let start: Program
  /// What failing programs are compared with.
  private let program: Program
  private let target: FailureSignature
  private let alphabet: StepAlphabet
  /// Whether the letters are the steps of the program and come in its order: what is searched are
  /// its schedules.
  private let followsProgram: Bool
  private let budget: Int
  /// Whether the failure may show only once everything has come to rest.
  private let looksAtTheEnd: Bool
  private let tellsHistory: Bool
  private let strayNameCount: Int
  private let unleftEntryCount: Int
  private let repeatedValueCount: Int
  /// Whether failing programs are met in the order of their size.
  private let findsInOrder: Bool

  private var moves: [(parent: Int?, move: Move)] = []
  /// By number of steps, then of preemptions: what is to be gone on with.
  private var frontier: [[[Kept]]] = []
  private var seen: Set<Int> = []
  private var result = Result()
  /// Of what was found, if it is as long as the given program: the simplest of those.
  private var leastSize: ProgramSize?
  /// Of a scheduler that has nothing to choose.
  private var noChoices = Choices(replaying: Choices.Recording())

  /// `program` fails as `target` under `configuration`; programs over its `alphabet` are searched
  /// for one that does, too, in at most `budget` transitions. Without an alphabet all schedules of
  /// `program` are.
  ///
  /// - Parameter start: A program on the stack to search on, if it is not that of `program`.
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

  /// Looks through all programs of at most `limit` steps, until one fails.
  consuming func run(upTo limit: Int) -> Result {
    var differentialRun = DifferentialRun(configuration, start)
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
      // First everything that programs of this size come to, in the order of preemptions.
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
          // Not before: a longer way to the same state may have been found first.
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
      // Then one step more.
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

  /// Tries each runnable lane; true if that ends the search.
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

  /// Each step that may follow; true if that ends the search.
  private mutating func submitAll(after node: Node, cost: Int, _ limit: Int) -> Bool {
    let lastVerb = program.stack == start.stack ? program.steps.last?.step.verb : nil
    let isLast =
      findsInOrder && cost + 1 == program.stepCount && limit == program.stepCount && lastVerb != nil
    if followsProgram {
      guard let letter = alphabet.letters.dropFirst(node.submittedCount).first else { return false }
      return submit(node.submittedCount, letter, after: node, cost: cost, limit)
    }
    for (index, letter) in alphabet.letters.enumerated() where cost + letter.cost <= limit {
      // Nothing shorter fails: what is left to find is the simplest with the same end.
      if isLast, letter.step.step.verb != lastVerb { continue }
      guard canInsert(letter.inserted, after: node.inserted) else { continue }
      if submit(index, letter, after: node, cost: cost, limit) { return true }
      if result.transitionCount >= budget { return false }
    }
    return false
  }

  /// Objects are inserted in the order of their names, those of one entity at least: any other
  /// order is the same program with other names.
  private func canInsert(_ names: [ObjectName], after inserted: [Bool]) -> Bool {
    names.indices.allSatisfy { position in
      func isThere(_ name: ObjectName) -> Bool {
        inserted[name.index] || names[..<position].contains(name)
      }
      let name = names[position]
      let entity = alphabet.entities[name.index]
      return !isThere(name)
        && (0..<name.index).allSatisfy {
          alphabet.entities[$0] != entity || isThere(ObjectName($0))
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

  /// Lets what is not a matter of choice happen, and keeps the node for later unless its state has
  /// been seen; true if that ends the search.
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
      // Nothing that comes later can be smaller.
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
      // A program that has as many steps as are allowed can only come to rest.
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

  /// A failure that is about an object that no step inserts could not be read back, and one behind
  /// a group that the search left out to leave is another failure. Equal values do not say whose
  /// edit a reader sees.
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
  /// Whether a program fails as `target` before its last step is over.
  fileprivate func showsEarly(_ target: FailureSignature, in program: Program) -> Bool {
    var differentialRun = DifferentialRun(self, program)
    var choices = Choices(replaying: Choices.Recording())
    for step in program.steps where !differentialRun.isOver { differentialRun.run(step, &choices) }
    return differentialRun.failed(as: target)
  }
}

extension AddressedStep {
  /// A Boolean value that indicates whether the step, or a step in its block, depends on earlier
  /// saves besides the stored rows.
  fileprivate var asksHistory: Bool { contains { $0.step.traits.contains(.merges) } }

  /// Returns true if the step, or a step in its block, asks for the answer of a request.
  fileprivate var asksForAnswer: Bool {
    contains { inner in
      if case .when(let condition, _) = inner.step { condition.question == .found } else { false }
    }
  }
}
