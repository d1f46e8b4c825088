package import ScenarioChecking

extension FactList {
  /// Returns a problem for each word in a scenario's `evidence` line that looks like an ID but is
  /// not the ID of a fact.
  package func unknownIDs(inEvidenceOf text: String) -> [ScenarioCheck.Problem] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    // Lines other than `evidence` lines become empty, so that line numbers stay the same.
    let evidence = lines.map { $0.hasPrefix("evidence ") ? $0 : "" }.joined(separator: "\n")
    return FactMentions(in: evidence).strangers(to: self).map { mention in
      ScenarioCheck.Problem(line: mention.line, message: message(about: mention))
    }
  }
}
