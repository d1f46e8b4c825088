import Execution
import Failures
import Testing
import Vocabulary

/// A pool's contexts have their parts in common.
@Suite struct `The part at fault in a pool` {
  private static let pool = """
      view  mainQueue coordinator store
      worker*2  privateQueue coordinator store
      entry  finish worker*
        worker  save
        worker  discard
      entry  close1
        worker1  save
        worker1  discard
      entry  close2
        worker2  save
      observe  didSave worker*
        view  perform
          mergeChanges delivered
    """

  private func discarded(by entry: String, _ worker: String) throws -> FailingRun {
    try failingRun(
      "unsaved changes discarded by the stack", Self.pool,
      """
        \(worker)  insert Note as n
        \(worker)  refuseWrite main 1
        \(worker)  call \(entry)
      """)
  }

  @Test func `on the same part whichever context of a pool it is`() throws {
    #expect(try discarded(by: "finish1", "worker1").part == .entryPoint("finish*"))
    #expect(try discarded(by: "finish2", "worker2").part == .entryPoint("finish*"))
    func observer(_ worker: String) throws -> DesignPart? {
      try failingRun(
        "lost update through a merge in the store",
        Self.pool.replacing(
          "view  mainQueue coordinator store",
          with: "view  mainQueue coordinator store policy mergeByPropertyObjectTrump"),
        """
          view  insert Note as n
          view  save
          \(worker)  existingObject view.n
          view  set n.title "s1"
          \(worker)  set n.title "s2"
          \(worker)  save
          view  save
        """
      ).part
    }
    let part = DesignPart.observer(of: .didSave, by: "worker*", in: "view")
    #expect(try observer("worker1") == part && observer("worker2") == part)
  }

  /// Each merges what the other has saved, and one of them ends the event besides.
  @Test func `on two observers that take the same steps for each other`() throws {
    let part = try failingRun(
      "lost update through a merge in the store",
      """
        view  mainQueue coordinator store
        work  privateQueue coordinator store
        observe  didSave view
          work  perform
            mergeChanges delivered
        observe  didSave work
          view  perform
            mergeChanges delivered
            processPendingChanges
      """,
      """
        view  insert Note as n
        view  save
        work  existingObject view.n
        view  set n.title "s1"
        work  set n.title "s2"
        view  save
        work  save
      """
    ).part
    #expect(part == .observer(of: .didSave, by: "view and work", in: "the other"))
  }

  /// They have numbers, and do different things.
  @Test func `on the one part where parts with numbers are not alike`() throws {
    #expect(try discarded(by: "close1", "worker1").part == .entryPoint("close1"))
    var design = try discarded(by: "close1", "worker1").program.stack
    design.observers[1].steps = []
    let observer = DesignPart.observer(of: .didSave, by: "worker1", in: "view")
    #expect(observer.withItsLike(in: design) == observer)
  }

  // MARK: Not of a pool

  private static let observed = """
      view  mainQueue coordinator store
      work  privateQueue coordinator store
      sync  privateQueue coordinator store
      record  privateQueue coordinator store

    """

  @Test func `on one part for observers of several contexts that do the same`() throws {
    let design = try designedStack(
      Self.observed + """
          observe  didSave view
            record  perform
              forEach delivered touch
          observe  didSave work
            record  perform
              forEach delivered touch
          observe  didSave sync
            record  perform
              forEach delivered refresh
        """)
    func part(_ poster: String) -> String {
      DesignPart.observer(of: .didSave, by: poster, in: "record").withItsLike(in: design).text
    }
    #expect(part("view") == "the observer of didSave by view and work, in record")
    #expect(part("work") == part("view"))
    #expect(part("sync") == "the observer of didSave by sync, in record")
    #expect(part("record") == "the observer of didSave by record")
  }

  @Test func `on one part for what two contexts do with each other's saves`() throws {
    let design = try designedStack(
      Self.observed + """
          observe  didSave view
            work  perform
              mergeChanges delivered
          observe  didSave work
            view  perform
              mergeChanges delivered
          observe  didSave sync
            view  perform
              mergeChanges delivered
              save
        """)
    func part(_ poster: String, _ context: String) -> String {
      DesignPart.observer(of: .didSave, by: poster, in: context).withItsLike(in: design).text
    }
    #expect(part("view", "work") == "the observer of didSave by view and work, in the other")
    #expect(part("work", "view") == part("view", "work"))
    #expect(part("sync", "view") == "the observer of didSave by sync, in view")
  }

