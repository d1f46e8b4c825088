import Failures
import Invariants
import ObjectModel
import Scenario
import SimulatedCoreData
import Vocabulary

/// What a counterexample of a campaign comes to. It claims nothing but its violation, which no
/// program can see; the values that prove it can be seen.
extension Scenario {
  /// With claims about the attributes that its steps set, as contexts and stores have them in the
  /// end; as it is, if it claims something that a program can see.
  func claimingFinalState(_ rehearsal: Rehearsal) -> Scenario {
    let isOfViolation = claims.allSatisfy { claim in
      switch claim.condition {
      case .shows, .showsNo: true
      default: false
      }
    }
    guard isOfViolation else { return self }
    var result = self
    // Hooks are counted where the violation is about them.
    if !claims.contains(where: { $0.isAboutAwakening }) {
      result.watch.removeAll { $0 == .awakeFromInsert }
    }
    for held in rehearsal.heldInstances {
      result.claims += state(of: held, rehearsal).map { Claim(.state($0, of: held)) }
      guard let view = rehearsal.world.graph.heldInstance(held.context, held.name), !view.isFault
      else {
        continue
      }
      let expectations = expectations(of: held.name, view.id.entity, view.values, rehearsal.world)
      if !expectations.isEmpty {
        result.claims.append(Claim(.instance(held, has: expectations)))
      }
    }
    for store in stack.stores.indices {
      for row in rehearsal.world.graph.rows(of: StoreID(store)) {
        guard let name = rehearsal.name(of: row.id) else { continue }
        let expectations = expectations(of: name, row.id.entity, row.values, rehearsal.world)
        if !expectations.isEmpty { result.claims.append(Claim(.row(of: name, has: expectations))) }
      }
    }
    for problem in rehearsal.problems(of: self)
    where problem.violation.invariant.isShownByMissingRow {
      if let claim = rowsWithout(problem.violation.object, rehearsal) {
        result.claims.append(claim)
      }
    }
    return result
  }

  /// Which rows there are of an entity of which one is gone; nil if it is there, or if rows have no
  /// names.
  private func rowsWithout(_ object: ObjectID?, _ rehearsal: Rehearsal) -> Claim? {
    guard let object, let name = rehearsal.name(of: object) else { return nil }
    let rows = stack.stores.indices.flatMap { rehearsal.world.graph.rows(of: StoreID($0)) }
      .filter { model.entity($0.id.entity, inherits: object.entity) }
    let named = rows.compactMap { rehearsal.name(of: $0.id) }
    if named.contains(name) || named.count < rows.count { return nil }
    return Claim(.rows(object.entity, are: named.map { .named($0) }))
  }

  /// What is not as one would expect of an object: that it has left its context, or still has a
  /// temporary ID although it has a row.
  private func state(
    of held: HeldInstance, _ rehearsal: Rehearsal
  ) -> [Claim.InstanceState] {
    guard let id = rehearsal.world.graph.heldID(held.context, held.name) else { return [] }
    if rehearsal.world.graph.heldInstance(held.context, held.name) == nil { return [.unregistered] }
    let isStored = stack.stores.indices.contains { store in
      rehearsal.world.graph.rows(of: StoreID(store)).contains {
        rehearsal.name(of: $0.id) == held.name
      }
    }
    return isStored && id.isTemporaryID ? [.temporary] : []
  }

  private func expectations(
    of name: ObjectName, _ entity: EntityID, _ values: [Value], _ world: World
  ) -> [Claim.Expectation] {
    properties(setOf: name).filter { model[entity][$0].attribute != nil }.map { property in
      Claim.Expectation(property, .value(values[world.graph.slot(of: property, in: entity)]))
    }
  }

  /// In the order in which steps set them first.
  private func properties(setOf name: ObjectName) -> [PropertyID] {
    var properties: [PropertyID] = []
    func note(_ step: Step) -> Bool {
      switch step {
      case .set(name, let property, _), .setPrimitive(name, let property, _),
        .increment(name, let property):
        if !properties.contains(property) { properties.append(property) }
      default: break
      }
      return false
    }
    for step in allSteps { _ = step.contains { note($0.step) } }
    return properties
  }
}

extension Claim {
  fileprivate var isAboutAwakening: Bool {
    if case .shows(let kind) = condition { kind.invariant == .ObjectsAwakenOnce } else { false }
  }
}
