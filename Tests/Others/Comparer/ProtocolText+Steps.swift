import ObjectModel
import SimulatedCoreData
import Vocabulary

extension ProtocolText {
  /// Returns the line for a step. `save` is the number of the step whose DidSave is merged.
  func request(_ addressed: AddressedStep, merging save: Int?) -> String {
    let step = addressed.step
    return ([step.verb, stack[addressed.context].name] + operands(of: step, merging: save))
      .joined(separator: " ")
  }

  private func operands(of step: Step, merging save: Int?) -> [String] {
    switch step {
    case .insert(let entity, let name): [text(name), model[entity].name]
    case .get(let name, let property, as: _), .increment(let name, let property, by: _):
      [text(name), propertyName(property, of: name)]
    case .set(let name, let property, let value), .setPrimitive(let name, let property, let value):
      [text(name), propertyName(property, of: name), text(value, nil)]
    case .relate(let name, let property, let other):
      [text(name), propertyName(property, of: name), other.map { "o:\(text($0.name))" } ?? "nil"]
    case .add(let name, let property, let other), .remove(let name, let property, let other):
      [text(name), propertyName(property, of: name), text(other.name)]
    case .replace(let name, let property, let others):
      [
        text(name), propertyName(property, of: name),
        "[" + others.map { text($0.name) }.joined(separator: ",") + "]",
      ]
    case .delete(let name), .detectConflicts(let name), .changedValues(let name),
      .committedValues(let name), .hasPersistentChangedValues(let name), .insertAgain(let name):
      [text(name)]
    case .validate(let name, let validation): [text(name), validation.rawValue]
    case .fetch(let request, as: _), .count(let request): operands(of: request)
    case .object(let instance, let name), .existingObject(let instance, let name),
      .registeredObject(let instance, let name):
      [stack[instance.context].name, text(instance.name), text(name)]
    case .refresh(let name, let mergeChanges): [text(name), "\(mergeChanges)"]
    case .obtainPermanentIDs(let names):
      ["[" + names.map { text($0) }.joined(separator: ",") + "]"]
    case .mergeChanges: ["\(save ?? -1)"]
    default: []
    }
  }

  private func operands(of request: FetchRequest) -> [String] {
    let entity = model[request.entity]
    return [
      entity.name, request.includesSubentities ? "subentities" : "exact",
      request.includesPendingChanges ? "pending" : "stored",
    ]
      + request.predicate.flatMap { comparison -> [String] in
        let operand =
          switch comparison.operand {
          case .value(let value): text(value, nil)
          case .object(let instance): "o:\(stack[instance.context].name).\(text(instance.name))"
          }
        return [entity[comparison.property].name, comparison.relation.rawValue, operand]
      }
  }

  private func text(_ name: ObjectName) -> String { names[name.index] }

  /// Returns the name of `property`. The entity of an object is known when the object is inserted.
  private func propertyName(_ property: PropertyID, of name: ObjectName) -> String {
    guard let entity = entities[name] else { return "?" }
    return model[entity][property].name
  }

  // MARK: Answers

  /// Returns the result of the step.
  func answer(to step: AddressedStep, _ events: [Event], _ world: World) -> String {
    for event in events {
      switch event {
      case .value where step.step.kind == .increment: return "done"
      case .value(let value): return "value \(text(value, world))"
      case .collection(let ids): return "value \(list(ids, world))"
      case .objects(let ids): return "objects \(list(ids, world))"
      case .count(let count): return "count \(count)"
      case .values(let id, let contents): return values(contents, model[id.entity], world)
      case .flag(let flag): return "flag \(flag)"
      case .object(let id): return "object \(name(id, world))"
      case .nothing: return "nothing"
      case .failed(let failure): return text(failure)
      case .saved: return "saved"
      default: continue
      }
    }
    return "done"
  }

  private func values(
    _ contents: [PropertyContent], _ entity: Entity, _ world: World
  ) -> String {
    let fields = contents.map { content in
      let value = content.collection.map { list($0, world) } ?? text(content.value, world)
      return "\(entity[content.property].name)=\(value)"
    }
    return (["values"] + fields.sorted()).joined(separator: " ")
  }

  /// Returns the kind of a failure, because messages and details differ between implementations.
  private func text(_ failure: Failure) -> String {
    switch failure {
    case .validation: "failed validation"
    case .mergeConflicts: "failed conflict"
    case .missingObject: "failed missing"
    case .inaccessible, .differentContexts, .noContext, .alreadySaved: "raised"
    default: "failed other"
    }
  }
}
