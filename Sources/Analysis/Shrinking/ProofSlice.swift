import Execution
import Failures
import Invariants
import ObjectModel
import Vocabulary

/// The steps of a program that the proof of its failure depends on.
///
/// A slice keeps the steps that the proof names, the saves, and the steps that bring objects into
/// the contexts that use them. Blocks around kept steps stay.
struct ProofSlice {
  /// The extent of a slice. Every slice keeps the steps of the proof, the saves, and the insertions
  /// of all objects that kept steps mention.
  enum Width: Int, CaseIterable {
    /// Also keeps edits of the proof's objects.
    case edits
    /// Also keeps all steps about the proof's objects and related objects, and all steps that move
    /// changes between contexts and stores.
    case moves
    /// Also keeps all steps about objects of the same entities, because a duplicate is a different
    /// object.
    case entities
  }

  private let program: Program
  private let entityTable: EntityTable
  /// The steps that performed the reads, writes, saves and merges of the proof.
  private let provenSteps: Set<AddressedStep>
  /// The indices of the program steps during which the steps of the proof were performed.
  private let places: Set<Int>
  private let names: Set<ObjectName>
  /// The instances that the proof reads or changes.
  private let instances: Set<HeldInstance>
  /// The contexts of a proof that mentions no objects. All steps of these contexts are kept, and
  /// all insertions, because any object may matter.
  private let contexts: Set<ContextID>
  /// Steps without effect, which every slice omits.
  private let wastedSteps: [AddressedStep]
  /// The index of the step that showed the failure, after which a slice has no steps. Nil if only
  /// the end showed it.
  private let failingStep: Int?

  /// Returns nil if the failure has no proof.
  init?(of candidate: Candidate, _ target: FailureSignature) {
    let violation = candidate.outcome.violations.first {
      $0.kind == target.kind && target.admits($0.signature(in: candidate.program.stack))
    }
    guard let violation, !violation.proof.isEmpty || violation.stepNumber > 0 else { return nil }
    (program, entityTable) = (candidate.program, candidate.entities)
    let numbers = Set((violation.proof.map(\.step) + [violation.stepNumber]).filter { $0 > 0 })
    provenSteps = Set(numbers.compactMap(candidate.performedStep))
    places = Set(
      numbers.compactMap(candidate.step(ofPerformed:))
        + [candidate.failingStep].compactMap(\.self))
    var names: [ObjectID: ObjectName] = [:]
    for named in violation.names { names[named.object] = named.name }
    var instances: Set<HeldInstance> = []
    for line in violation.proof {
      guard let context = line.context else { continue }
      var objects: [ObjectID] = []
      line.appendObjects(to: &objects)
      for name in objects.compactMap({ names[$0] }) {
        instances.insert(HeldInstance(context, name))
      }
    }
    for name in names.values {
      if let context = violation.context { instances.insert(HeldInstance(context, name)) }
    }
    (self.names, self.instances) = (Set(names.values), instances)
    contexts =
      names.isEmpty
      ? Set(violation.proof.compactMap(\.context) + [violation.context].compactMap(\.self)) : []
    (wastedSteps, failingStep) = (candidate.wastedSteps, candidate.failingStep)
  }

  /// Returns the kept steps, indexed by step of the program. The element of an omitted step is nil.
  func steps(_ width: Width) -> [AddressedStep?] {
    var filter = Filter(width: width, names: names, mentioned: instances)
    if width != .edits { filter.names.formUnion(relatives(of: names)) }
    if width == .entities {
      let entities = Set(names.compactMap { entityTable[$0] })
      for name in program.usedNames where entityTable[name].map(entities.contains) == true {
        filter.names.insert(name)
      }
    }
    if names.isEmpty { filter.inserted.formUnion(program.usedNames) }
    filter.inserted.formUnion(filter.names)
    // Kept steps may mention further objects, which other steps must introduce.
    while true {
      let steps = pruned(by: filter)
      var next = filter
      for step in steps { step.map { next.noteMentions(in: $0) } }
      if next.mentioned == filter.mentioned { return steps }
      filter = next
    }
  }

