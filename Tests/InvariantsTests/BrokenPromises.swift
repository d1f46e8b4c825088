import Execution
import Failures
import Invariants
import TestSupport
import Testing

/// Runs steps on a stack with one promise. Returns the violations of the promise, with the moments
/// at which they were found.
///
/// - Parameter parts: Lines of further entry points and observers.
func brokenPromises(
  promise: String, parts: String = "", _ steps: String
) throws -> [String] {
  try promiseOutcome(promise, parts, steps).violations.filter { $0.subject?.promise != nil }.map {
    ($0.detail ?? "") + "; \($0.place)"
  }
}

/// Runs steps on a stack with one promise. Returns a Boolean value that indicates whether the run
/// tested the promise.
func tests(promise: String, parts: String = "", _ steps: String) throws -> Bool {
  try !promiseOutcome(promise, parts, steps).testedPromises.isEmpty
}

func promiseOutcome(
  _ promise: String, _ parts: String, _ steps: String
) throws -> Outcome {
  let parts = parts.split(separator: "\n").map { "  \($0)\n" }.joined()
  let text = """
    scenario  test
    evidence  inferred

    model
      Note
        title  string?
        stars  integer?
        preview  string? transient
        folder  Folder? inverse notes
      Folder
        name  string?
        notes  Note* inverse folder
      Person
        name  string?
        department  Department? inverse persons
        badge  Badge? inverse person
      Badge
        person  Person? inverse badge
        number  string?
        willSave  number ?= "none"
      Department
        persons  Person* inverse department deny

    stack
      store  main
      view  mainQueue coordinator store policy mergeByPropertyObjectTrump
      work  privateQueue coordinator store policy mergeByPropertyObjectTrump
      edit  privateQueue parent view
      controller  list view Note sort title
      entry  takeStore
        view  removeStore main
    \(parts)  promise  \(promise)

    steps
    \(steps)

    claims
      succeeded

    """
  let (program, configuration) = try written(text, checkLevel: .scenario)
  let outcome = ProgramRunner(configuration).run(program)
  #expect(outcome.disagreement == nil)
  return outcome
}
