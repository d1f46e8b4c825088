package import ScenarioChecking

extension FactList {
  /// Words in the `evidence` line of a scenario that look like IDs of facts and are none.
  package func unknownIDs(inEvidenceOf text: String) -> [ScenarioCheck.Problem] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    // The others stay as empty lines, so that the numbers are right.
    let evidence = lines.map { $0.hasPrefix("evidence ") ? $0 : "" }.joined(separator: "\n")
    return FactMentions(in: evidence).strangers(to: self).map { mention in
      ScenarioCheck.Problem(line: mention.line, message: message(about: mention))
    }
  }
}