  /// The steps that a slice keeps in addition to the steps of the proof.
  private struct Filter {
    let width: Width
    /// The objects whose edits may matter.
    var names: Set<ObjectName>
    /// The instances that kept steps mention and other steps must introduce.
    var mentioned: Set<HeldInstance>
    /// The objects that kept steps mention. Their insertions and relationships are kept, because a
    /// save may need them.
    var inserted: Set<ObjectName> = []

    mutating func noteMentions(in step: AddressedStep) {
      step.visitNames {
        mentioned.insert(HeldInstance(step.context, $0))
        inserted.insert($0)
      }
      if let source = step.step.lookedUp { mentioned.insert(source) }
      for inner in step.step.block ?? [] { noteMentions(in: inner) }
    }

    func includes(_ step: AddressedStep) -> Bool {
      let kind = step.step.kind
      if kind == .insert { return inserted.contains(where: step.uses) }
      if kind.traits.contains(.introduces) {
        return mentioned.contains { $0.context == step.context && step.uses($0.name) }
      }
      if let relation = step.relation, inserted.contains(relation.name) { return true }
      return (width != .edits || kind.traits.contains(.edits)) && names.contains(where: step.uses)
    }
  }

  private func pruned(by filter: Filter) -> [AddressedStep?] {
    // Fetches name no object, so every fetch of an entity may introduce its objects.
    var entities: Set<ContextEntity> = []
    for held in filter.mentioned {
      if let entity = entityTable[held.name] {
        entities.insert(ContextEntity(context: held.context, entity: entity))
      }
    }
    func isKept(_ step: AddressedStep) -> Bool {
      if provenSteps.contains(step) || step.step == .save || step.step == .discard
        || contexts.contains(step.context)
        || filter.width != .edits && step.step.traits.contains(.movesChanges)
      {
        return true
      }
      if case .fetch(let request, as: _) = step.step {
        return entities.contains {
          $0.context == step.context && program.model.entity($0.entity, inherits: request.entity)
        }
      }
      return filter.includes(step)
    }
    func pruned(_ step: AddressedStep, inPlace: Bool) -> AddressedStep? {
      guard let block = step.step.block else {
        // The proof may depend on a step of an entry point, or on the time that a step takes.
        let isPlaced = inPlace && step.step.traits.contains(.arranges)
        return (isPlaced || isKept(step)) && !wastedSteps.contains(step) ? step : nil
      }
      var rest = block.compactMap { pruned($0, inPlace: inPlace) }
      // A call at the end of a block may finish the work of its context.
      if !rest.isEmpty, let last = block.last, last.step.kind == .call, rest.last != last {
        rest.append(last)
      }
      return rest.isEmpty ? nil : AddressedStep(step.context, step.step.withBlock(rest))
    }
    return program.steps.enumerated().map { index, step in
      if let failingStep, index > failingStep { return nil }
      let inPlace = places.contains(index)
      return inPlace && (step.step.block == nil || names.isEmpty)
        ? step : pruned(step, inPlace: inPlace)
    }
  }

  private struct ContextEntity: Hashable {
    let context: ContextID
    let entity: EntityID
  }

  /// Returns the objects that steps relate to the named objects.
  private func relatives(of names: Set<ObjectName>) -> Set<ObjectName> {
    var all: Set<ObjectName> = []
    func visit(_ step: AddressedStep) {
      if let relation = step.relation, names.contains(relation.name) {
        all.formUnion(relation.others.map(\.name))
      }
      for inner in step.step.block ?? [] { visit(inner) }
    }
    for step in program.steps { visit(step) }
    return all
  }
}

extension Step {
  /// The instance by whose ID the step looks up an object. Nil for other steps.
  fileprivate var lookedUp: HeldInstance? {
    switch self {
    case .object(with: let held, as: _), .existingObject(with: let held, as: _),
      .registeredObject(for: let held, as: _), .objectForURI(of: let held, as: _):
      held
    default: nil
    }
  }
}
