#if os(Linux)
  import ArticleStacks
  import CoreData
  import Faultline
  import Testing

  @Suite struct `Nested contexts` {
    /// A form gets an object from the main context, the nearest that has it, although the root has
    /// a newer version.
    @Test func `show what an ancestor has cached`() throws {
      try CodeFuzzer(runs: 200, expected: [.staleReadThroughACachedAncestor]).check { app in
        let stack = try NestedContexts(mergingDown: .none)
        let id = try stack.add("first")
        app.function("receive") { stack.receive("received \(app.number(below: 9))", for: id) }
        app.function("open a form") { _ = try stack.form(for: id).name }
      }
    }

    /// The careful variant: each level refreshes what the level above has changed, so that a form
    /// shows what the root has.
    @Test func `show the newest if changes are merged down`() throws {
      var received = 0
      try CodeFuzzer(runs: 200).check { app in
        let stack = try NestedContexts(mergingDown: .waiting)
        let id = try stack.add("first")
        app.function("receive") {
          try stack.receiveAndWait("received \(app.number(below: 9))", for: id)
        }
        app.function("open a form") {
          if try stack.form(for: id).name != "first" { received += 1 }
        }
      }
      #expect(received > 100)
    }

    /// The article's observer waits: the root's queue for the main queue, which saves to the root.
    @Test func `deadlock if a change of the root waits for the main context`() throws {
      try CodeFuzzer(
        runs: 200, expected: [.deadlock], allowed: [.staleReadThroughACachedAncestor]
      ).check { app in
        let stack = try NestedContexts(mergingDown: .waiting)
        let id = try stack.add("first")
        app.function("receive") { stack.receive("received", for: id) }
        app.function("store") { try stack.store() }
      }
    }

    /// Refreshing in a block of its own ends that. Until it runs, forms show old values.
    @Test func `do not deadlock if the main context is refreshed later`() throws {
      try CodeFuzzer(runs: 200, expected: [.staleReadThroughACachedAncestor]).check { app in
        let stack = try NestedContexts(mergingDown: .later)
        let id = try stack.add("first")
        app.function("receive") { stack.receive("received \(app.number(below: 9))", for: id) }
        app.function("store") { try stack.store() }
        app.function("open a form") { _ = try stack.form(for: id).name }
      }
    }

    /// A form is edited while a window renames its contact. Tells each time that the form
    /// overwrites the new name.
    private func edit(
      _ mergingDown: NestedContexts.MergingDown, _ app: SimulatedApp,
      hasOverwritten: @escaping () -> Void = {}
    ) throws {
      let stack = try NestedContexts(mergingDown: mergingDown)
      let id = try stack.add("first")
      var form: ContactForm?
      app.function("rename in a window") {
        try stack.rename(id, to: ["first", "renamed"][app.number(below: 2)])
      }
      app.function("open a form") { form = try stack.form(for: id) }
      app.function("type") { form?.name = ["first", "typed"][app.number(below: 2)] }
      app.function("done") {
        if let form, form.name == "typed", try stack.name(of: id) == "renamed" { hasOverwritten() }
        try form?.done()
        form = nil
      }
    }

    /// A child's merge policy is ignored, here an error policy: the form's save overwrites what the
    /// main context has. If the values are those that the form has loaded, the save is ignored.
    @Test func `overwrite their parent, or do nothing, whatever the policy`() throws {
      try CodeFuzzer(runs: 200, expected: [.lostUpdate, .silentlyIgnoredSave]).check {
        try edit(.none, $0)
      }
    }

    /// The careful variant: a form that is refreshed knows what it overwrites, and what is typed is
    /// never ignored.
    @Test func `overwrite nothing unseen if changes are merged down`() throws {
      var overwritten = 0
      try CodeFuzzer(runs: 200).check {
        try edit(.waiting, $0) { overwritten += 1 }
      }
      #expect(overwritten > 10)
    }

    /// A child's save calls `awakeFromInsert` again in each ancestor, where another diary is made.
    @Test func `awaken an object at every level, and abandon diaries`() throws {
      let report = CodeFuzzer(runs: 200, calls: 3).run { app in
        let stack = try NestedContexts(mergingDown: .none)
        app.function("add a person") {
          try stack.addPersonByForm("new")
          if try stack.abandonedDiaryCount() > 0 { throw AbandonedDiary() }
        }
      }
      #expect(
        Set(report.failures.map(\.kind)) == [
          "duplicate awakeFromInsert", "error AbandonedDiary", "temporary ID leak",
        ])
    }

    /// The careful variant: with a factory method in the place of the hook, there is one diary.
    @Test func `abandon nothing if a factory method sets up objects`() throws {
      var added = 0
      try CodeFuzzer(
        runs: 200, calls: 3, expected: [.duplicateAwakeFromInsert], allowed: [.temporaryIDLeak]
      ).check { app in
        let stack = try NestedContexts(mergingDown: .none)
        app.function("add a contact") {
          try stack.formForNewContact("new").done()
          try stack.store()
          if try stack.abandonedDiaryCount() > 0 { throw AbandonedDiary() }
          added += 1
        }
      }
      #expect(added > 100)
    }

    private func addByForm(obtainingPermanentIDs: Bool, _ app: SimulatedApp) throws {
      let stack = try NestedContexts(mergingDown: .none)
      var form: ContactForm?
      app.function("fill in a form") { form = stack.formForNewContact("new") }
      app.function("done") {
        if obtainingPermanentIDs { try form?.obtainPermanentIDs() }
        try form?.done()
        try stack.store()
      }
      app.function("show what is stored") {
        if let form, let id = try stack.find("new") { _ = try form.shows(id) }
      }
    }

    /// The form and the main context keep the temporary ID of what the root has saved. By the
    /// permanent ID, they get a second instance on systems of the article's time.
    @Test func `keep temporary IDs`() throws {
      try CodeFuzzer(
        runs: 200, profile: .legacy, expected: [.temporaryIDLeak, .twoInstancesForOneRow],
        allowed: [.duplicateAwakeFromInsert]
      ).check { try addByForm(obtainingPermanentIDs: false, $0) }
    }

    /// The careful variant: permanent IDs are obtained immediately before the form is saved.
    @Test func `share permanent IDs that a child has obtained`() throws {
      try CodeFuzzer(
        runs: 200, profile: .legacy, expected: [.duplicateAwakeFromInsert]
      ).check { try addByForm(obtainingPermanentIDs: true, $0) }
    }
  }

  private struct AbandonedDiary: Error {}
#endif
