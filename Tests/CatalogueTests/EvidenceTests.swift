import Catalogue
import Foundation
import ScenarioChecking
import TestSupport
import Testing

@Suite struct `Evidence of a scenario` {
  @Test func `a remark names what looks like a fact and is none`() throws {
    let list = try FactList(path: Repository.root + "/" + FactCoverage.listPath)
    let text = "# SV-\(98)\nscenario  x\nevidence  reported  SV-05, SV-\(99)\n\nAB-12\n"
    let problems = list.unknownIDs(inEvidenceOf: text)
    #expect(problems.map(\.line) == [3])
    #expect(problems[0].message.hasPrefix("'SV-\(99)' is not in Fixtures/Facts.txt; "))
  }
}