  @Test func `on one part for what one observer does in two contexts`() throws {
    let design = try designedStack(
      Self.observed + """
          observe  didSave sync
            view  perform
              mergeChanges delivered
            work  perform
              mergeChanges delivered
            record  perform
              forEach delivered touch
        """)
    func part(_ context: String) -> String {
      DesignPart.observer(of: .didSave, by: "sync", in: context).withItsLike(in: design).text
    }
    #expect(part("view") == "the observer of didSave by sync, in view and work")
    #expect(part("work") == part("view"))
    #expect(part("record") == "the observer of didSave by sync, in record")
  }

  /// Two observers merge into each other's contexts, and both end with what one context does.
  @Test func `on one part for what two observers do besides what tells them apart`() throws {
    let design = try designedStack(
      Self.observed + """
          observe  didSave view
            sync  perform
              mergeChanges delivered
            sync  perform
              forEach delivered touch
              save
          observe  didSave sync
            view  perform
              refreshAllObjects
            perform
              forEach delivered touch
              save
        """)
    func part(_ poster: String, _ context: String, by step: AddressedStep? = nil) -> String {
      DesignPart.observer(of: .didSave, by: poster, in: context)
        .withItsLike(in: design, by: step).text
    }
    let sync = try #require(design.contexts.firstIndex { $0.name == "sync" }.map(ContextID.init))
    let saves = AddressedStep(sync, .perform([AddressedStep(sync, .save)]))
    #expect(part("view", "sync", by: saves) == "the observer of didSave by view and sync, in sync")
    #expect(part("sync", "sync") == part("view", "sync", by: saves))
    let merges = design.observers[0].steps[0]
    #expect(part("view", "sync", by: merges) == "the observer of didSave by view, in sync")
    #expect(part("sync", "view") == "the observer of didSave by sync, in view")
  }

  /// What they count alike makes them no one part, and does not keep those apart that are alike.
  @Test(arguments: [
    ("mergeChanges delivered", false), ("leave pending", false), ("forEach delivered touch", true),
  ])
  func `on parts of their own for observers that only count alike`(
    step: String, isAlike: Bool
  ) throws {
    let design = try designedStack(
      "  group  pending\n" + Self.observed + """
          observe  didSave view
            record  enter pending
            record  perform
              forEach delivered touch
            record  perform
              leave pending
          observe  didSave work
            record  enter pending
            record  perform
              \(step)
            record  perform
              leave pending
        """)
    for poster in ["view", "work"] {
      let part = DesignPart.observer(of: .didSave, by: poster, in: "record")
      let name = isAlike ? "view and work" : poster
      #expect(part.withItsLike(in: design).text == "the observer of didSave by \(name), in record")
    }
  }

  /// The name is the same whichever of them it was found for.
  @Test func `on one part for all that is like a part that is like it`() throws {
    let merges = [("view", "work"), ("sync", "work"), ("work", "view")]
    let design = try designedStack(
      Self.observed
        + merges.map { poster, context in
          "  observe  didSave \(poster)\n    \(context)  perform\n      mergeChanges delivered\n"
        }.joined())
    let names = merges.map { poster, context in
      DesignPart.observer(of: .didSave, by: poster, in: context).withItsLike(in: design).text
    }
    #expect(Set(names).count == 1, "\(names)")
  }

  @Test func `on one part for what is done to one context after the saves of two`() throws {
    let design = try designedStack(
      Self.observed + """
          observe  didSave view
            view  refreshAllObjects
          observe  didSave work
            view  refreshAllObjects
        """)
    func part(_ poster: String) -> String {
      DesignPart.observer(of: .didSave, by: poster, in: "view").withItsLike(in: design).text
    }
    #expect(part("view") == "the observer of didSave by view and work, in view")
    #expect(part("work") == part("view"))
  }
}
