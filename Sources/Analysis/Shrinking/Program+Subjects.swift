import Execution
import ObjectModel
import Vocabulary

/// An entity that a step names, or one of its properties.
struct Subject: Hashable {
  let entity: EntityID
  var property: PropertyID?
}

/// A kind of step in a context, which is part of the role of the context in an app.
struct ContextActivity: Hashable {
  let context: String
  let kind: Step.Kind
}

extension Stack {
  /// Returns the kinds of the step and of the steps in its block, each with its context.
  func activities(of step: AddressedStep) -> Set<ContextActivity> {
    let own = ContextActivity(context: self[step.context].name, kind: step.step.kind)
    return (step.step.block ?? []).reduce(into: [own]) { $0.formUnion(activities(of: $1)) }
  }
}

extension Program {
  /// The kinds of steps that each context takes.
  var activities: Set<ContextActivity> {
    steps.reduce(into: []) { $0.formUnion(stack.activities(of: $1)) }
  }

  /// The subjects of all program steps and observer steps.
  var subjects: Set<Subject> {
    subjects(of: steps + stack.observers.flatMap(\.steps), EntityTable(of: self))
  }

  /// Returns the subjects of `steps`, whose names must be names of this program.
  func subjects(of steps: [AddressedStep], _ entities: EntityTable) -> Set<Subject> {
    var found: Set<Subject> = []
    var mapping = StepMapping()
    mapping.entity = {
      found.insert(Subject(entity: $0))
      return $0
    }
    mapping.property = { property, owner in
      let entity: EntityID? =
        switch owner {
        case .object(let name): entities[name]
        case .request(let entity): entity
        }
      if let entity { found.insert(Subject(entity: entity, property: property)) }
      return property
    }
    mapping.destination = { model.destination(of: $0, from: $1) }
    for step in steps { _ = mapping(step) }
    return found
  }
}
