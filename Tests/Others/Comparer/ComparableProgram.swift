import Execution
import ObjectModel
import Vocabulary

/// A program that another implementation can run. It has contexts on one coordinator with one
/// store, and steps in sequence, each of a kind that the adapter has.
struct ComparableProgram {
  private(set) var program: Program
  let quirks: QuirkSet

  /// Returns nil if the model or the stack of the program has features that the line protocol
  /// lacks.
  init?(_ program: Program, quirks: QuirkSet, _ capabilities: Capabilities) {
    guard program.model.isPlain, let stack = program.stack.flat(capabilities) else { return nil }
    self.quirks = quirks
    self.program = program
    let performed = ComparableProgram.performed(program, quirks)
    self.program.stack = stack
    self.program.schedule = []
    self.program.isInterleaved = false
    self.program.steps = performed.compactMap { $0.restricted(to: capabilities) }
    dropIdleSteps()
  }

  /// Drops steps that name a missing instance. No program may perform them, and each implementation
  /// ends differently.
  private mutating func dropIdleSteps() {
    while true {
      let run = ExpectedRun(self, readsRows: false)
      let idle = program.steps.indices.filter { run.isIdle[$0] }
      if idle.isEmpty { return }
      program.steps = program.steps.indices.filter { !run.isIdle[$0] }.map { program.steps[$0] }
    }
  }

  /// Returns the program without the step at `index` and without steps that depend on it.
  func removing(_ index: Int) -> ComparableProgram {
    var result = self
    result.program.steps.remove(at: index)
    result.dropIdleSteps()
    return result
  }

  /// Returns the steps in the order in which they were performed, with blocks taken apart. A turn
  /// of a run loop and the end of a block are `processPendingChanges`.
  private static func performed(_ program: Program, _ quirks: QuirkSet) -> [AddressedStep] {
    var steps: [AddressedStep] = []
    var saves: [Int: MergeSource] = [:]
    var saveCounts: [ContextID: Int] = [:]
    let configuration = RunConfiguration(model: program.model, quirks: quirks)
    _ = ProgramRunner(configuration).play(program) { action, events in
      for case .didSave(let context, _, let number) in events {
        saveCounts[context, default: 0] += 1
        saves[number] = .didSave(context, ordinal: saveCounts[context, default: 0])
      }
      switch action {
      case .step(let step, .whole), .step(let step, .flush):
        if step.step == .tick {
          for context in program.stack.contextIDs where program.stack[context].isOnMainQueue {
            steps.append(AddressedStep(context, .processPendingChanges))
          }
        } else {
          steps.append(step)
        }
      case .merge(let context, let number):
        if let source = saves[number] {
          steps.append(AddressedStep(context, .mergeChanges(source)))
        }
      case .endOfEvent(let context):
        steps.append(AddressedStep(context, .processPendingChanges))
      default: break
      }
    }
    return steps
  }
}

extension ObjectModel {
  /// A Boolean value that indicates whether entities have only features of the line protocol.
  fileprivate var isPlain: Bool {
    entities.allSatisfy { entity in
      entity.uniquenessConstraints.isEmpty && entity.hookActions.isEmpty
        && entity.properties.allSatisfy { property in
          switch property.kind {
          case .attribute(let attribute):
            [.string, .integer16, .integer32, .integer64, .boolean].contains(attribute.type)
              && !attribute.isTransient && attribute.minimum == nil && attribute.maximum == nil
              && attribute.forbidden.isEmpty
          case .relationship(let relationship):
            !relationship.isOrdered && relationship.minimumCount == 0
              && relationship.maximumCount == 0
          }
        }
    }
  }
}

extension Stack {
  /// Returns the same contexts, all on one coordinator with one store. Returns nil if some contexts
  /// are children, or if there are more than the adapter takes.
  fileprivate func flat(_ capabilities: Capabilities) -> Stack? {
    guard contexts.count <= capabilities.contextLimit,
      contextIDs.allSatisfy({ parent(of: $0) == nil }), stores.count == 1, coordinators.count == 1,
      stores[0].entities == nil
    else { return nil }
    var stack = Stack()
    stack.stores = stores
    stack.coordinators = coordinators
    for context in contexts {
      var plain = Context(
        name: context.name, concurrencyType: context.concurrencyType, parent: context.parent)
      // Adapters hold all objects that they have met, and release none.
      plain.retainsRegisteredObjects = true
      plain.mergePolicy =
        capabilities.policies.contains(context.mergePolicy)
        ? context.mergePolicy : capabilities.policies[0]
      stack.contexts.append(plain)
    }
    return stack
  }
}

extension AddressedStep {
  /// Returns the step without parts that the adapter lacks, or nil if nothing is left.
  fileprivate func restricted(to capabilities: Capabilities) -> AddressedStep? {
    guard capabilities.steps.contains(step.kind), step.block == nil else { return nil }
    func isHere(_ instance: HeldInstance) -> Bool { instance.context == context }
    switch step {
    case .relate(_, _, let other):
      return other.map(isHere) ?? true ? self : nil
    case .add(_, _, let other), .remove(_, _, let other): return isHere(other) ? self : nil
    case .replace(_, _, let others): return others.allSatisfy(isHere) ? self : nil
    case .fetch(let request, as: _): return request.plain.map { AddressedStep(context, .fetch($0)) }
    case .count(let request): return request.plain.map { AddressedStep(context, .count($0)) }
    case .mergeChanges(.didSave): return self
    case .mergeChanges: return nil
    default: return self
    }
  }
}

extension FetchRequest {
  /// The request without order and window, because results are compared as sets.
  fileprivate var plain: FetchRequest? {
    guard tree == nil, affectedStores == nil else { return nil }
    var request = FetchRequest(entity: entity)
    request.predicate = predicate
    request.includesPendingChanges = includesPendingChanges
    request.includesSubentities = includesSubentities
    return request
  }
}
