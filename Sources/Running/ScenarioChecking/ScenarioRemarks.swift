import Execution
package import Scenario
package import Vocabulary

/// Remarks on a scenario that do not affect whether it passes.
extension Scenario {
  /// A Boolean value that indicates whether the scenario has no transcript.
  package var isUnrecorded: Bool { items.allSatisfy(\.transcript.isEmpty) }

  /// The named quirks without which the scenario still passes. Each is tested alone.
  ///
  /// A scenario without claims has none, because it states too little. A campaign's example, for
  /// instance, names all quirks under which it was found.
  package var needlessQuirks: [Quirk] {
    if claims.isEmpty { return [] }
    return quirks.filter { ScenarioCheck(self, quirks: quirkSet.removing($0)).problems.isEmpty }
  }

  /// Returns the scenario without needless quirks.
  ///
  /// The quirks are removed one after the other, because two of them can be needless alone but not
  /// together. A scenario written from a run names all quirks of that run.
  package func withoutNeedlessQuirks() -> Scenario {
    var result = self
    while let quirk = result.needlessQuirks.first { result.quirks.removeAll { $0 == quirk } }
    return result
  }

  /// The lines of the stack as one line, as in `store main; view mainQueue coordinator store`.
  package var stackInWords: String {
    let lines = ScenarioText.print(self).split(separator: "\n")
    var parts: [String] = []
    for line in lines.drop(while: { $0 != "stack" }).dropFirst().prefix(while: { $0.hasPrefix(" ") }
    ) {
      let words = line.split(separator: " ").joined(separator: " ")
      if line.hasPrefix("   "), let last = parts.popLast() {
        // The line is a step of an observer or an entry point.
        parts.append(last + " → " + words)
      } else {
        parts.append(words)
      }
    }
    return parts.joined(separator: "; ")
  }

  /// The first sentence of the scenario's prose.
  package var firstSentence: String? { sentence(atTheStartOf: prose) }
}

extension StackDesign {
  /// The first sentence of the prose.
  package var firstSentence: String? { sentence(atTheStartOf: prose) }
}

/// Returns the first sentence of a wrapped text, or `nil` for an empty text.
private func sentence(atTheStartOf prose: [String]) -> String? {
  let paragraph = prose.prefix { !$0.isEmpty }.joined(separator: " ")
  guard !paragraph.isEmpty else { return nil }
  guard let end = paragraph.firstRange(of: ". ") else { return paragraph }
  return paragraph[..<end.lowerBound] + "."
}

/// Steps that do nothing because their lane holds no object by the name that they use.
extension Scenario {
  /// Messages about these steps, each with the line of the item that contains the step.
  /// Lookups are omitted, because they result in `nothing` for other reasons.
  package var stepsWithoutName: [(line: Int, message: String)] {
    let log = ProgramRunner(ScenarioRunner(self).configuration).play(
      Program(self), keeping: .events(keepingWorldsAfter: [])
    ).log.eventsByStep
    var remarks: [(line: Int, message: String)] = []
    for (item, events) in zip(items, log) {
      for entry in events where entry.event == .nothing {
        guard case .step(let step, _) = entry.action, let name = step.step.ownName else {
          continue
        }
        let (object, lane) = (names[name.index], stack[step.context].name)
        remarks.append(
          (
            item.line,
            "'\(entry.action.verb) \(object)' does nothing: \(lane) has no instance named "
              + "'\(object)' at this step; bind one first, with 'object', 'existingObject' or 'fetch'"
          ))
      }
    }
    return remarks
  }
}

extension Step {
  /// The name of the object that the step uses in its own lane, or `nil` for lookups.
  fileprivate var ownName: ObjectName? {
    switch self {
    case .get(let name, _, as: _), .set(let name, _, _), .setPrimitive(let name, _, _),
      .increment(let name, _, by: _), .relate(let name, _, _), .add(let name, _, _),
      .remove(let name, _, _), .replace(let name, _, _), .delete(let name), .insertAgain(let name),
      .detectConflicts(let name), .changedValues(let name), .committedValues(let name),
      .changedValuesForCurrentEvent(let name), .hasPersistentChangedValues(let name),
      .uriRepresentation(let name), .refresh(let name, _), .validate(let name, _):
      name
    default: nil
    }
  }
}
