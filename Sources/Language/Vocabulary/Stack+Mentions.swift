/// The entities and objects that a stack's own steps mention. A stack that names no entity suits
/// any model.
extension Stack {
  /// The steps of entry points and observers.
  package var ownSteps: [AddressedStep] {
    entryPoints.flatMap(\.steps) + observers.flatMap(\.steps)
  }

  /// Returns the entry points that save `context` and then discard it, which ends its work.
  package func entryPoints(thatFinish context: ContextID) -> [EntryPointID] {
    func has(_ step: Step, _ entryPoint: EntryPoint) -> Bool {
      entryPoint.steps.contains { $0.contains { $0 == AddressedStep(context, step) } }
    }
    return entryPoints.indices.filter { index in
      has(.save, entryPoints[index]) && has(.discard, entryPoints[index])
    }.map { EntryPointID($0) }
  }

  /// A Boolean value that indicates whether the stack refers to entities of a specific model.
  package var namesEntities: Bool {
    stores.contains { $0.entities != nil } || !controllers.isEmpty
      || !promisedEntities.isEmpty
      || ownSteps.contains { $0.namesEntity }
  }

  /// A Boolean value that indicates whether the stack's own steps refer to objects of a program.
  package var namesObjects: Bool {
    var namesAny = false
    for step in ownSteps { step.visitNames { _ in namesAny = true } }
    return namesAny
  }
}

extension AddressedStep {
  fileprivate var namesEntity: Bool {
    switch step {
    case .insert, .fetch, .count, .batch: true
    default: step.block?.contains { $0.namesEntity } ?? false
    }
  }
}
