import Execution
import Failures
import ObjectModel
import Scenario
import SimulatedCoreData
import SimulatedDispatch
import Vocabulary

/// Whether claims hold in the world that a run has left behind.
struct ClaimEvaluation {
  let scenario: Scenario
  let world: World
  /// Everything that could be observed, in order.
  let log: [ActionEvent]
  let text: EventText
  /// The violations, as campaigns count them.
  let kinds: [FailureKind]

  private var events: some Sequence<Event> { log.lazy.map(\.event) }

  func holds(_ condition: Claim.Condition) -> Bool {
    switch condition {
    case .count(let kind, of: let name, let count):
      events.count { WatchedEvent($0) == kind && concerns($0, name) } == count
    case .countPosted(let kind, by: let context, let count):
      events.count { WatchedEvent($0) == kind && poster(of: $0) == context } == count
    case .countCoordinated(let kind, by: let coordinator, let count):
      events.count { WatchedEvent($0) == kind && self.coordinator(of: $0) == coordinator } == count
    case .countFailed(let name, let count):
      events.count { failed($0, as: name) } == count
    case .instance(let reference, has: let expectations):
      holds(expectations, of: reference)
    case .row(of: let name, has: let expectations):
      rows.contains { row in
        world.name(of: row.id) == name
          && expectations.allSatisfy { holds($0, row.id.entity, row.values, row.collections) }
      }
    case .rows(let entity, are: let expected):
      rows.filter { scenario.model.entity($0.id.entity, inherits: entity) }.map(\.id)
        .elementsEqual(expected, by: { designates($1, $0) })
    case .state(let state, of: let reference): holds(state, of: reference)
    case .same(let a, let b): isSame(a, b)
    case .distinct(let a, let b): !isSame(a, b)
    case .changed(let context): world.hasChanges(context)
    case .clean(let context): !world.hasChanges(context)
    case .answered(let context, let answer): answers(of: context).contains { $0 == answer }
    case .failed(let name): events.contains { failed($0, as: name) }
    case .succeeded: !events.contains { if case .failed = $0 { true } else { false } }
    case .deadlock: !world.dispatcher.deadlocks.isEmpty
    case .shows(let kind): kinds.contains(kind)
    case .showsNo(let kind): !kinds.contains(kind)
    }
  }

  /// What there is, for claims that compare.
  func finding(_ condition: Claim.Condition) -> String? {
    switch condition {
    case .count(let kind, of: let name, _):
      return "\(events.count { WatchedEvent($0) == kind && concerns($0, name) })"
    case .countPosted(let kind, by: let context, _):
      return "\(events.count { WatchedEvent($0) == kind && poster(of: $0) == context })"
    case .countCoordinated(let kind, by: let coordinator, _):
      return
        "\(events.count { WatchedEvent($0) == kind && self.coordinator(of: $0) == coordinator })"
    case .countFailed(let name, _): return "\(events.count { failed($0, as: name) })"
    case .instance(let reference, has: _):
      guard let view = world.heldInstance(reference.context, reference.name) else {
        return "nothing that is registered"
      }
      return view.isFault ? "a fault" : text.record(view.id.entity, view.values, view.collections)
    case .row(of: let name, has: _):
      guard let row = rows.first(where: { world.name(of: $0.id) == name }) else { return "no row" }
      return text.record(row.id.entity, row.values, row.collections)
    case .rows(let entity, are: _):
      let ids = rows.map(\.id).filter { scenario.model.entity($0.entity, inherits: entity) }
      return "[" + ids.map(text.name).joined(separator: " ") + "]"
    case .answered(let context, let answer):
      let word = answer.prefix { $0 != " " }
      let alike = answers(of: context).filter { $0.prefix { $0 != " " } == word }
      return alike.isEmpty ? "never \(word)" : alike.joined(separator: ", ")
    case .shows, .showsNo:
      return kinds.isEmpty
        ? "a run without a violation"
        : "a run with " + kinds.map(\.name).joined(separator: ", ")
    default: return nil
    }
  }

  /// What the transcript says of each event of `context`: `counted 2`.
  private func answers(of context: ContextID) -> [String] {
    log.compactMap { happening in
      text.statement(for: happening.event, of: happening.action)
    }.filter { $0.subject == scenario.stack[context].name }.map(\.text)
  }

  private var rows: [RowView] {
    scenario.stack.stores.indices.flatMap { world.rows(of: StoreID($0)) }
      .sorted { $0.id < $1.id }
  }

  private func concerns(_ event: Event, _ name: ObjectName) -> Bool {
    switch event {
    case .hook(_, _, let id), .awakeFromInsert(_, let id, _), .hookSet(_, let id, _, _),
      .receive(_, let id, _), .becamePermanent(_, let id, _), .awakeFromSnapshot(_, let id, _):
      world.name(of: id) == name
    default: false
    }
  }

  private func poster(of event: Event) -> ContextID? {
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

  private func coordinator(of event: Event) -> CoordinatorID? {
    switch event {
    case .saveRequest(let coordinator, _), .willRemoveStore(let coordinator, _),
      .storesDidChange(let coordinator, added: _, removed: _):
      coordinator
    default: nil
    }
  }

  private func failed(_ event: Event, as name: FailureName) -> Bool {
    if case .failed(let failure) = event { name.names(failure) } else { false }
  }

  private func isSame(_ a: HeldInstance, _ b: HeldInstance) -> Bool {
    guard a.context == b.context, let x = world.heldInstance(a.context, a.name),
      let y = world.heldInstance(b.context, b.name)
    else { return false }
    return x.id == y.id
  }

  private func holds(_ state: Claim.InstanceState, of reference: HeldInstance) -> Bool {
    let view = world.heldInstance(reference.context, reference.name)
    let id = world.heldID(reference.context, reference.name)
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
    guard let view = world.heldInstance(reference.context, reference.name), !view.isFault else {
      return false
    }
    return expectations.allSatisfy { holds($0, view.id.entity, view.values, view.collections) }
  }

  private func holds(
    _ expectation: Claim.Expectation, _ entity: EntityID, _ values: [Value],
    _ collections: [[ObjectID]]
  ) -> Bool {
    let slot = world.slot(of: expectation.property, in: entity)
    return switch expectation.value {
    case .value(let value): values[slot] == value
    case .object(let designation): values[slot].objectID.map { designates(designation, $0) } == true
    case .collection(let members):
      collections[slot].elementsEqual(members, by: { designates($1, $0) })
    }
  }

  private func designates(_ designation: Claim.Designation, _ id: ObjectID) -> Bool {
    switch designation {
    case .named(let name): world.name(of: id) == name
    case .permanent(let entity, let key):
      !id.isTemporaryID && id.entity == entity && id.number == key
    case .temporary(let entity, let serial):
      id.isTemporaryID && id.entity == entity && id.number == serial
    }
  }
}
