import Shrinking
import Testing
import Vocabulary

@Suite struct `The order of steps` {
  @Test func `each kind of step has a place in the order from simple to drastic`() {
    let ranks = Step.Kind.allCases.map(\.simplicityRank)
    #expect(ranks.sorted() == Array(ranks.indices), "each once, and none left out")
  }
}
