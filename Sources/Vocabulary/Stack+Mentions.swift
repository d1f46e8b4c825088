/// What a stack's own steps speak of: a stack that names nothing suits any model.
extension Stack {
  /// The steps of entry points and observers.
  package var ownSteps: [AddressedStep] {
    entryPoints.flatMap(\.steps) + observers.flatMap(\.steps)
  }

  /// The entry points that save `context` and throw it away: the ends of its one piece of work.
  package func entryPoints(thatFinish context: ContextID) -> [EntryPointID] {
    func has(_ step: Step, _ entryPoint: EntryPoint) -> Bool {
      entryPoint.steps.contains { $0.contains { $0 == AddressedStep(context, step) } }
    }
    return entryPoints.indices.filter { index in
      has(.save, entryPoints[index]) && has(.discard, entryPoints[index])
    }.map { EntryPointID($0) }
  }

  /// Whether it means one model.
  package var namesEntities: Bool {
    stores.contains { $0.entities != nil } || !controllers.isEmpty
      || !promises.isEmpty
      || ownSteps.contains { $0.namesEntity }
  }

  /// Whether it means objects of one program.
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
