#if os(Linux)
  import ArticleStacks
  import CoreData
  import Faultline
  import Testing

  @Suite struct `Two windows` {
    private func typeTitles(
      _ policy: NSMergePolicy, _ app: SimulatedApp,
      save: @escaping (Window) throws -> Void = { try $0.save() }
    ) throws {
      let windows = try TwoWindows(mergePolicy: policy)
      try windows.second.show(windows.first.hire("first"))
      for (name, window) in [("first", windows.first), ("second", windows.second)] {
        app.function("type into the \(name)") {
          window.setTitle("\(name) \(app.number(below: 9))")
        }
        app.function("save the \(name)") { try save(window) }
      }
    }

    /// With a policy by which edits win, the second save overwrites a title that its window has
    /// never shown.
    @Test func `overwrite each other if objects trump`() throws {
      try CodeFuzzer(runs: 200, expected: [.lostUpdateInTheStore]).check {
        try typeTitles(.mergeByPropertyObjectTrump, $0)
      }
    }

    /// With a policy by which the store wins, the second save succeeds, and saves nothing of what
    /// was typed.
    @Test func `drop what was typed if the store trumps`() throws {
      try CodeFuzzer(runs: 200, expected: [.silentlyIgnoredSaveInTheStore]).check {
        try typeTitles(.mergeByPropertyStoreTrump, $0)
      }
      try CodeFuzzer(runs: 200, expected: [.silentlyIgnoredSaveInTheStore]).check {
        try typeTitles(.rollback, $0)
      }
    }

    /// With the error policy, the default, the second save fails.
    @Test func `cannot save what is in conflict with the error policy`() throws {
      expectMergeErrors(CodeFuzzer(runs: 200).run { try typeTitles(.error, $0) })
    }

    /// The careful variant: what is in conflict is refetched, which brings the snapshots up to
    /// date, and the save is tried again.
    @Test func `lose nothing if conflicts are refetched`() throws {
      var takenOver = 0
      try CodeFuzzer(runs: 200).check {
        try typeTitles(.error, $0) { if try $0.saveOrTakeOver() { takenOver += 1 } }
      }
      #expect(takenOver > 100)
    }

    private func editDisjointly(
      _ policy: NSMergePolicy, _ app: SimulatedApp, hasMerged: @escaping () -> Void = {}
    ) throws {
      let windows = try TwoWindows(mergePolicy: policy)
      try windows.second.show(windows.first.hire("first"))
      app.function("type into the first") {
        windows.first.setTitle("title \(app.number(below: 9))")
      }
      app.function("raise in the second") { windows.second.raiseSalaries(by: 1) }
      app.function("save the first") { try windows.first.save() }
      app.function("save the second") {
        let titles = windows.second.titles
        try windows.second.save()
        if windows.second.titles != titles { hasMerged() }
      }
    }

    /// The policy that overwrites writes whole objects, with values older than the store's.
    @Test func `undo disjoint edits if they overwrite`() throws {
      try CodeFuzzer(runs: 200, expected: [.lostUpdateInTheStore]).check {
        try editDisjointly(.overwrite, $0)
      }
    }

    /// The careful variant: a policy that merges by property keeps what either window has changed.
    @Test func `keep disjoint edits if they merge by property`() throws {
      var merged = 0
      try CodeFuzzer(runs: 200).check {
        try editDisjointly(.mergeByPropertyObjectTrump, $0) { merged += 1 }
      }
      #expect(merged > 20)
    }

    /// The first window deletes what the second has changed. Tells how many employees there are
    /// each time the second has saved after that.
    private func delete(
      _ strategy: TwoWindows.DeletionStrategy?, _ app: SimulatedApp,
      hasSaved: @escaping (_ employeeCount: Int) -> Void = { _ in }
    ) throws {
      let windows = try TwoWindows(mergePolicy: .error, strategy: strategy)
      try windows.second.show(windows.first.hire("first"))
      var isDeleted = false
      app.function("type") { windows.second.setTitle("typed") }
      app.function("delete") {
        try windows.first.deleteAll()
        isDeleted = true
      }
      app.function("save") {
        guard isDeleted else { return }
        try windows.second.save()
        hasSaved(try windows.second.employeeCount())
      }
    }

    /// A window that is told nothing cannot save its changes of a deleted object.
    @Test func `cannot save changes of what was deleted`() throws {
      expectMergeErrors(CodeFuzzer(runs: 200).run { try delete(nil, $0) })
    }

    /// The careful variants: the window deletes the object, too, or drops all that it has.
    @Test(arguments: [TwoWindows.DeletionStrategy.deleteToo, .resetAndRefetch])
    func `follow deletions`(_ strategy: TwoWindows.DeletionStrategy) throws {
      var counts: [Int] = []
      try CodeFuzzer(runs: 200).check { try delete(strategy, $0) { counts.append($0) } }
      #expect(counts.count > 100 && counts.allSatisfy { $0 == 0 })
    }

    /// With the policy that overwrites, the save of an edit brings the row back.
    @Test func `resurrect what was deleted if they overwrite`() throws {
      var counts: [Int] = []
      try CodeFuzzer(runs: 200).check { try delete(.overwrite, $0) { counts.append($0) } }
      #expect(Set(counts) == [0, 1])
    }

    /// The only kind of failure is a save that throws a conflict.
    private func expectMergeErrors(_ report: CodeReport) {
      #expect(report.failures.map(\.kind) == ["error NSError"])
      #expect(report.failures.allSatisfy { $0.text.contains("Code=\(NSManagedObjectMergeError)") })
    }
  }
#endif
