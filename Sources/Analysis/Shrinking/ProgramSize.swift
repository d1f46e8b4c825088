package import Execution
import ObjectModel
import Vocabulary

/// The effort of reading a failing program. The smaller of two programs is the better example.
///
/// The number of steps counts first, then the number of preemptions, the number of parts, and
/// finally the simplicity of the steps and the stack. A program is *normal* if no pass can shrink
/// it.
package struct ProgramSize: Hashable, Comparable, Sendable {
  /// The number of steps, including the steps of observers and entry points. A block counts as one
  /// step, and so does each step in it.
  package let stepCount: Int
  package let preemptionCount: Int
  /// The number of objects and of parts of the stack. Observers, controllers, promises and unusual
  /// settings count twice, because readers overlook them.
  package let partCount: Int
  /// The program as numbers that compare from left to right.
  package let words: [Int]

  package init(_ program: Program, preemptionCount: Int) {
    (stepCount, self.preemptionCount, partCount) =
      (program.countedStepCount, preemptionCount, program.partCount)
    words = program.words
  }

  /// Returns a Boolean value that indicates whether `program` would be smaller if it had no
  /// preemptions.
  ///
  /// - Complexity: Parts and words are counted only if the number of steps does not decide.
  func isGreater(than program: Program) -> Bool {
    let steps = program.countedStepCount
    if steps != stepCount { return steps < stepCount }
    if preemptionCount > 0 { return true }
    let parts = program.partCount
    if parts != partCount { return parts < partCount }
    return program.words.lexicographicallyPrecedes(words)
  }

  package static func < (a: ProgramSize, b: ProgramSize) -> Bool {
    let (left, right) = (
      (a.stepCount, a.preemptionCount, a.partCount), (b.stepCount, b.preemptionCount, b.partCount)
    )
    return left == right ? a.words.lexicographicallyPrecedes(b.words) : left < right
  }
}

extension Program {
  /// The steps of the program, then those of observers and entry points.
  fileprivate var countedSteps: [AddressedStep] {
    steps + stack.observers.flatMap(\.steps) + stack.entryPoints.flatMap(\.steps)
  }

  fileprivate var countedStepCount: Int { countedSteps.reduce(0) { $0 + $1.stepCount } }

  fileprivate var partCount: Int {
    usedNames.count + stack.partCount + (isInterleaved ? 1 : 0)
  }

  fileprivate var words: [Int] {
    let countedSteps = countedSteps
    var words = [countedSteps.reduce(0) { $0 + $1.rankSum }]
    for step in countedSteps { step.appendWords(to: &words) }
    words.append(schedule.count { $0 != 0 })
    words += schedule.map { Int($0) }
    return words + stack.words
  }
}

extension Stack {
  fileprivate var partCount: Int {
    let settings =
      contexts.reduce(0) { $0 + $1.unusualSettingCount }
      + stores.count { $0.isInMemory } + stores.count { $0.entities != nil }
      + (timing == Timing() ? 0 : 1)
    return contexts.count + stores.count + coordinators.count + queues.count + flags.count
      + groups.count + idSets.count
      + entryPoints.count + 2
      * (observers.count + controllers.count + promiseTexts.count + settings)
  }

  /// Numbers that compare stacks by simplicity. Private queues, few roots and flat trees are
  /// simpler.
  fileprivate var words: [Int] {
    contexts.flatMap { context in
      let parent =
        switch context.parent {
        case .context(let parent): parent.index
        case .coordinator(let coordinator): contexts.count + coordinator.index
        }
      return [
        context.concurrencyType.simplicity, parent,
        MergePolicy.allCases.firstIndex(of: context.mergePolicy) ?? 0,
      ] + Context.settings.map { context[keyPath: $0.0] == $0.usual ? 0 : 1 }
    } + observers.flatMap { [$0.notification.simplicity, $0.context.index] }
      + controllers.flatMap { controller in
        let request = controller.request
        return [controller.context.index, controller.sectionProperty == nil ? 0 : 1]
          + request.words
      }
  }
}

extension Stack.ConcurrencyType {
  /// The rank of the concurrency type. A private queue is simpler than the shared main queue, and
  /// any queue is simpler than a thread.
  var simplicity: Int {
    switch self {
    case .privateQueue: 0
    case .mainQueue: 1
    case .confinement: 2
    }
  }
}

extension Stack.NotificationName {
  /// Notification names, most commonly observed first.
  static let simplestFirst: [Self] = [
    .didSave, .contextWillSave, .objectsDidChange, .didSaveObjectIDs,
  ]

  fileprivate var simplicity: Int { Self.simplestFirst.firstIndex(of: self) ?? Self.allCases.count }
}

extension Stack.Context {
  /// The settings of a context except its merge policy, each with its usual value.
  static var settings: [(WritableKeyPath<Stack.Context, Bool>, usual: Bool)] {
    [
      (\.automaticallyMergesChangesFromParent, false), (\.hasUndoManager, false),
      (\.hasZeroStaleness, false), (\.shouldDeleteInaccessibleFaults, true),
      (\.retainsRegisteredObjects, false), (\.propagatesDeletesAtEndOfEvent, true),
      (\.isDiscardable, false), (\.isHidden, false),
      (\.isReadOnly, false),
    ]
  }

  var unusualSettingCount: Int {
    (mergePolicy == .error ? 0 : 1)
      + Stack.Context.settings.count { self[keyPath: $0.0] != $0.usual }
  }
}

extension Outcome {
  package var size: ProgramSize { ProgramSize(program.tidied, preemptionCount: preemptionCount) }
}
