/// What a stack's own steps speak of: a stack that names nothing suits any model.
extension Stack {
  /// The steps of entry points and observers.
  private var ownSteps: [AddressedStep] {
    entryPoints.flatMap(\.steps) + observers.flatMap(\.steps)
  }

  /// Whether it means one model.
  package var namesEntities: Bool {
    stores.contains { $0.entities != nil } || !controllers.isEmpty
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
