import Invariants
import ObjectModel
import Scenario
import SimulatedCoreData
import Vocabulary

/// The text of the lines that prove a violation.
struct ProofLineText {
  let stack: Stack
  let events: EventText
  let steps: StepText

  /// Returns a line with its step number, such as `step 5    sync reads n.right as "b"`.
  func line(_ witness: ProofLine) -> String {
    let step = witness.step == 0 ? "" : "step \(witness.step)"
    let padding = String(repeating: " ", count: max(1, 9 - step.count))
    return step + padding + sentence(witness)
  }

  /// Returns a line without its step number.
  func sentence(_ witness: ProofLine) -> String {
    let who = witness.context.map { stack[$0].name } ?? "the store"
    let what = subject(witness)
    switch witness.operation {
    case .reads(let value): return "\(who) reads \(what) as \(text(value, witness))"
    case .readsMembers(let ids): return "\(who) reads \(what) as \(list(ids))"
    case .loads(let value): return "\(who) loads \(what) as \(text(value, witness))"
    case .sets(let value): return "\(who) sets \(what) to \(text(value, witness))"
    case .saves(let value, to: let place):
      let place = place.map { stack[$0].name } ?? "the store"
      return "\(who) saves \(what) = \(text(value, witness)) to \(place)"
    case .savesInVain(let value, in: let place):
      let place = place.map { stack[$0].name } ?? "the store"
      return "\(who) saves, and \(place) still has \(what) = \(text(value, witness))"
    case .savesTooLate(in: let place):
      let place = place.map { stack[$0].name } ?? "the store"
      return "\(who) saves \(what), and \(place) no longer has the object"
    case .leavesOut: return "\(who) saves, and leaves out \(what), a duplicate"
    case .deletes: return "\(who) deletes \(what)"
    case .batchDeletes: return "a batch request of \(who) deletes \(what) in the store"
    case .batchSets(let value):
      return "a batch request of \(who) sets \(what) to \(text(value, witness)) in the store"
    case .merges(from: let saver, by: let origin):
      let manner = origin == .automaticMerge ? " automatically" : ""
      let place = origin == .observer ? ", in an observer" : ""
      return "\(who) merges \(what)\(manner) from a save of \(stack[saver].name)\(place)"
    case .mergesHistory: return "\(who) merges \(what) from the persistent history"
    case .refreshes: return "\(who) refreshes \(what.isEmpty ? "everything" : what)"
    case .rollsBack: return "\(who) rolls back"
    case .resets: return "\(who) is reset"
    case .discards: return "\(who) is discarded"
    case .kill: return "the app is killed"
    case .takesStore(let taking):
      let verb = taking.isDestroyed ? "destroys" : "removes"
      return "\(who) \(verb) the store \(stack.stores[taking.store.index].name)"
    case .loses(let loss): return "\(who) loses \(text(loss, of: what))"
    case .isStored(nil): return "the store has no \(what)"
    case .isStored(let value?):
      return witness.property == nil
        ? "the store still has \(what)" : "the store has \(what) = \(text(value, witness))"
    case .performs(let action, let milliseconds):
      return text(.action(action)) + (milliseconds > 0 ? ", \(milliseconds) ms" : "")
    case .asksStore(let action, let access):
      let how =
        access.reads && access.writes ? "reads and writes" : access.reads ? "reads" : "writes"
      return "\(text(.action(action))) \(how) rows"
    case .takes(let lane, let queue, let subject):
      return "\(lane) took \(queue) for \(text(subject))"
    case .waits(let lane, let queue, let reason, let subject):
      return "\(lane) waits for \(queue), \(reason), with \(text(subject))"
    case .shows(let sections): return "\(who) shows \(text(sections))"
    case .hasStored(let sections): return "the stores have \(text(sections))"
    }
  }

  private func text(_ value: Value, _ witness: ProofLine) -> String {
    guard let object = witness.object, let property = witness.property else {
      return events.text(value)
    }
    return events.text(value, of: object, property)
  }

  private func subject(_ witness: ProofLine) -> String {
    guard let object = witness.object else { return "" }
    return witness.property.map { events.path(object, $0) } ?? events.name(object)
  }

  private func list(_ ids: [ObjectID]) -> String {
    "[\(ids.map(events.name).joined(separator: " "))]"
  }

  private func text(_ sections: [ResultsSection]) -> String {
    let shown = sections.filter { !($0.name.isNull && $0.objects.isEmpty) }
    if shown.isEmpty { return "nothing" }
    return shown.map { section in
      (section.name.isNull ? "" : events.text(section.name) + " ") + list(section.objects)
    }.joined(separator: " ")
  }

  private func text(_ loss: Evidence.Loss, of what: String) -> String {
    switch loss {
    case .insertion: "the new object \(what)"
    case .deletion: "the deletion of \(what)"
    case .value(_, let value): "\(what) = \(events.text(value))"
    case .members: "the changes to \(what)"
    }
  }

  private func text(_ subject: World.Activity.Subject) -> String {
    switch subject {
    case .step(let step), .action(.step(let step, _)): "'\(steps.text(step))'"
    case .action(.merge(let context, _)), .action(.mergeRemote(let context, _)):
      "the merge of a save into \(stack[context].name)"
    case .action(.endOfEvent(let context)): "the end of an event of \(stack[context].name)"
    case .action(.endOfDelivery(let context)):
      "the end of a notification of \(stack[context].name)"
    case .action(.wrongQueue(let context)): "a use of \(stack[context].name)"
    }
  }
}
