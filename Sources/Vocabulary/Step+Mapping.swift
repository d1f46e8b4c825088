/// Walking through a step: its block, the names it uses, the contexts it mentions.
extension Step {
  /// The steps of a `perform` or `performAndWait`.
  package var block: [AddressedStep]? {
    switch self {
    case .perform(let steps), .performAndWait(let steps): steps
    default: nil
    }
  }

  package func withBlock(_ steps: [AddressedStep]) -> Step {
    switch self {
    case .perform: .perform(steps)
    case .performAndWait: .performAndWait(steps)
    default: self
    }
  }
}

extension AddressedStep {
  /// This step with every name and every context replaced, in its block too.
  package func map(
    name: (ObjectName) -> ObjectName, context: (ContextID) -> ContextID
  ) -> AddressedStep {
    func mapped(_ reference: Reference) -> Reference {
      Reference(context(reference.context), name(reference.name))
    }
    func mapped(_ request: FetchRequest) -> FetchRequest {
      var request = request
      for index in request.predicate.indices {
        if case .object(let reference) = request.predicate[index].operand {
          request.predicate[index].operand = .object(mapped(reference))
        }
      }
      return request
    }
    func mapped(_ steps: [AddressedStep]) -> [AddressedStep] {
      steps.map { $0.map(name: name, context: context) }
    }
    let result: Step =
      switch step {
      case .insert(let entity, as: let new): .insert(entity, as: name(new))
      case .get(let object, let property): .get(name(object), property)
      case .set(let object, let property, let value): .set(name(object), property, value)
      case .relate(let object, let property, let reference):
        .relate(name(object), property, reference.map(mapped))
      case .add(let object, let property, let reference):
        .add(name(object), property, mapped(reference))
      case .remove(let object, let property, let reference):
        .remove(name(object), property, mapped(reference))
      case .replace(let object, let property, let references):
        .replace(name(object), property, references.map(mapped))
      case .delete(let object): .delete(name(object))
      case .fetch(let request): .fetch(mapped(request))
      case .count(let request): .count(mapped(request))
      case .object(with: let reference, as: let new):
        .object(with: mapped(reference), as: name(new))
      case .existingObject(with: let reference, as: let new):
        .existingObject(with: mapped(reference), as: name(new))
      case .registeredObject(for: let reference, as: let new):
        .registeredObject(for: mapped(reference), as: name(new))
      case .refresh(let object, mergeChanges: let merges):
        .refresh(name(object), mergeChanges: merges)
      case .obtainPermanentIDs(let names): .obtainPermanentIDs(names.map(name))
      case .mergeChanges(.didSave(let poster, ordinal: let ordinal)):
        .mergeChanges(.didSave(context(poster), ordinal: ordinal))
      case .release(let object): .release(name(object))
      case .perform(let steps): .perform(mapped(steps))
      case .performAndWait(let steps): .performAndWait(mapped(steps))
      case .processPendingChanges, .tick, .save, .refreshAllObjects, .reset, .rollback,
        .mergeChanges(.delivered), .sleep:
        step
      }
    return AddressedStep(context(self.context), result)
  }

  package func mapNames(_ name: (ObjectName) -> ObjectName) -> AddressedStep {
    map(name: name, context: { $0 })
  }

  package func mapContexts(_ context: (ContextID) -> ContextID) -> AddressedStep {
    map(name: { $0 }, context: context)
  }

  package func visitNames(_ visit: (ObjectName) -> Void) {
    _ = mapNames {
      visit($0)
      return $0
    }
  }

  /// Whether the step is for `context`, or refers to it.
  package func mentions(_ context: ContextID) -> Bool {
    var isMentioned = false
    _ = mapContexts {
      if $0 == context { isMentioned = true }
      return $0
    }
    return isMentioned
  }
}
