import SimulatedCoreData
import Vocabulary

/// Makes a failing program smaller, step by step, as long as it fails in the same way.
///
/// Works on what people read: it leaves out steps, blocks, contexts and settings. Every candidate is
/// run; a step whose object is gone by then comes to nothing and is left out next.
package struct ProgramShrinker {
  private let runner: ProgramRunner
  private let fails: (Outcome) -> Bool
  /// How many runs may still be spent. Counted, not timed: the result depends on no machine.
  private var budget: Int

  package private(set) var runCount = 0

  package init(_ runner: ProgramRunner, budget: Int = 2_000, fails: @escaping (Outcome) -> Bool) {
    self.runner = runner
    self.budget = budget
    self.fails = fails
  }

  /// The smallest failing program that was found; `program` itself fails.
  package mutating func shrink(_ program: Program) -> Outcome {
    var best = runner.run(program)
    precondition(fails(best), "the program to shrink does not fail when it is run again")
    best = attempt(best) { $0.inlineEntryPoints() }
    best = attempt(best) { $0.isInterleaved = false }
    var size: Int
    repeat {
      size = measure(best.program)
      best = cutAfterFailure(best)
      best = deleteSteps(best)
      best = simplifyBlocks(best)
      best = simplifyStack(best)
      best = dropContexts(best)
      best = zeroSchedule(best)
    } while measure(best.program) < size && budget > 0
    return runner.run(withoutUnusedNames(best.program))
  }

  /// Runs `best` with a change; keeps the change if it still fails.
  private mutating func attempt(_ best: Outcome, _ change: (inout Program) -> Void) -> Outcome {
    guard budget > 0 else { return best }
    var candidate = best.program
    change(&candidate)
    // A step about an object that nothing inserts could not be read back.
    guard candidate != best.program,
      candidate.strayNames.count <= best.program.strayNames.count
    else { return best }
    budget -= 1
    runCount += 1
    let outcome = runner.run(candidate)
    return fails(outcome) ? outcome : best
  }

  /// The settings of a context besides its policy, and what most contexts have.
  private static var settings: [(WritableKeyPath<Stack.Context, Bool>, usual: Bool)] {
    [
      (\.automaticallyMergesChangesFromParent, false), (\.hasUndoManager, false),
      (\.hasZeroStaleness, false), (\.shouldDeleteInaccessibleFaults, true),
      (\.retainsRegisteredObjects, false), (\.propagatesDeletesAtEndOfEvent, true),
      (\.isDiscardable, false), (\.isHidden, false),
    ]
  }

  private func measure(_ program: Program) -> Int {
    let contexts = program.stack.contexts
    let settings =
      contexts.count { $0.mergePolicy != .error }
      + ProgramShrinker.settings.reduce(0) { sum, setting in
        sum + contexts.count { $0[keyPath: setting.0] != setting.usual }
      } + program.stack.stores.count { $0.isInMemory || $0.entities != nil }
    return program.steps.reduce(0) { $0 + size(of: $1.step) } * 16
      + program.stack.contexts.count * 4 + program.stack.observers.count * 4
      + program.stack.controllers.count * 4 + program.stack.queues.count * 4 + settings
      + (program.stack.timing == Stack.Timing() ? 0 : 1)
      + program.schedule.count { $0 != 0 }
  }

  private func size(of step: Step) -> Int {
    1 + (step.block ?? []).reduce(0) { $0 + size(of: $1.step) }
  }

  // MARK: Passes

  /// What comes after the failing step, at once: halves first.
  private mutating func cutAfterFailure(_ best: Outcome) -> Outcome {
    var best = best
    var cut = best.program.steps.count / 2
    while cut > 0 {
      let kept = best.program.steps.count - cut
      let shorter = attempt(best) { $0.steps = Array($0.steps.prefix(max(1, kept))) }
      if shorter.program.steps.count == best.program.steps.count {
        cut /= 2
      } else {
        best = shorter
      }
      cut = min(cut, best.program.steps.count - 1)
    }
    return best
  }

  /// Runs of 8, 4, 2, 1 steps, from the end: late steps depend on early ones.
  private mutating func deleteSteps(_ best: Outcome) -> Outcome {
    var best = best
    for length in [8, 4, 2, 1] {
      var end = best.program.steps.count
      while end >= length, end > 0 {
        let start = end - length
        let shorter = attempt(best) { $0.steps.removeSubrange(start..<end) }
        end =
          shorter.program.steps.count < best.program.steps.count
          ? min(start, shorter.program.steps.count) : end - 1
        best = shorter
      }
    }
    return best
  }

  /// Blocks lose steps, or are replaced by their steps.
  private mutating func simplifyBlocks(_ best: Outcome) -> Outcome {
    var best = best
    var index = 0
    while index < best.program.steps.count {
      let step = best.program.steps[index]
      if let inner = step.step.block {
        let before = best
        best = attempt(best) { $0.steps.replaceSubrange(index...index, with: inner) }
        if best.program == before.program {
          for position in inner.indices.reversed() {
            best = attempt(best) { program in
              guard var steps = program.steps[index].step.block, steps.count > 1,
                position < steps.count
              else { return }
              steps.remove(at: position)
              program.steps[index].step = program.steps[index].step.withBlock(steps)
            }
          }
        }
      }
      index += 1
    }
    return best
  }

  private mutating func simplifyStack(_ best: Outcome) -> Outcome {
    var best = best
    for index in best.program.stack.observers.indices.reversed() {
      best = attempt(best) { $0.stack.observers.remove(at: index) }
    }
    if !best.program.stack.controllers.isEmpty {
      best = attempt(best) { $0.removeControllers() }
    }
    for index in best.program.stack.contexts.indices {
      best = attempt(best) { $0.stack.contexts[index].mergePolicy = .error }
      for (setting, usual) in ProgramShrinker.settings {
        best = attempt(best) { $0.stack.contexts[index][keyPath: setting] = usual }
      }
    }
    best = attempt(best) { $0.removeUnusedQueues() }
    best = attempt(best) { $0.stack.timing = Stack.Timing() }
    for index in best.program.stack.stores.indices {
      best = attempt(best) { $0.stack.stores[index].isInMemory = false }
      best = attempt(best) { $0.stack.stores[index].entities = nil }
    }
    return best
  }

  /// A context goes with all its steps; its children move up to its parent.
  private mutating func dropContexts(_ best: Outcome) -> Outcome {
    var best = best
    var index = best.program.stack.contexts.count - 1
    while index >= 0, best.program.stack.contexts.count > 1 {
      best = attempt(best) { $0.removeContext(ContextID(index)) }
      index = min(index - 1, best.program.stack.contexts.count - 1)
    }
    return best
  }

  private mutating func zeroSchedule(_ best: Outcome) -> Outcome {
    var best = best
    for index in best.program.schedule.indices.reversed()
    where index < best.program.schedule.count && best.program.schedule[index] != 0 {
      best = attempt(best) { $0.schedule[index] = 0 }
    }
    while best.program.schedule.last == 0 { best.program.schedule.removeLast() }
    return best
  }

  private func withoutUnusedNames(_ program: Program) -> Program {
    var used: [ObjectName] = []
    for step in program.steps { step.visitNames { if !used.contains($0) { used.append($0) } } }
    used.sort()
    var result = program
    result.names = used.map { program.names[$0.index] }
    result.steps = program.steps.map { step in
      step.mapNames { name in used.firstIndex(of: name).map { ObjectName($0) } ?? name }
    }
    return result
  }
}
