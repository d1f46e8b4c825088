#if os(Linux)
  import ArticleStacks
  import CoreData
  import Faultline
  import Testing

  @Suite struct `A writer and workers` {
    /// All contexts have a policy, which children save without: the last save wins, and overwrites
    /// what its context has never seen.
    @Test func `overwrite each other in the root`() throws {
      try CodeFuzzer(
        runs: 200, expected: [.lostUpdate],
        allowed: [.duplicateAwakeFromInsert, .silentlyIgnoredSave]
      ).check { app in
        let stack = try WriterAndWorkers()
        let id = try stack.hire("first")
        app.function("import") { stack.importTitle("import \(app.number(below: 9))", of: id) }
        app.function("type") {
          try stack.setTitle("typed \(app.number(below: 9))", of: id)
          if let error = stack.lastError { throw error }
        }
      }
    }

    private func recruit(obtainsPermanentIDs: Bool, _ app: SimulatedApp) throws {
      let stack = try WriterAndWorkers(mergesLater: true)
      let recruiter = Recruiter(stack, obtainsPermanentIDs: obtainsPermanentIDs)
      app.function("recruit") { recruiter.recruit("new") }
      app.function("hire") { _ = try stack.hire("hired") }
    }

    /// A worker's save pushes its changes to the root, whose save gives no permanent ID back.
    @Test func `keep temporary IDs`() throws {
      try CodeFuzzer(
        runs: 200, expected: [.temporaryIDLeak], allowed: [.duplicateAwakeFromInsert]
      ).check { try recruit(obtainsPermanentIDs: false, $0) }
    }

    /// The careful variant: permanent IDs are obtained before the worker saves.
    @Test func `share permanent IDs that a worker has obtained`() throws {
      try CodeFuzzer(runs: 200, expected: [.duplicateAwakeFromInsert]).check {
        try recruit(obtainsPermanentIDs: true, $0)
      }
    }

    private func wait(
      mergesLater: Bool, _ app: SimulatedApp, hasSeen: @escaping (Int) -> Void = { _ in }
    ) throws {
      let stack = try WriterAndWorkers(mergesLater: mergesLater)
      let recruiter = Recruiter(stack, obtainsPermanentIDs: true)
      app.function("recruit") { recruiter.recruit("new") }
      app.function("wait") { hasSeen(recruiter.recruitCount()) }
    }

    /// The observer merges with `performAndWait`: in the middle of its save, a worker waits for the
    /// main queue.
    @Test func `deadlock if the main thread waits for a worker`() throws {
      try CodeFuzzer(
        runs: 200, expected: [.deadlock], allowed: [.duplicateAwakeFromInsert]
      ).check { try wait(mergesLater: false, $0) }
    }

    /// The careful variant: the main context merges in a block of its own.
    @Test func `do not wait for the main thread if it merges later`() throws {
      var seen = 0
      try CodeFuzzer(runs: 200, expected: [.duplicateAwakeFromInsert]).check {
        try wait(mergesLater: true, $0) { seen += $0 }
      }
      #expect(seen > 100)
    }
  }
#endif
