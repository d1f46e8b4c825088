import Execution
import Failures
import Invariants
import ObjectModel
import Vocabulary

/// The steps of a program that the proof of its failure rests on.
///
/// A slice keeps the steps that the proof names, the saves, and whatever brings the objects of kept
/// steps into the contexts that use them. Blocks around kept steps stay.
struct ProofSlice {
  /// How much a slice keeps besides the steps of the proof, the saves, and the insertions of all
  /// objects that kept steps mention.
  enum Width: Int, CaseIterable {
    /// Edits of the proof's objects.
    case edits
    /// All steps about the proof's objects and those related to them, and all steps that move
    /// changes between contexts and stores.
    case moves
    /// All steps about objects of the entities of the proof's objects besides: a duplicate is
    /// another object.
    case entities
  }

  private let program: Program
  private let entityTable: EntityTable
  /// The steps that performed the reads, writes, saves and merges of the proof.
  private let provenSteps: Set<AddressedStep>
  /// The indices of the program's steps during which the steps of the proof were performed.
  private let places: Set<Int>
  /// The objects of the proof.
  private let names: Set<ObjectName>
  /// The instances that the proof reads or changes.
  private let instances: Set<HeldInstance>
  /// The contexts of a proof without objects: all their steps are kept. Any object may do: all
  /// insertions are kept, too.
  private let contexts: Set<ContextID>
  /// Steps without effect, which every slice leaves out.
  private let wastedSteps: [AddressedStep]
  /// The index of the program's step that showed the failure: no slice has later ones. Nil if only
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

  /// The steps to keep, by index of the program's step; nil for a step that goes.
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
    // Kept steps may mention further objects, which have to be there.
    while true {
      let steps = pruned(by: filter)
      var next = filter
      for step in steps { step.map { next.noteMentions(in: $0) } }
      if next.mentioned == filter.mentioned { return steps }
      filter = next
    }
  }

  /// The steps that a slice keeps besides those of the proof.
  private struct Filter {
    let width: Width
    /// The objects whose edits may matter.
    var names: Set<ObjectName>
    /// The instances that kept steps mention, which others have to introduce.
    var mentioned: Set<HeldInstance>
    /// The objects that kept steps mention. A save needs the relationships that their insertion
    /// needs.
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
    // Fetches name no object: every fetch of an entity may introduce its objects.
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
        // A step of an entry point, or the time that a step takes, may be what the proof shows.
        let isPlaced = inPlace && step.step.traits.contains(.arranges)
        return (isPlaced || isKept(step)) && !wastedSteps.contains(step) ? step : nil
      }
      var rest = block.compactMap { pruned($0, inPlace: inPlace) }
      // A call at the end of a block may be what finishes its work.
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

  /// The objects that steps relate to the named ones.
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
  /// The instance by whose ID the step looks an object up; nil for other steps.
  fileprivate var lookedUp: HeldInstance? {
    switch self {
    case .object(with: let held, as: _), .existingObject(with: let held, as: _),
      .registeredObject(for: let held, as: _), .objectForURI(of: let held, as: _):
      held
    default: nil
    }
  }
}
