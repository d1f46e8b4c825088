package import ObjectModel
import Prose

/// The reason why a model that a scenario names cannot be used, as the end of a sentence.
package struct UnreadableModel: Error, Hashable, Sendable {
  package var message: String
  package init(message: String) { self.message = message }
}

/// Parses and prints scenarios, which consist of prose, a header, and the sections `model`,
/// `stack`, `steps` and `claims`.
///
/// Printing a parsed scenario results in a canonical text. It has a blank line between parts, two
/// spaces after the first word of a line, single spaces elsewhere, and two spaces of indentation
/// for each level.
package enum ScenarioText {
  /// Parses a scenario.
  ///
  /// - Parameter model: Reads the model file of a scenario that does not contain its model.
  package static func parse(
    _ text: String, model: (String) -> Result<ObjectModel, UnreadableModel>
  ) throws(TextError) -> Scenario {
    var errors = TextErrors()
    let all = lines(of: text, &errors)
    checkSeparation(of: all, &errors)
    let layout = ScenarioLayout(all, &errors)
    let header = ScenarioHeader(layout.header, endingAt: layout.headerEnd, &errors)
    if !layout.has(.model) { errors.add(layout.lack(of: .model)) }
    let read = readModel(layout, model, &errors)
    let (path, model) = read ?? (nil, ObjectModel(entities: []))
    var scope = Scope(model: model, bindings: bindings(layout, model))
    scope.errors = errors
    scope.lacksModel = read == nil
    if !layout.has(.stack) { scope.errors.add(layout.lack(of: .stack)) }
    scope.readStack(layout.body(.stack))
    var (items, claims) = scope.items(layout.body(.steps))
    claims += scope.claims(layout.body(.claims))
    try scope.errors.throwIfAny(upTo: Scope.shownErrorLimit)
    guard let name = header.name, let evidence = header.evidence else {
      preconditionFailure("a header without a name or evidence has an error")
    }
    var scenario = Scenario(
      name: name, evidence: evidence, model: scope.model, stack: scope.stack)
    scenario.prose = layout.prose
    header.describe(&scenario)
    scenario.modelPath = path
    scenario.names = scope.names
    scenario.items = items
    scenario.claims = claims
    return scenario
  }

  private static func readModel(
    _ layout: ScenarioLayout, _ model: (String) -> Result<ObjectModel, UnreadableModel>,
    _ errors: inout TextErrors
  ) -> (path: String?, ObjectModel)? {
    guard var heading = layout.heading(.model) else { return nil }
    let path = heading.rest()
    let body = layout.body(.model)
    if path.isEmpty {
      return ModelText.parse(body, indentation: 2, &errors).map { (nil, $0) }
    }
    if let line = body.first {
      errors.add(
        line.error("model is declared here and named '\(shortened(path))' above; one is enough"))
      return nil
    }
    switch model(path) {
    case .success(let model): return (path, model)
    case .failure(let failure):
      errors.add(heading.error("model '\(shortened(path))' cannot be read: \(failure.message)"))
      return nil
    }
  }

  /// Returns the bindings of all names in entry points, observers and steps.
  private static func bindings(_ layout: ScenarioLayout, _ model: ObjectModel)
    -> TextBindings
  {
    var bindings = TextBindings(model)
    bindings.add(layout.body(.stack).filter { $0.indentation >= 4 })
    bindings.add(Array(layout.body(.steps)))
    bindings.resolve()
    return bindings
  }

  package static func print(_ scenario: Scenario) -> String {
    let spelling = Spelling(scenario)
    func section(_ section: ScenarioLayout.Section, _ lines: [String]) -> [String] {
      [section.rawValue] + lines.map { "  " + $0 }
    }
    var parts = [
      scenario.prose.map { $0.isEmpty ? "#" : "# \($0)" },
      ScenarioHeader.lines(scenario),
      scenario.modelPath.map { ["model  \($0)"] }
        ?? section(.model, ModelText.canonicalLines(of: scenario.model)),
      section(.stack, spelling.stackLines()),
    ]
    if !scenario.items.isEmpty {
      let lines = scenario.items.enumerated().flatMap { index, item in
        spelling.lines(item)
          + scenario.claims.filter { $0.place == index }.map { "  claim  \(spelling.line($0))" }
      }
      parts.append(section(.steps, lines))
    }
    let claims = scenario.claims.filter { $0.place == nil }
    if !claims.isEmpty {
      parts.append(section(.claims, claims.map { spelling.line($0) }))
    }
    return parts.filter { !$0.isEmpty }
      .map { part in part.map { $0 + "\n" }.joined() }.joined(separator: "\n")
  }
}

extension Spelling {
  func lines(_ item: Scenario.Item) -> [String] {
    lines(item.step, blockLane: nil) + item.transcript.map { $0.isEmpty ? "  >" : "  > \($0)" }
  }
}
