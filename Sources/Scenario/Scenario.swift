package import ObjectModel
package import Vocabulary

/// A history that shows one thing: a stack, a program for it, and what must come of it.
///
/// `ScenarioText` reads and prints it. Object names are numbered in the order in which the text
/// mentions them: first the entry points, then the observers, then the steps.
package struct Scenario: Hashable, Sendable {
  /// How we know that Core Data behaves like this.
  package enum Evidence: String, CaseIterable, Sendable {
    case documented, observed, reported, inferred
  }

  /// In which order the lanes take their steps.
  package enum Interleave: Hashable, Sendable {
    /// As they are written.
    case inOrder
    /// As these choices of the scheduler say.
    case choices([Int])
    /// In all orders, one run each.
    case every
  }

  /// A step of the program with the transcript that was recorded for it.
  package struct Item: Sendable {
    package var step: AddressedStep
    /// Lines without `> `.
    package var transcript: [String]
    /// Where the step stands in its file; 0 if it was not read. Not part of the item's identity.
    package var line: Int

    package init(_ step: AddressedStep, transcript: [String] = [], line: Int = 0) {
      self.step = step
      self.transcript = transcript
      self.line = line
    }
  }

  /// Lines without `# `.
  package var prose: [String] = []
  package var name: String
  package var evidence: Evidence
  /// Where the evidence is found.
  package var source: String? = nil
  /// The sentence of Apple's documentation that does not hold here.
  package var contradicts: String? = nil
  /// What it depends on; on, whether or not the profile has them.
  package var quirks: [Quirk] = []
  /// The system that is simulated, besides these quirks; nil is `current`.
  package var profile: Profile? = nil
  /// What the transcript shows besides the answers of steps.
  package var watch: [WatchedEvent] = []
  package var interleave = Interleave.inOrder
  /// The file that the model is in; nil if it is part of the text.
  package var modelPath: String? = nil
  /// Its symbols include the texts of the stack, the steps and the claims.
  package var model: ObjectModel
  package var stack: Stack
  /// What the program calls its objects.
  package var names: [String] = []
  package var items: [Item] = []
  package var claims: [Claim] = []

  package init(name: String, evidence: Evidence, model: ObjectModel, stack: Stack) {
    self.name = name
    self.evidence = evidence
    self.model = model
    self.stack = stack
  }
}

extension Scenario {
  /// The line of the prose behind which a kept example says what is known of it: how often it was
  /// met, whether it can be shorter, and what of it matters.
  package static let remarksHeading = "What is known of it:"

  /// Whether it is what a campaign has kept of a failure, wherever its file is: then it is about
  /// whether it still fails.
  package var isKeptFailure: Bool {
    guard prose.contains(Scenario.remarksHeading), claims.count == 1 else { return false }
    if case .shows = claims[0].condition { return true }
    return false
  }
}

extension Scenario.Item: Hashable {
  package static func == (a: Self, b: Self) -> Bool {
    a.step == b.step && a.transcript == b.transcript
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(step)
    hasher.combine(transcript)
  }
}

extension Scenario {
  /// The names that `get` and `fetch` give to what they find.
  package var namesOfReads: Set<ObjectName> {
    var names: Set<ObjectName> = []
    for step in stack.entryPoints.flatMap(\.steps) + stack.observers.flatMap(\.steps)
      + items.map(\.step)
    {
      _ = step.contains { inner in
        if let name = inner.step.nameOfResult { names.insert(name) }
        return false
      }
    }
    return names
  }

  /// The entity of what each name stands for; nil if no step binds the name.
  package var entitiesOfNames: [EntityID?] {
    var bindings = ProgramBindings()
    bindings.add(stack.entryPoints.flatMap(\.steps))
    bindings.add(stack.observers.flatMap(\.steps))
    bindings.add(items.map(\.step))
    bindings.resolve { property, entity in
      guard property.index < model[entity].properties.count else { return nil }
      return model[entity][property].relationship?.destination
    }
    return names.indices.map { bindings.entity(of: ObjectName($0)) }
  }
}
