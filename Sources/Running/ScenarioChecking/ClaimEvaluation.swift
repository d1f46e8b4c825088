import Execution
import Failures
import Invariants
import ObjectModel
import Scenario
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Evaluates claims in the world at the end of a run, or at a moment between two steps.
struct ClaimEvaluation {
  let scenario: Scenario
  var world: World
  /// The events up to that moment, in order.
  var log: [ActionEvent]
  let text: EventText
  /// The kinds of the violations up to that moment, as campaigns count them.
  var kinds: [FailureKind]
  /// The violations of the whole run.
  let violations: [Violation]

  /// The names of reads' results. In each context, such a name can stand for another object.
  let namesOfReads: Set<ObjectName>

  var events: some Sequence<Event> { log.lazy.map(\.event) }

  func holds(_ condition: Claim.Condition) -> Bool {
    switch condition {
    case .count(let kind, of: let name, let count):
      count.includes(events.count { WatchedEvent($0) == kind && concerns($0, name) })
    case .countPosted(let kind, by: let context, let count):
      count.includes(events.count { WatchedEvent($0) == kind && poster(of: $0) == context })
    case .countCoordinated(let kind, by: let coordinator, let count):
      count.includes(
        events.count { WatchedEvent($0) == kind && self.coordinator(of: $0) == coordinator })
    case .countFailed(let name, let count):
      count.includes(events.count { failed($0, as: name) })
    case .instance(let reference, has: let expectations):
      holds(expectations, of: reference)
    case .row(of: let name, has: let expectations):
      rows.contains { row in
        isCalled(row.id, name)
          && expectations.allSatisfy { holds($0, row.id.entity, row.values, row.collections) }
      }
    case .rows(let entity, are: let expected):
      rows.filter { scenario.model.entity($0.id.entity, inherits: entity) }.map(\.id)
        .elementsEqual(expected, by: { designates($1, $0) })
    case .data(let claim, in: let places, text: _):
      places.allSatisfy { claim.breach(in: $0, world) == nil }
    case .state(let state, of: let reference): holds(state, of: reference)
    case .same(let a, let b): isSame(a, b)
    case .distinct(let a, let b): !isSame(a, b)
    case .changed(let context): world.graph.hasChanges(context)
    case .clean(let context): !world.graph.hasChanges(context)
    case .answered(let context, let answer):
      statements(of: scenario.stack[context].name).contains { $0 == answer }
    case .posted(let subject, let statement): statements(of: subject).contains { $0 == statement }
    case .failed(let name): events.contains { failed($0, as: name) }
    case .succeeded: !events.contains(where: \.isFailure)
    case .deadlock: !world.dispatcher.deadlocks.isEmpty
    case .shows(let kind): kinds.contains(kind)
    case .showsNo(let kind): !kinds.contains(kind)
    }
  }

  var rows: [RowView] {
    scenario.stack.stores.indices.flatMap { world.graph.rows(of: StoreID($0)) }
      .sorted { $0.id < $1.id }
  }

  func concerns(_ event: Event, _ name: ObjectName) -> Bool {
    switch event {
    case .hook(_, _, let id), .awakeFromInsert(_, let id, _), .hookSet(_, let id, _, _),
      .receive(_, let id, _), .becamePermanent(_, let id, _), .awakeFromSnapshot(_, let id, _):
      isCalled(id, name)
    default: false
    }
  }

  /// Returns a Boolean value that indicates whether `name` is the object's name. A read gives its
  /// result a name in the reading context. Other objects have the name under which they were
  /// inserted.
  func isCalled(_ id: ObjectID, _ name: ObjectName) -> Bool {
    guard namesOfReads.contains(name) else { return world.graph.name(of: id) == name }
    return scenario.stack.contextIDs.contains { context in
      world.graph.heldID(context, name).map { world.lifelongID($0) == world.lifelongID(id) }
        ?? false
    }
  }

  func poster(of event: Event) -> ContextID? {
    switch event {
    case .objectsDidChange(let context, _), .contextWillSave(let context),
      .didSave(let context, _, number: _), .didSaveObjectIDs(let context, _, number: _),
      .didMergeChanges(let context, _):
      context
    case .controllerDidChangeContent(let controller, _):
      scenario.stack.controllers[controller.index].context
    default: nil
    }
  }

  func coordinator(of event: Event) -> CoordinatorID? {
    switch event {
    case .saveRequest(let coordinator, _), .willRemoveStore(let coordinator, _),
      .storesDidChange(let coordinator, added: _, removed: _):
      coordinator
    default: nil
    }
  }

  func failed(_ event: Event, as name: FailureName) -> Bool {
    if case .failed(let failure) = event { name.names(failure) } else { false }
  }

  func isSame(_ a: HeldInstance, _ b: HeldInstance) -> Bool {
    guard a.context == b.context, let x = world.graph.heldInstance(a.context, a.name),
      let y = world.graph.heldInstance(b.context, b.name)
    else { return false }
    return x.id == y.id
  }

  private func holds(_ state: Claim.InstanceState, of reference: HeldInstance) -> Bool {
    let view = world.graph.heldInstance(reference.context, reference.name)
    let id = world.graph.heldID(reference.context, reference.name)
    return switch state {
    case .temporary: id?.isTemporaryID == true
    case .permanent: id?.isTemporaryID == false
    case .fault: view?.isFault == true
    case .realised: view?.isFault == false
    case .inserted: view?.isInserted == true
    case .updated: view?.isUpdated == true
    case .deleted: view?.isDeleted == true
    case .undeleted: view?.isDeleted == false
    case .unregistered: view == nil
    }
  }

  private func holds(_ expectations: [Claim.Expectation], of reference: HeldInstance) -> Bool {
    guard let view = world.graph.heldInstance(reference.context, reference.name), !view.isFault
    else {
      return false
    }
    return expectations.allSatisfy { holds($0, view.id.entity, view.values, view.collections) }
  }

  private func holds(
    _ expectation: Claim.Expectation, _ entity: EntityID, _ values: [Value],
    _ collections: [[ObjectID]]
  ) -> Bool {
    let slot = world.graph.slot(of: expectation.property, in: entity)
    return switch expectation.value {
    case .value(let value): values[slot] == value
    case .object(let designation): values[slot].objectID.map { designates(designation, $0) } == true
    case .collection(let members):
      collections[slot].elementsEqual(members, by: { designates($1, $0) })
    }
  }

  func designates(_ designation: Claim.Designation, _ id: ObjectID) -> Bool {
    switch designation {
    case .named(let name): isCalled(id, name)
    case .permanent(let entity, let key):
      !id.isTemporaryID && id.entity == entity && id.number == key
    case .temporary(let entity, let serial):
      id.isTemporaryID && id.entity == entity && id.number == serial
    }
  }
}
