import Execution
import Failures
import TestSupport
import Testing
import Vocabulary

/// The contexts of a pool share their parts.
@Suite struct `The part at fault in a pool` {
  private static let pool = """
      view  mainQueue coordinator store
      worker*2  privateQueue coordinator store
      entry  finish worker*
        worker  save
        worker  discard
      entry  close1
        worker1  hasChanges
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

  @Test func `a part is the same whichever context of a pool it is about`() throws {
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

  /// Each context merges the other's saves, and one of them also ends the event.
  @Test func `two observers that take the same steps for each other are one part`() throws {
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

  /// The parts have numbers, and do different things.
  @Test func `a part with a number is one part if the others are not alike`() throws {
    #expect(try discarded(by: "close1", "worker1").part == .entryPoint("close1"))
    var design = try discarded(by: "close1", "worker1").program.stack
    design.observers[1].steps = []
    let observer = DesignPart.observer(of: .didSave, by: "worker1", in: "view")
    #expect(observer.mergedWithEquivalents(in: design) == observer)
  }

  // MARK: Not of a pool

  private static let observed = """
      view  mainQueue coordinator store
      work  privateQueue coordinator store
      sync  privateQueue coordinator store
      record  privateQueue coordinator store

    """

  @Test func `observers of several contexts that do the same are one part`() throws {
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
      DesignPart.observer(of: .didSave, by: poster, in: "record").mergedWithEquivalents(in: design)
        .text
    }
    #expect(part("view") == "the observer of didSave by view and work, in record")
    #expect(part("work") == part("view"))
    #expect(part("sync") == "the observer of didSave by sync, in record")
    #expect(part("record") == "the observer of didSave by record")
  }

  @Test func `entry points with the same steps are one part`() throws {
    let design = try designedStack(
      Self.observed + """
          entry  keep
            view  save
            work  performAndWait
              save
          entry  keepLate
            view  save
            work  performAndWait
              save
          entry  keepWhenDone
            view  save
            work  performAndWait
              save
          entry  reversed
            work  save
            view  performAndWait
              save
          entry  flushSync
            sync  save
          entry  flushRecord
            record  save
          entry  flushView
            view  save
        """)
    func part(_ name: String) -> String {
      DesignPart.entryPoint(name).mergedWithEquivalents(in: design).text
    }
    #expect(part("keep") == "the entry points keep, keepLate and keepWhenDone")
    #expect(part("keepWhenDone") == part("keep"))
    #expect(part("reversed") == "the entry point reversed")
    // The two contexts differ only in name, but not from the view context.
    #expect(part("flushRecord") == "the entry points flushSync and flushRecord")
    #expect(part("flushView") == "the entry point flushView")
  }

  @Test func `three contexts' reactions to each other's saves name each of the others`() throws {
    let names = ["view", "work", "sync"]
    let observers = names.flatMap { poster in
      names.filter { $0 != poster }.map {
        "  observe  didSave \(poster)\n    \($0)  \(poster == "view" ? "perform" : "performAndWait")\n"
          + "      mergeChanges delivered\n"
      }
    }
    let design = try designedStack(Self.observed + observers.joined())
    let part = DesignPart.observer(of: .didSave, by: "view", in: "work")
    let step = design.observers[0].steps[0]
    #expect(
      part.mergedWithEquivalents(in: design, by: step).text
        == "the observer of didSave by view, work and sync, in each of the others")
  }

  @Test func `two contexts' reactions to each other's saves are one part`() throws {
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
      DesignPart.observer(of: .didSave, by: poster, in: context).mergedWithEquivalents(in: design)
        .text
    }
    #expect(part("view", "work") == "the observer of didSave by view and work, in the other")
    #expect(part("work", "view") == part("view", "work"))
    #expect(part("sync", "view") == "the observer of didSave by sync, in view")
  }

  @Test func `one observer's reactions in two contexts are one part`() throws {
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
      DesignPart.observer(of: .didSave, by: "sync", in: context).mergedWithEquivalents(in: design)
        .text
    }
    #expect(part("view") == "the observer of didSave by sync, in view and work")
    #expect(part("work") == part("view"))
    #expect(part("record") == "the observer of didSave by sync, in record")
  }

  /// Two observers merge into each other's contexts, and both end with the same step on one
  /// context.
  @Test func `two observers are one part apart from what distinguishes them`() throws {
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
        .mergedWithEquivalents(in: design, by: step).text
    }
    let sync = try #require(design.contexts.firstIndex { $0.name == "sync" }.map(ContextID.init))
    let saves = AddressedStep(sync, .perform([AddressedStep(sync, .save)]))
    #expect(part("view", "sync", by: saves) == "the observer of didSave by view and sync, in sync")
    #expect(part("sync", "sync") == part("view", "sync", by: saves))
    let merges = design.observers[0].steps[0]
    #expect(part("view", "sync", by: merges) == "the observer of didSave by view, in sync")
    #expect(part("sync", "view") == "the observer of didSave by sync, in view")
  }

  /// Parts are not alike because they count alike. Counting does not separate parts that are alike
  /// either.
  @Test(arguments: [
    ("mergeChanges delivered", false), ("leave pending", false), ("forEach delivered touch", true),
  ])
  func `observers that only count alike are parts of their own`(
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
      #expect(
        part.mergedWithEquivalents(in: design).text
          == "the observer of didSave by \(name), in record")
    }
  }

  /// The name is the same, whichever of the parts it was found for.
  @Test func `all parts that are like one part have one name`() throws {
    let merges = [("view", "work"), ("sync", "work"), ("work", "view")]
    let design = try designedStack(
      Self.observed
        + merges.map { poster, context in
          "  observe  didSave \(poster)\n    \(context)  perform\n      mergeChanges delivered\n"
        }.joined())
    let names = merges.map { poster, context in
      DesignPart.observer(of: .didSave, by: poster, in: context).mergedWithEquivalents(in: design)
        .text
    }
    #expect(Set(names).count == 1, "\(names)")
  }

  @Test func `one context's reactions to the saves of two are one part`() throws {
    let design = try designedStack(
      Self.observed + """
          observe  didSave view
            view  refreshAllObjects
          observe  didSave work
            view  refreshAllObjects
        """)
    func part(_ poster: String) -> String {
      DesignPart.observer(of: .didSave, by: poster, in: "view").mergedWithEquivalents(in: design)
        .text
    }
    #expect(part("view") == "the observer of didSave by view and work, in view")
    #expect(part("work") == part("view"))
  }
}
