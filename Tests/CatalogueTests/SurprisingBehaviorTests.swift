import Catalogue
import Foundation
import InputFiles
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Timelines

@Suite struct `The surprising behaviours of the book of scenarios` {
  private typealias Named = (path: String, scenario: Scenario)

  private func facts() throws -> FactList {
    try FactList(path: Repository.root + "/" + FactCoverage.listPath)
  }

  /// Returns the scenarios of the cards, in order.
  private func scenarios() throws -> [Named] {
    let all = try Repository.scenarios()
    return try SurprisingBehavior.all.map { behavior in
      let named = all.filter { $0.scenario.name == behavior.scenario }
      #expect(named.count == 1, "\(behavior.scenario)")
      return try #require(named.first, "no scenario \(behavior.scenario)")
    }
  }

  private func index(of scenarios: [Named]) throws -> String {
    let page = try #require(ScenarioBook(scenarios, facts: try facts()).pages.last)
    #expect(page.path == "index.html")
    return page.html
  }

  @Test func `each surprising behaviour has a scenario that passes`() throws {
    for (path, scenario) in try scenarios() {
      #expect(ScenarioCheck(scenario).problems.map(\.message) == [], "\(path)")
    }
    #expect(Set(SurprisingBehavior.all.map(\.scenario)).count == 8)
  }

  @Test func `each surprising behaviour has facts that its scenario cites`() throws {
    let facts = try facts()
    for (behavior, named) in zip(SurprisingBehavior.all, try scenarios()) {
      #expect(!behavior.facts.isEmpty, "\(behavior.scenario)")
      for id in behavior.facts {
        #expect(facts[id] != nil, "\(behavior.scenario): \(id)")
        #expect(named.scenario.citedFacts.contains(id), "\(behavior.scenario): \(id)")
      }
    }
  }

  @Test func `the first page has eight cards before the lists`() throws {
    let facts = try facts()
    let html = try index(of: scenarios())
    let cards = html.matches(of: /<article class="card">(.*?)<\/article>/.dotMatchesNewlines())
    #expect(cards.count == 8)
    for (card, behavior) in zip(cards, SurprisingBehavior.all) {
      #expect(card.1.contains("<h3>\(escaped(behavior.statement))</h3>"))
      #expect(card.1.contains("\(escaped(behavior.code))</code>"))
      #expect(card.1.contains(/<svg [^>]* role="img" aria-label="[^"]+"/), "\(behavior.scenario)")
      #expect(card.1.contains("/\(behavior.scenario).html\""), "\(behavior.scenario)")
      for id in behavior.facts {
        let sentence = try #require(facts[id]?.sentence)
        #expect(card.1.contains(escaped(sentence)), "\(behavior.scenario): \(id)")
      }
    }
    let list = try #require(html.range(of: "id=\"subjects\"")?.lowerBound)
    #expect(cards.allSatisfy { $0.range.upperBound < list })
  }

  @Test func `the links of the cards lead to places on the first page`() throws {
    let html = try index(of: scenarios())
    let places = Set(html.matches(of: /id="([^"]*)"/).map(\.1))
    let links = html.matches(of: /href="#([^"]+)"/).map(\.1)
    #expect(links.count >= 12)
    for link in links { #expect(places.contains(link), "\(link)") }
  }

  /// The first outcome of the scenario's exploration has no deadlock.
  @Test func `the card of a scenario with many schedules shows its deadlock`() throws {
    let html = try index(of: scenarios())
    let cards = html.matches(of: /<article class="card">(.*?)<\/article>/.dotMatchesNewlines())
    let waiting = try #require(cards.first { $0.1.contains("/main-waits-for-its-child.html") })
    #expect(waiting.1.contains(/class="arrow cycle/))
  }

  @Test func `a book without one of the scenarios has no cards`() throws {
    let scenarios = try scenarios()
    for others in [Array(scenarios.dropLast()), []] {
      let html = try index(of: others)
      #expect(!html.contains("<article") && !html.contains("id=\"surprises\""))
    }
  }
}
