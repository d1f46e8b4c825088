import CampaignSupport
import Campaigns
import Failures
import InputFiles
import Scenario
import TestSupport
import Testing
import Vocabulary

/// Failures of two kinds with the same effect are one in a report.
@Suite struct `Failures with one effect` {
  private func failures(
    _ stack: String, runs: Int, header: String = "", certifying count: Int = 0
  ) throws -> [FailureReport] {
    let path = "\(Repository.root)/Fixtures/Models/Note.model"
    let model = try ModelFile.read(path: path)
    let design = try StackDesignText.parse(
      "stack  test\norigin  inferred\n\(header)\n" + stack
    ) { _ in
      .success(model)
    }
    var settings = CampaignSettings(models: [.file(path: path, model)])
    settings.stack = design.stack
    (settings.runs, settings.steps, settings.seed, settings.shrinkBudget) = (runs, 40, 1, 300)
    let report = FuzzCampaign(settings, certifying: count).run()
    return report.violations + report.misuses
  }

  /// The finding is the design's, which fails whatever a program does itself. Its count includes
  /// both kinds.
  @Test func `a save that fails by its policy is one failure of program and design`() throws {
    let stack = """
        store  main
        view  mainQueue coordinator store
        work  privateQueue coordinator store
        entry  saveView
          view  save

      """
    let all = try failures(stack, runs: 150)
    let own = try #require(all.first { $0.kind == "failed save by the stack" })
    #expect(own.cause == .mergePolicy(.error) && own.group == .design && own.count > 20)
    #expect(!all.contains { $0.kind == "failed save" })
  }

  /// A context that saves once more after an error knows of that error. Only a design that does so
  /// is at fault.
  @Test func `a program that saves once more after an error misuses the design`() throws {
    let stack = """
        store  main
        view  mainQueue coordinator store
        work  privateQueue coordinator store

      """
    let all = try failures(stack, runs: 150)
    let again = all.filter { $0.kind == "save fails for good" }
    #expect(again.map(\.group) == [.misuse])
    #expect(all.first { $0.kind == "failed save" }?.group == .design)
  }

  /// The new context makes the same mistake, but it has not ignored an error.
  @Test func `a context that was given up has no second failure`() throws {
    let stack = """
        view  mainQueue coordinator store
        work  privateQueue coordinator store
      """
    func steps(_ middle: String) -> String {
      """
        view  insert Note as n
        view  set n.title "a"
        view  insert Note as m
        view  save
        work  existingObject view.m
        work  set m.title "a"
        work  save
      \(middle)
        work  save
      """
    }
    let unique = "\n    unique  title"
    let twice = steps("  work  hasChanges")
    let again = try failureKinds(stack, twice, mark: unique)
    #expect(again.contains("save fails for good"))
    // A child keeps the context.
    let child = "\n  leaf  privateQueue parent work"
    let kept = try failureKinds(stack + child, "\(twice)\n  work  discard", mark: unique)
    #expect(kept.contains("save fails for good"))
    for end in ["reset", "discard", "kill"] {
      let left = try failureKinds(stack, "\(twice)\n  work  \(end)", mark: unique)
      #expect(left.contains("failed save") && !left.contains("save fails for good"))
    }
    for end in ["reset", "discard"] {
      let middle = "  work  \(end)\n  work  existingObject view.m\n  work  set m.title \"a\""
      let kinds = try failureKinds(stack, steps(middle), mark: unique)
      #expect(kinds.contains("failed save") && !kinds.contains("save fails for good"))
    }
  }

  /// The app ends where a save raises, so later steps give nothing up.
  @Test func `a context whose save has raised loses nothing`() throws {
    let stack = """
        view  mainQueue coordinator store
        work  privateQueue coordinator store
        entry  finish
          work  save
          work  discard
      """
    let steps = """
        work  insert Note as n
        work  call finish
      """
    let loss: FailureKind = "unsaved changes discarded by the stack"
    let failing = try failureKinds(stack, steps, mark: "\n    kind  string")
    #expect(failing.contains(loss))
    let raising = try failureKinds(stack, steps, mark: "\n    willSave  title = next")
    #expect(!raising.contains(loss))
  }

  /// A class that replaces a loaded value hides whether its context has seen a saved value.
  @Test func `a value that a class writes when it is fetched is no lost update`() throws {
    let stack = """
        view  mainQueue coordinator store
        one  privateQueue parent view
        two  privateQueue parent view
      """
    let steps = """
        one  insert Note as n
        one  save
        two  object one.n as n
        two  get n.title
        one  set n.title "a"
        one  save
        two  set n.title "b"
        two  save
      """
    #expect(try failureKinds(stack, steps).contains("lost update"))
    let hook = "\n    awakeFromFetch  title = \"c\""
    #expect(try !failureKinds(stack, steps, mark: hook).contains("lost update"))
  }

  @Test func `a list and a copy that are stale in one context are one failure`() throws {
    let stack = """
        store  main
        view  mainQueue coordinator store readOnly
        work  privateQueue coordinator store
        controller  list view Note sort title

      """
    let all = try failures(stack, runs: 300, header: "model  Note.model\n", certifying: .max)
    let stale = all.filter {
      $0.group == .design && ["stale copy", "stale list"].contains($0.kind)
    }
    #expect(stale.map(\.kind) == ["stale copy"])
  }
}
