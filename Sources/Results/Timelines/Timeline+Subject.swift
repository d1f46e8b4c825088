package import Failures

/// The violation of a run to show first, and its proof.
extension Timeline {
  /// Returns the index of the first violation of `kind`, or else of the most severe violation.
  /// Returns nil if no invariant was violated.
  package func mainFinding(about kind: FailureKind?) -> Int? {
    if let kind, let index = findings.firstIndex(where: { $0.kind == kind }) { return index }
    return findings.indices.min {
      (findings[$0].kind.severityRank, $0) < (findings[$1].kind.severityRank, $1)
    }
  }

  /// Returns the moments of the lines in a proof, and the moment that revealed the violation.
  func provingMoments(of finding: Int) -> [Int] {
    let proving = findings[finding].proof.compactMap(\.moment)
    return moments.indices.filter {
      proving.contains($0) || moments[$0].violations.contains(finding)
    }
  }

  /// Returns the names of the violations that a moment revealed, without duplicates.
  func kinds(at moment: Moment) -> [String] {
    var names: [String] = []
    for index in moment.violations where !names.contains(findings[index].kind.name) {
      names.append(findings[index].kind.name)
    }
    return names
  }

  /// Returns whether more than one moment proves the finding.
  func isProvedBySteps(_ finding: Int) -> Bool {
    provingMoments(of: finding).count > 1
  }
}
