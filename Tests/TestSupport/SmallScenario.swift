/// Returns the text of a scenario with one entity, a context and its child. `steps` and `claims`
/// are lines indented by two, and `header` begins with a line feed.
package func smallScenario(
  _ name: String = "test", evidence: String = "inferred", header: String = "", steps: String,
  claims: String = "  succeeded"
) -> String {
  """
  scenario  \(name)
  evidence  \(evidence)\(header)

  model
    Note
      title  string?

  stack
    store  main
    view  mainQueue coordinator store
    edit  privateQueue parent view

  steps
  \(steps)

  claims
  \(claims)

  """
}
