package import Scenario

/// Returns a scenario of lanes over one store or several, for tests that count schedules.
package func explorable(
  _ steps: String, stack: String = oneStore, header: String = "", claims: String = ""
) throws -> Scenario {
  let text = """
    scenario  test
    evidence  inferred
    \(header)
    model
      Note
        title  string?
        stars  integer?

    stack
    \(stack)

    steps
    \(steps)
    \(claims.isEmpty ? "" : "\nclaims\n" + claims)
    """
  return try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "")) }
}

package let oneStore = """
    store  main
    a  privateQueue coordinator store
    b  privateQueue coordinator store
    c  privateQueue coordinator store
  """

/// Two stacks in one app that share nothing.
package let twoStores = """
    store  main
    store  other
    coordinator  first main
    coordinator  second other
    a  privateQueue coordinator first
    b  privateQueue coordinator second
  """

/// Returns the text of a `perform` block.
package func block(_ context: String, _ steps: String...) -> String {
  (["  \(context)  perform"] + steps.map { "    " + $0 }).joined(separator: "\n")
}
