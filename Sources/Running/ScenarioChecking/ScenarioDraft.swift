import Failures
import Execution
package import Scenario
import SimulatedCoreData
package import Vocabulary

extension Scenario {
  /// Returns the scenario with claims that hold: its violations, the ends of steps, the final rows
  /// and instances, and the contexts with unsaved changes.
  ///
  /// The result is a draft, from which its author removes irrelevant claims.
  ///
  /// - Complexity: One run, and some parsing, for each candidate claim.
  package func claimingWhatHolds(quirks: QuirkSet) -> Scenario {
    let kinds = failureKinds(of: ScenarioRunner(self, quirks: quirks).run())
    var lines: [String] = []
    for line in outcomes(kinds) + states(quirks) {
      guard let candidate = claiming(lines + [line]) else { continue }
      if ScenarioRunner(candidate, quirks: quirks).run().claims.last == true { lines.append(line) }
    }
    var result = claiming(lines) ?? self
    result.record(quirks: quirks)
    return result
  }

  /// The error that parsing the scenario's text would throw, or `nil` if the text is valid.
  package var problemOfText: String? {
    do throws(TextError) {
      _ = try ScenarioText.parse(ScenarioText.print(self)) { name in
        .failure(UnreadableModel(message: "\(name) is not read"))
      }
      return nil
    } catch {
      return error.message
    }
  }

  private func failureKinds(of run: ScenarioRun) -> [FailureKind] {
    Execution.failureKinds(of: run.violations, run.disagreement)
  }

  /// Returns the scenario parsed from its text with these claims, so that the model includes the
  /// texts of the claims. Returns `nil` if a claim is invalid, for example because an object has no
  /// name.
  private func claiming(_ lines: [String]) -> Scenario? {
    var bare = self
    bare.claims = []
    bare.modelPath = nil
    for index in bare.items.indices { bare.items[index].transcript = [] }
    let claims = lines.isEmpty ? "" : "\nclaims\n" + lines.map { "  \($0)\n" }.joined()
    // The printed text contains the model, so no file is read.
    return try? ScenarioText.parse(ScenarioText.print(bare) + claims) { name in
      .failure(UnreadableModel(message: "\(name) is not read"))
    }
  }

  private func outcomes(_ kinds: [FailureKind]) -> [String] {
    kinds.map { "shows  \($0)" } + ["deadlock", "succeeded"]
      + FailureName.all.map { "failed  \($0.text)" }
  }

  /// Returns claims about the rows and instances of all named objects, and about unsaved changes.
  private func states(_ quirks: QuirkSet) -> [String] {
    let objects = names.indices.map { ObjectName($0) }
    let places =
      objects.map {
        (text: "store.\(names[$0.index])", condition: Claim.Condition.row(of: $0, has: []))
      }
      + objects.flatMap { name in
        stack.contextIDs.map { context in
          (
            text: "\(stack[context].name).\(names[name.index])",
            condition: Claim.Condition.instance(HeldInstance(context, name), has: [])
          )
        }
      }
    var asking = self
    asking.claims = places.map { Claim($0.condition) }
    let findings = ScenarioRunner(asking, quirks: quirks).run().findings
    let values = zip(places, findings).compactMap { place, finding in
      finding.flatMap { $0.hasPrefix("{") ? "equal  \(place.text) \($0)" : nil }
    }
    let instances = places.dropFirst(objects.count).map(\.text)
    return values + instances.flatMap { ["temporary  \($0)", "deleted  \($0)"] }
      + stack.contextIDs.flatMap { ["changed  \(stack[$0].name)", "clean  \(stack[$0].name)"] }
  }
}
