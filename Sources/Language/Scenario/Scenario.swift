package import ObjectModel
package import Vocabulary

/// A program that demonstrates one behaviour, with its stack and its expected outcome.
///
/// `ScenarioText` parses and prints scenarios. Object names are numbered in the order in which the
/// text mentions them: entry points first, then observers, then steps.
package struct Scenario: Hashable, Sendable {
  /// The kind of evidence that Core Data behaves like this.
  package enum Evidence: String, CaseIterable, Sendable {
    case documented, observed, reported, inferred
  }

  /// The order in which the lanes take their steps.
  package enum Interleave: Hashable, Sendable {
    /// The order in which the steps are written.
    case inOrder
    /// The order given by these choices of the scheduler.
    case choices([Int])
    /// All orders, with one run for each.
    case every
  }

  /// A step of the program with its recorded transcript.
  package struct Item: Sendable {
    package var step: AddressedStep
    /// The lines of the transcript without `> `.
    package var transcript: [String]
    /// The line of the step in its file, or 0 if it was not parsed. Equality ignores the line.
    package var line: Int

    package init(_ step: AddressedStep, transcript: [String] = [], line: Int = 0) {
      self.step = step
      self.transcript = transcript
      self.line = line
    }
  }

  /// The lines of the introduction without `# `.
  package var prose: [String] = []
  package var name: String
  package var evidence: Evidence
  /// The source of the evidence.
  package var source: String? = nil
  /// The sentence of Apple's documentation that the scenario contradicts.
  package var contradicts: String? = nil
  /// The quirks that the scenario requires. They are on even if the profile does not include them.
  package var quirks: [Quirk] = []
  /// The profile of the simulated system, to which `quirks` are added. `nil` stands for `current`.
  package var profile: Profile? = nil
  /// The kinds of events that the transcript shows in addition to the results of steps.
  package var watch: [WatchedEvent] = []
  package var interleave = Interleave.inOrder
  /// The path of the model's file, or `nil` if the scenario's text contains the model.
  package var modelPath: String? = nil
  /// The model, whose symbols include the texts of the stack, the steps and the claims.
  package var model: ObjectModel
  package var stack: Stack
  /// The program's names of objects.
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
  /// The heading in the prose of a kept example that precedes remarks: how often the failure
  /// occurred, whether the example is minimal, and which parts matter.
  package static let remarksHeading = "Details:"

  /// Returns a Boolean value that indicates whether a line of the prose is the heading of remarks,
  /// in the words of this version or of an earlier one.
  package static func isRemarksHeading(_ line: String) -> Bool {
    [remarksHeading, "What is known of it:"].contains(line)
  }

  package var hasRemarks: Bool { prose.contains(where: Scenario.isRemarksHeading) }

  /// A Boolean value that indicates whether the scenario is a failure that a campaign kept.
  ///
  /// Such a scenario, wherever its file is, tests whether the failure still occurs.
  package var isKeptFailure: Bool {
    guard hasRemarks, claims.count == 1 else { return false }
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
  /// The names that `get` and `fetch` give to their results.
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

  /// The entities of the objects that names stand for, indexed by name. An element is `nil` if no
  /// step binds the name.
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
