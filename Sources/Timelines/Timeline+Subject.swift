package import Failures

/// Which violation of a run is shown first, and what proves it.
extension Timeline {
  /// The first violation of the kind that the run is about, otherwise the most severe; nil if
  /// no invariant was violated.
  package func mainFinding(about kind: FailureKind?) -> Int? {
    if let kind, let index = findings.firstIndex(where: { $0.kind == kind }) { return index }
    return findings.indices.min {
      (findings[$0].kind.severityRank, $0) < (findings[$1].kind.severityRank, $1)
    }
  }

  /// The moments to which lines of the proof belong, and the one that brought it to light.
  func provingMoments(of finding: Int) -> [Int] {
    let proving = findings[finding].proof.compactMap(\.moment)
    return moments.indices.filter {
      proving.contains($0) || moments[$0].violations.contains(finding)
    }
  }

  /// The names of what a moment brought to light, each once.
  func kinds(at moment: Moment) -> [String] {
    var names: [String] = []
    for index in moment.violations where !names.contains(findings[index].kind.name) {
      names.append(findings[index].kind.name)
    }
    return names
  }

  /// Whether there is more to point out than where it showed.
  func isProvedBySteps(_ finding: Int) -> Bool {
    provingMoments(of: finding).count > 1
  }
}
