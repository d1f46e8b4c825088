import Failures
import Invariants
import ObjectModel
import Scenario
import SimulatedCoreData
import Vocabulary

/// The final state of a counterexample from a campaign. The counterexample claims only its
/// violation, which no program can observe. The values that prove the violation can be observed.
extension Scenario {
  /// Returns the scenario with claims about the final values of attributes that its steps set.
  /// Returns the scenario unchanged if it already claims something that a program can observe.
  func claimingFinalState(_ rehearsal: Rehearsal) -> Scenario {
    let isOfViolation = claims.allSatisfy { claim in
      switch claim.condition {
      case .shows, .showsNo: true
      default: false
      }
    }
    guard isOfViolation else { return self }
    var result = self
    // Hook calls are compared only if the violation is about hooks.
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

  /// Returns a claim about the remaining rows of an entity that has lost a row. Returns nil if the
  /// row exists, or if a row has no name.
  private func rowsWithout(_ object: ObjectID?, _ rehearsal: Rehearsal) -> Claim? {
    guard let object, let name = rehearsal.name(of: object) else { return nil }
    let rows = stack.stores.indices.flatMap { rehearsal.world.graph.rows(of: StoreID($0)) }
      .filter { model.entity($0.id.entity, inherits: object.entity) }
    let named = rows.compactMap { rehearsal.name(of: $0.id) }
    if named.contains(name) || named.count < rows.count { return nil }
    return Claim(.rows(object.entity, are: named.map { .named($0) }))
  }

  /// Returns the unexpected states of an object. The state is `unregistered` if the object has left
  /// its context. It is `temporary` if the object has a row but still a temporary ID.
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

  /// Returns the properties that steps set, in the order of the first assignment.
  private func properties(setOf name: ObjectName) -> [PropertyID] {
    var properties: [PropertyID] = []
    func note(_ step: Step) -> Bool {
      switch step {
      case .set(name, let property, _), .setPrimitive(name, let property, _),
        .increment(name, let property, by: _):
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
