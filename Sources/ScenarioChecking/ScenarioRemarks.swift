import Execution
package import Scenario
package import Vocabulary

/// What can be said of a scenario besides whether it holds.
extension Scenario {
  /// Whether it has no transcript at all.
  package var isUnrecorded: Bool { items.allSatisfy(\.transcript.isEmpty) }

  /// The quirks that it names and could do without: with one of them off, all that it says holds.
  ///
  /// A scenario without claims says too little to tell: an example of a campaign names all quirks
  /// under which it was found.
  package var needlessQuirks: [Quirk] {
    if claims.isEmpty { return [] }
    return quirks.filter { ScenarioCheck(self, quirks: quirkSet.removing($0)).problems.isEmpty }
  }

  /// Without those, one after the other: together two may be needed of which each alone is not.
  /// A scenario that was written from a run has all the quirks of that run.
  package func withoutNeedlessQuirks() -> Scenario {
    var result = self
    while let quirk = result.needlessQuirks.first { result.quirks.removeAll { $0 == quirk } }
    return result
  }

  /// The lines of its stack as one: `store main; view mainQueue coordinator store; work
  /// privateQueue parent view`.
  package var stackInWords: String {
    let lines = ScenarioText.print(self).split(separator: "\n")
    var parts: [String] = []
    for line in lines.drop(while: { $0 != "stack" }).dropFirst().prefix(while: { $0.hasPrefix(" ") }
    ) {
      let words = line.split(separator: " ").joined(separator: " ")
      if line.hasPrefix("   "), let last = parts.popLast() {
        // The steps of an observer or an entry point.
        parts.append(last + " → " + words)
      } else {
        parts.append(words)
      }
    }
    return parts.joined(separator: "; ")
  }

  /// Of its prose.
  package var firstSentence: String? { sentence(atTheStartOf: prose) }
}

extension StackDesign {
  /// Of its prose.
  package var firstSentence: String? { sentence(atTheStartOf: prose) }
}

/// The first sentence of a text whose lines break where they are full; nil if there is none.
private func sentence(atTheStartOf prose: [String]) -> String? {
  let paragraph = prose.prefix { !$0.isEmpty }.joined(separator: " ")
  guard !paragraph.isEmpty else { return nil }
  guard let end = paragraph.firstRange(of: ". ") else { return paragraph }
  return paragraph[..<end.lowerBound] + "."
}

/// Steps that do nothing since their lane has no such name.
extension Scenario {
  /// Each with the line of the step of the program that it belongs to. Look-ups answer `nothing`
  /// for other reasons and are left out.
  package var stepsWithoutName: [(line: Int, message: String)] {
    let log = ProgramRunner(ScenarioRunner(self).configuration).play(
      Program(self), keeping: .events(keepingWorldsAfter: [])
    ).log.eventsByStep
    var remarks: [(line: Int, message: String)] = []
    for (item, events) in zip(items, log) {
      for happening in events where happening.event == .nothing {
        guard case .step(let step, _) = happening.action, let name = step.step.ownName else {
          continue
        }
        let (object, lane) = (names[name.index], stack[step.context].name)
        remarks.append(
          (
            item.line,
            "'\(happening.action.verb) \(object)' does nothing: \(lane) has no instance by the name "
              + "'\(object)' then; bind it with 'object', 'existingObject' or 'fetch' first"
          ))
      }
    }
    return remarks
  }
}

extension Step {
  /// The object that it is about and that its lane must have by this name; nil for look-ups.
  fileprivate var ownName: ObjectName? {
    switch self {
    case .get(let name, _, as: _), .set(let name, _, _), .setPrimitive(let name, _, _),
      .increment(let name, _), .relate(let name, _, _), .add(let name, _, _),
      .remove(let name, _, _), .replace(let name, _, _), .delete(let name), .insertAgain(let name),
      .detectConflicts(let name), .changedValues(let name), .committedValues(let name),
      .changedValuesForCurrentEvent(let name), .hasPersistentChangedValues(let name),
      .uriRepresentation(let name), .refresh(let name, _), .validate(let name, _):
      name
    default: nil
    }
  }
}
