import Reporting
import Scenario
import ScenarioChecking
import Timelines

/// A surprising behaviour on the first page of the book of scenarios, with its picture, its facts,
/// advice, and a link to the page of its scenario.
struct SurpriseCard {
  let behavior: SurprisingBehavior
  let scenario: Scenario
  /// The address of the scenario's page.
  let link: String
  /// The list that contains the sentences of facts.
  let facts: FactList?

  /// - Complexity: One run of the scenario, or one run for each of its schedules. For each kind of
  ///   violation, some ten runs determine the cause.
  var html: String {
    """
    <article class="card">
    <h3>\(escaped(behavior.statement))</h3>
    <figure>
    \(picture)
    </figure>
    \(behavior.facts.map(paragraph).joined(separator: "\n"))
    <p>\(escaped(behavior.advice))</p>
    <pre><code>\(escaped(behavior.code))</code></pre>
    <p class="fine">Scenario: <a href="\(escaped(link))">\(escaped(scenario.title))</a></p>
    </article>
    """
  }

  private var picture: String {
    let runner = ScenarioRunner(scenario)
    let exploration = scenario.interleave == .every ? Exploration(runner) : nil
    return ScenarioPage(runner, command: nil).card(of: exploration).element
  }

  private func paragraph(_ id: FactID) -> String {
    let fact = facts?[id]
    let sentence = fact.map { " (\($0.grade.rawValue)): \(escaped($0.sentence))" } ?? ""
    return "<p class=\"fine\"><a href=\"#\(ScenarioBook.anchor("fact", id.description))\">\(id)</a>"
      + "\(sentence)</p>"
  }
}
