#if os(Linux)
  import ArticleStacks
  import CoreData
  import Faultline
  import Testing

  @Suite struct `Import operations` {
    private func importTitles(
      _ style: ImportOperation.Style, _ company: ImportingApp, _ app: SimulatedApp,
      hasImported: @escaping () -> Void = {}
    ) throws {
      let id = try company.hire("first")
      app.function("import") {
        let title = "import \(app.number(below: 9))"
        company.importChange(of: id, style) {
          $0.title = title
          hasImported()
        }
      }
    }

    /// The article's last version uses a private context on the thread of the operation.
    @Test func `use a private context on their own thread`() throws {
      try CodeFuzzer(
        runs: 200, expected: [.wrongQueueAccess], allowed: [.lostUpdate, .silentlyIgnoredSave]
      ).check { try importTitles(.belowMainOnOwnThread, ImportingApp(), $0) }
    }

    /// With `performAndWait`, an import keeps to the queue of its context. What one child hands to
    /// its parent is unknown to the others, as the article says.
    @Test func `below the main context know nothing of each other`() throws {
      try CodeFuzzer(runs: 200, expected: [.lostUpdate, .silentlyIgnoredSave]).check {
        try importTitles(.belowMain, ImportingApp(), $0)
      }
    }

    /// The careful variant: a queue of operations that runs one at a time.
    @Test func `below the main context lose nothing one at a time`() throws {
      var imported = 0
      try CodeFuzzer(runs: 200).check {
        try importTitles(.belowMain, ImportingApp(runsOneImportAtATime: true), $0) {
          imported += 1
        }
      }
      #expect(imported > 100)
    }

    private func wait(
      _ style: ImportOperation.Style, _ app: SimulatedApp, hasImported: @escaping () -> Void = {}
    ) throws {
      let company = try ImportingApp(runsOneImportAtATime: true)
      try importTitles(style, company, app, hasImported: hasImported)
      app.function("wait") { company.finishImports() }
    }

    /// A child asks its parent on the parent's queue, the main queue, for each request and save.
    @Test func `below the main context deadlock if the main thread waits`() throws {
      let report = CodeFuzzer(runs: 200).run { try wait(.belowMain, $0) }
      #expect(report.failures.map(\.kind) == ["code that waits for ever"])
    }

    /// The careful variant: with a context on the coordinator, an import has no use for the main
    /// queue before it has saved.
    @Test func `beside the main context do not need the main thread`() throws {
      var imported = 0
      try CodeFuzzer(runs: 200).check { try wait(.besideMain, $0) { imported += 1 } }
      #expect(imported > 100)
    }

    /// Contexts are unaware of each other until the main queue merges, in a later turn. Before
    /// that, the main context saves over the import.
    @Test func `beside the main context are overwritten before they are merged`() throws {
      try CodeFuzzer(runs: 200, expected: [.lostUpdateInTheStore]).check { app in
        let company = try ImportingApp(mergePolicy: .mergeByPropertyObjectTrump)
        let id = try company.hire("first")
        app.function("import") {
          company.importChange(of: id, .besideMain) { $0.title = "imported" }
        }
        app.function("type") { try company.setTitle("typed \(app.number(below: 9))", of: id) }
      }
    }

    /// The careful variant: the main context keeps its error policy, and shows what it would have
    /// overwritten.
    @Test func `beside the main context are noticed by an error policy`() throws {
      var refused = 0
      try CodeFuzzer(runs: 200).check { app in
        let company = try ImportingApp()
        let id = try company.hire("first")
        app.function("import") {
          company.importChange(of: id, .besideMain) { $0.title = "imported" }
        }
        app.function("type") {
          let title = "typed \(app.number(below: 9))"
          if try !company.setTitleUnlessImported(title, of: id) { refused += 1 }
        }
      }
      #expect(refused > 10)
    }

    private func raise(
      isRepeated: Bool, _ app: SimulatedApp, hasChecked: @escaping (Int64) -> Void = { _ in }
    ) throws {
      let company = try ImportingApp()
      let id = try company.hire("first")
      var raises: Int64 = 0
      app.function("raise") {
        raises += 1
        company.importChange(of: id, .besideMain, isRepeated: isRepeated) { $0.salary += 1 }
      }
      app.function("check") {
        company.finishImports()
        if try company.storedSalary(of: id) != raises { throw RaiseIsLost() }
        hasChecked(raises)
      }
    }

    /// The article's operation drops the error of its save, and its work with it.
    @Test func `lose what they drop an error for`() throws {
      let report = CodeFuzzer(runs: 200).run { try raise(isRepeated: false, $0) }
      #expect(report.failures.map(\.kind) == ["error RaiseIsLost"])
    }

    /// The careful variant: an import that fails is enqueued again.
    @Test func `lose nothing if they are repeated`() throws {
      var checked: Int64 = 0
      try CodeFuzzer(runs: 200).check { try raise(isRepeated: true, $0) { checked += $0 } }
      #expect(checked > 100)
    }
  }

  private struct RaiseIsLost: Error {}
#endif
