import ObjectModel
import Vocabulary

extension Spelling {
  /// A step with its block. In a block, a step for `blockLane` goes without its lane.
  func lines(_ addressed: AddressedStep, blockLane: ContextID?) -> [String] {
    let lane = addressed.context
    let prefix = lane == blockLane ? "" : text(lane) + "  "
    let block =
      switch addressed.step {
      case .perform(let steps), .performAndWait(let steps): steps
      default: [AddressedStep]()
      }
    return [prefix + text(addressed.step, lane)]
      + block.flatMap { lines($0, blockLane: lane) }.map { "  " + $0 }
  }

  /// The step's own line, without its lane.
  private func text(_ step: Step, _ lane: ContextID) -> String {
    switch step {
    case .insert(let entity, let name): "insert \(model[entity].name) as \(text(name))"
    case .get(let name, let property): "get \(path(name, property))"
    case .set(let name, let property, let value): "set \(path(name, property)) \(text(value))"
    case .relate(let name, let property, let destination):
      "relate \(path(name, property)) \(destination.map { text($0, lane: lane) } ?? "nil")"
    case .add(let name, let property, let member):
      "add \(path(name, property)) \(text(member, lane: lane))"
    case .remove(let name, let property, let member):
      "remove \(path(name, property)) \(text(member, lane: lane))"
    case .replace(let name, let property, let members):
      "replace \(path(name, property)) "
        + "[\(members.map { text($0, lane: lane) }.joined(separator: " "))]"
    case .delete(let name): "delete \(text(name))"
    case .fetch(let request): "fetch \(text(request, lane))"
    case .count(let request): "count \(text(request, lane))"
    case .object(let reference, let name): "object \(lookUp(reference, name))"
    case .existingObject(let reference, let name): "existingObject \(lookUp(reference, name))"
    case .registeredObject(let reference, let name): "registeredObject \(lookUp(reference, name))"
    case .processPendingChanges: "processPendingChanges"
    case .tick: "tick"
    case .save: "save"
    case .refresh(let name, let mergeChanges):
      "refresh \(text(name))\(mergeChanges ? " merging" : "")"
    case .refreshAllObjects: "refreshAllObjects"
    case .reset: "reset"
    case .rollback: "rollback"
    case .obtainPermanentIDs(let names):
      (["obtainPermanentIDs"] + names.map { text($0) }).joined(separator: " ")
    case .mergeChanges(.delivered): "mergeChanges delivered"
    case .mergeChanges(.didSave(let context, let ordinal)):
      "mergeChanges didSave \(text(context)) \(ordinal)"
    case .release(let name): "release \(text(name))"
    case .perform: "perform"
    case .performAndWait: "performAndWait"
    case .sleep(let milliseconds): "sleep \(milliseconds)"
    }
  }

  private func lookUp(_ reference: Reference, _ name: ObjectName) -> String {
    reference.name == name ? text(reference) : "\(text(reference)) as \(text(name))"
  }

  private func text(_ request: FetchRequest, _ lane: ContextID) -> String {
    let entity = model[request.entity]
    var words = [entity.name]
    if !request.predicate.isEmpty {
      let comparisons = request.predicate.map { comparison in
        let operand =
          switch comparison.operand {
          case .value(let value): text(value)
          case .object(let reference): text(reference, lane: lane)
          }
        return "\(entity[comparison.property].name) \(comparison.relation.rawValue) \(operand)"
      }
      words += ["where", comparisons.joined(separator: " and ")]
    }
    if !request.sortDescriptors.isEmpty {
      words.append("sort")
      words += request.sortDescriptors.map { descriptor in
        let name = entity[descriptor.property].name
        if !descriptor.ascending { return "-" + name }
        return RequestKeyword(rawValue: name) == nil ? name : "+" + name
      }
    }
    if request.fetchOffset != 0 { words.append("offset \(request.fetchOffset)") }
    if request.fetchLimit != 0 { words.append("limit \(request.fetchLimit)") }
    if !request.includesPendingChanges { words.append("savedState") }
    if !request.returnsObjectsAsFaults { words.append("realised") }
    return words.joined(separator: " ")
  }
}
