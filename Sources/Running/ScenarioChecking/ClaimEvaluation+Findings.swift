import Execution
import Failures
import Invariants
import ObjectModel
import Scenario
import SimulatedCoreData
import Vocabulary

/// The actual state, for claims that do not hold.
extension ClaimEvaluation {
  /// Returns the actual state in place of the claimed one, as the end of a sentence `it is …`.
  func finding(_ condition: Claim.Condition) -> String {
    switch condition {
    case .count, .countPosted, .countCoordinated, .countFailed: return count(condition)
    case .instance(let reference, has: _):
      guard let view = world.graph.heldInstance(reference.context, reference.name) else {
        return absence(of: reference)
      }
      return view.isFault ? "a fault" : text.record(view.id.entity, view.values, view.collections)
    case .row(of: let name, has: _):
      guard let row = rows.first(where: { isCalled($0.id, name) }) else { return "no row" }
      return text.record(row.id.entity, row.values, row.collections)
    case .rows(let entity, are: _):
      let ids = rows.map(\.id).filter { scenario.model.entity($0.entity, inherits: entity) }
      return "[" + ids.map(text.name).joined(separator: " ") + "]"
    case .data(let claim, in: let places, text: _): return breach(of: claim, in: places)
    case .state(_, of: let reference): return state(of: reference)
    case .same(let a, let b), .distinct(let a, let b): return difference(a, b)
    case .changed(let context), .clean(let context): return changes(of: context)
    case .answered(let context, let answer):
      return alike(statements(of: scenario.stack[context].name), answer)
    case .posted(let subject, let statement): return alike(statements(of: subject), statement)
    case .failed, .succeeded: return failures
    case .deadlock: return "a run without a deadlock"
    case .shows, .showsNo:
      return kinds.isEmpty
        ? "a run without a violation"
        : "a run with " + kinds.map(\.name).joined(separator: ", ")
    }
  }

  /// Returns the first breach of the claim, such as `a store in which 2 objects exist`.
  private func breach(of claim: DataClaim, in places: [DataClaim.Place]) -> String {
    for place in places {
      guard let breach = claim.breach(in: place, world) else { continue }
      let name = place.context.map { "a \(scenario.stack[$0].name)" } ?? "a store"
      let subject = breach.value.map { text.text($0) } ?? breach.object.map(text.name)
      return "\(name) in which "
        + ([breach.text] + [subject].compactMap(\.self))
        .joined(separator: " ")
    }
    preconditionFailure("no place breaks the claim")
  }

  private func count(_ condition: Claim.Condition) -> String {
    switch condition {
    case .count(let kind, of: let name, _):
      "\(events.count { WatchedEvent($0) == kind && concerns($0, name) })"
    case .countPosted(let kind, by: let context, _):
      "\(events.count { WatchedEvent($0) == kind && poster(of: $0) == context })"
    case .countCoordinated(let kind, by: let coordinator, _):
      "\(events.count { WatchedEvent($0) == kind && self.coordinator(of: $0) == coordinator })"
    case .countFailed(let name, _): "\(events.count { failed($0, as: name) })"
    default: preconditionFailure("\(condition) counts nothing")
    }
  }

  /// Returns the transcript statements of a context or a coordinator, such as `counted 2`.
  func statements(of subject: String) -> [String] {
    log.compactMap { entry in
      text.statement(for: entry.event, of: entry.action)
    }.filter { $0.subject == subject }.map(\.text)
  }

  /// Returns the statements with the same first word as `statement`.
  private func alike(_ statements: [String], _ statement: String) -> String {
    let word = statement.prefix { $0 != " " }
    let alike = statements.filter { $0.prefix { $0 != " " } == word }
    return alike.isEmpty ? "never \(word)" : alike.joined(separator: ", ")
  }

  // MARK: Instances

  /// Returns the reason why a name leads to no instance, although the context may have the object.
  private func absence(of reference: HeldInstance) -> String {
    let name = scenario.names[reference.name.index]
    let context = scenario.stack[reference.context].name
    if world.graph.heldID(reference.context, reference.name) != nil {
      return "an instance that no longer belongs to \(context)"
    }
    guard let id = anyID(of: reference.name) else {
      return "nothing: no step has bound '\(name)' in any context yet"
    }
    let unbound = "nothing: no step has bound '\(name)' in \(context)"
    guard world.graph.registeredID(id, in: reference.context) != nil else {
      return unbound + ", and \(context) has not registered the object"
    }
    return unbound + ", which has registered the object; bind it with 'registeredObject'"
  }

  /// Returns the ID that the name stands for in the first context that holds it.
  private func anyID(of name: ObjectName) -> ObjectID? {
    scenario.stack.contextIDs.lazy.compactMap { world.graph.heldID($0, name) }.first
  }

  private func state(of reference: HeldInstance) -> String {
    guard let view = world.graph.heldInstance(reference.context, reference.name) else {
      return absence(of: reference)
    }
    let states: [(Bool, Claim.InstanceState)] = [
      (view.id.isTemporaryID, .temporary), (!view.id.isTemporaryID, .permanent),
      (view.isFault, .fault), (!view.isFault, .realised), (view.isInserted, .inserted),
      (view.isUpdated, .updated), (view.isDeleted, .deleted),
    ]
    return states.filter(\.0).map(\.1.rawValue).joined(separator: ", ")
  }

  private func difference(_ a: HeldInstance, _ b: HeldInstance) -> String {
    for reference in [a, b] where world.graph.heldInstance(reference.context, reference.name) == nil
    {
      return absence(of: reference)
    }
    return isSame(a, b) ? "one instance" : "two instances"
  }

  private func changes(of context: ContextID) -> String {
    guard world.graph.hasChanges(context) else { return "without changes" }
    let views = world.graph.registeredIDs(in: context).compactMap {
      world.graph.inspect(exactly: $0, in: context)?.view
    }
    let sets = [
      ("inserted", views.filter { $0.isInserted && !$0.isDeleted }),
      ("updated", views.filter { $0.isUpdated && !$0.isInserted && !$0.isDeleted }),
      ("deleted", views.filter { $0.isDeleted && !$0.isInserted }),
    ]
    let parts = sets.filter { !$0.1.isEmpty }.map { word, views in
      word + " " + views.map { text.name($0.id) }.joined(separator: " ")
    }
    return parts.isEmpty ? "changed" : parts.joined(separator: ", ")
  }

  private var failures: String {
    let lines = log.compactMap { entry -> String? in
      guard case .failed = entry.event else { return nil }
      return text.line(for: entry.event, of: entry.action)
    }
    return lines.isEmpty ? "a run without a failure" : lines.joined(separator: ", ")
  }
}
