import Catalogue
import Failures
import Foundation
import TestSupport
import Testing
import Vocabulary

@Suite struct `Facts of a remedy` {
  /// Advice comes first, and the IDs of facts last. A contested report is not a fact.
  @Test func `a remedy ends with the facts that say why`() throws {
    let facts = try FactList(path: Repository.root + "/Fixtures/Facts.txt")
    let causes: [Cause] =
      Quirk.allCases.map(Cause.quirk) + MergePolicy.allCases.map(Cause.mergePolicy)
      + [
        .automaticMerge, .design, .program, .interleaving, .noActionRule, .missingInverse,
        .willSave,
        .severalCoordinators, .mergePolicies(.overwrite, .rollback),
      ]
    var remedies: Set<String> = []
    for invariant in Invariant.allCases {
      for (cause, anomaly) in causes.flatMap({ cause in
        invariant.definition.anomalies.map { (cause, $0) }
      }) {
        for priorEvents in UInt8.min...127 {
          let remedy = invariant.definition.remedy(
            for: cause, at: anomaly.site, after: PriorEvents(rawValue: priorEvents))
          if let remedy { remedies.insert(remedy) }
        }
      }
    }
    #expect(remedies.count > 20)
    var count = 0
    for remedy in remedies.sorted().flatMap({ $0.components(separatedBy: "; and ") }) {
      let words = remedy.matches(of: /[A-Z]{2}-A?[0-9]+/).map { String($0.0) }
      if words.isEmpty { continue }
      count += 1
      #expect(remedy.hasSuffix(" (\(words.joined(separator: ", ")))"), "\(remedy)")
      for id in words.compactMap({ FactID($0[...]) }) {
        let fact = try #require(facts[id], "\(remedy)")
        #expect(fact.grade != .contested || remedy.contains("most reports"), "\(remedy)")
      }
    }
    #expect(count > 15)
  }
}
