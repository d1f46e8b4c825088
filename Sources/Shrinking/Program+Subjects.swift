import Execution
import ObjectModel
import Vocabulary

/// An entity that a step names, or one of its properties.
struct Subject: Hashable {
  let entity: EntityID
  var property: PropertyID?
}

/// A kind of step in a context: a part of the role that the context has in an app.
struct Deed: Hashable {
  let context: String
  let kind: Step.Kind
}

extension Stack {
  /// The kinds of the step and of those in its block.
  func deeds(of step: AddressedStep) -> Set<Deed> {
    let own = Deed(context: self[step.context].name, kind: step.step.kind)
    return (step.step.block ?? []).reduce(into: [own]) { $0.formUnion(deeds(of: $1)) }
  }
}

extension Program {
  /// The kinds of steps that each context takes.
  var deeds: Set<Deed> { steps.reduce(into: []) { $0.formUnion(stack.deeds(of: $1)) } }

  /// What its steps and those of its observers are about.
  var subjects: Set<Subject> {
    subjects(of: steps + stack.observers.flatMap(\.steps), EntityTable(of: self))
  }

  /// What `steps` are about, whose names are those of this program.
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
