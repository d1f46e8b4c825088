import Execution
import Failures
import InputFiles
import Invariants
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Vocabulary

@Suite struct `A failure's signature` {
  private static let kind: FailureKind = "stale list"

  private func stack(_ name: String) throws -> Stack {
    try StackFile.read(path: "\(Repository.root)/Fixtures/Stacks/\(name).stack").stack
  }

  private func role(_ name: String, in stack: Stack) throws -> ContextRole {
    let context = try #require(stack.contextIDs.first { stack[$0].name == name })
    return ContextRole(of: context, in: stack)
  }

  // MARK: Which failures are one

  @Test func `a signature admits fewer ways of change, and must agree in all else`() throws {
    let stack = try stack("private-root-main-workers")
    let (view, work) = (try role("view", in: stack), try role("work1", in: stack))
    let observer = DesignPart.observer(of: .didSave, by: "work1", in: "view")
    let detail = FailureSignature.Detail(
      part: observer, role: view, ways: [.designsMerge, .refresh])
    let target = FailureSignature(Self.kind, detail)

    func admits(_ change: (inout FailureSignature.Detail) -> Void) -> Bool {
      var other = detail
      change(&other)
      return target.admits(FailureSignature(Self.kind, other))
    }
    #expect(admits { _ in })
    for fewer: ChangeWays in [[], .designsMerge, .refresh] { #expect(admits { $0.ways = fewer }) }
    for more: ChangeWays in [.batchRequest, .programsMerge, .hook, .undo] {
      #expect(!admits { $0.ways = more })
      #expect(!admits { $0.ways.insert(more) })
    }
    for part in [
      nil, .entryPoint("work1"), .observer(of: .didSave, by: "work2", in: "view"),
      .observer(of: .objectsDidChange, by: "work1", in: "view"),
      .observer(of: .didSave, by: "work1", in: "work1"),
    ] as [DesignPart?] {
      #expect(!admits { $0.part = part })
    }
    for role in [nil, work] { #expect(!admits { $0.role = role }) }
    #expect(!admits { $0.subject = .error(.managedObjectMerge) })
    #expect(!target.admits(FailureSignature("deadlock", detail)))
  }

  @Test func `a signature without detail admits all of its kind, and all admit it`() throws {
    let detailed = FailureSignature(
      Self.kind, FailureSignature.Detail(part: .entryPoint("save"), role: nil, ways: .undo))
    let plain = FailureSignature(Self.kind)
    #expect(plain.admits(detailed) && detailed.admits(plain) && plain.admits(plain))
    let other: FailureSignature = "deadlock"
    #expect(!other.admits(detailed) && !detailed.admits(other) && !plain.admits(other))
  }

  // MARK: Text

  /// A campaign distinguishes failures by text.
  @Test func `each signature has a text of its own`() throws {
    let stacks = try ["private-root-main-workers", "proxy", "thread-confinement"].map(stack)
    let roles = Set(
      stacks.flatMap { stack in stack.contextIDs.map { ContextRole(of: $0, in: stack) } })
    var parts: [DesignPart?] = [nil, .entryPoint("work"), .entryPoint("view")]
    for notification in Stack.NotificationName.allCases {
      for (poster, place) in [("work", "work"), ("work", "view"), ("view", "view")] {
        parts.append(.observer(of: notification, by: poster, in: place))
      }
    }
    var texts: Set<String> = []
    var count = 0
    func note(_ kind: FailureKind, _ detail: FailureSignature.Detail) {
      count += 1
      texts.insert(FailureSignature(kind, detail).text)
    }
    for kind in FailureKind.violations {
      for part in parts {
        for role in roles.map({ $0 }) + [ContextRole?.none] {
          for ways: ChangeWays in [[], .undo, [.undo, .refresh]] {
            note(kind, FailureSignature.Detail(part: part, role: role, ways: ways))
          }
        }
      }
    }
    for ways in 1..<512 as Range<UInt16> where ways != 4 && ways != 4 + 128 {
      let ways = ChangeWays(rawValue: ways)
      note(Self.kind, FailureSignature.Detail(part: nil, role: nil, ways: ways))
    }
    #expect(texts.count == count && roles.count >= 4)
    #expect(FailureSignature(Self.kind).text == Self.kind.name)
  }

  @Test func `a signature says where and how in words`() throws {
    let stack = try stack("private-root-main-workers")
    let detail = FailureSignature.Detail(
      part: .observer(of: .didSave, by: "work1", in: "view"), role: try role("root", in: stack),
      ways: [.batchRequest, .designsMerge])
    #expect(
      FailureSignature("lost update", detail).text
        == "lost update; the observer of didSave by work1, in view; hidden private-queue root; "
        + "batch requests; merges by the design")
  }

  // MARK: Roles

  @Test(arguments: [
    ("private-root-main-workers", "root", "hidden private-queue root"),
    ("private-root-main-workers", "view", "main-queue child"),
    ("private-root-main-workers", "work1", "private-queue child"),
    ("main-only", "view", "main-queue root"),
  ]) func `a signature knows contexts by role`(name: String, context: String, text: String) throws {
    #expect(try role(context, in: stack(name)).text == text)
  }

  @Test func `a signature takes contexts of one role for the same, and no others`() throws {
    var stack = try stack("private-root-main-workers")
    let before = try ["root", "view", "work1", "work2", "stray"].map { try role($0, in: stack) }
    #expect(before[2] == before[3] && before[3] == before[4])
    #expect(Set(before).count == 3)
    // The neighbours, the name and the merges of a context do not matter.
    stack.contexts.removeAll { $0.name == "work1" || $0.name == "stray" }
    stack.contexts[2].name = "worker"
    stack.contexts[2].mergePolicy = .error
    #expect(try role("worker", in: stack) == before[3])
    #expect(try role("view", in: stack) == before[1])
    stack.contexts[2].isHidden = true
    #expect(try role("worker", in: stack) != before[3])
    // The context moves down one level.
    stack.contexts[2].isHidden = false
    stack.contexts[2].parent = .context(ContextID(1))
    #expect(try role("worker", in: stack).text == "private-queue child on level 2")
  }
}

@Suite struct `A part of a design` {
  private func design() throws -> Stack {
    let path = "\(Repository.root)/Fixtures/Stacks/private-root-main-workers.stack"
    return try StackFile.read(path: path).stack
  }

  @Test func `a part stays itself when other parts are left out`() throws {
    let stack = try design()
    let observers = stack.observers.indices.map { DesignPart(.observer($0), in: stack) }
    let entries = stack.entryPoints.indices.map {
      DesignPart(.entryPoint(EntryPointID($0)), in: stack)
    }
    #expect(Set(observers + entries).count == stack.observers.count + stack.entryPoints.count)
    #expect(!(observers + entries).contains(nil) && DesignPart(.program, in: stack) == nil)
    for removed in stack.observers.indices {
      var less = stack
      less.observers.remove(at: removed)
      let rest = less.observers.indices.map { DesignPart(.observer($0), in: less) }
      #expect(rest == Array(observers[..<removed] + observers[(removed + 1)...]))
    }
    for removed in stack.entryPoints.indices {
      var less = stack
      less.entryPoints.remove(at: removed)
      let rest = less.entryPoints.indices.map {
        DesignPart(.entryPoint(EntryPointID($0)), in: less)
      }
      #expect(rest == Array(entries[..<removed] + entries[(removed + 1)...]))
    }
  }

  @Test func `a part is named by what it observes and where it works`() throws {
    let stack = try design()
    let texts = stack.observers.indices.compactMap { DesignPart(.observer($0), in: stack)?.text }
    #expect(
      texts == [
        "the observer of didSave by view", "the observer of didSave by work1, in view",
        "the observer of didSave by work2, in view",
      ])
    let entry = DesignPart(.entryPoint(EntryPointID(0)), in: stack)
    #expect(entry?.text == "the entry point newBackgroundContext")
  }

  // MARK: Authors

  /// The step uses `work` from another context.
  @Test(
    arguments: [
      ("view  perform\n    work  directly\n      fetch Note", nil),
      ("view  call tidy", .entryPoint("tidy")),
      ("view  call tidyLater", .entryPoint("tidyLater")),
      ("view  dispatchSync other\n    view  call tidyOutside", .entryPoint("tidyOutside")),
      ("edit  insert Note as n\n  edit  save", .observer(of: .didSave, by: "edit", in: "view")),
      ("view  insert Note as n\n  view  save", .observer(of: .didSave, by: "view", in: "view")),
      ("side  insert Note as n\n  side  save", .observer(of: .didSave, by: "side", in: "side")),
    ] as [(String, DesignPart?)])
  func `a part is the author of its steps' effects`(steps: String, expected: DesignPart?) throws {
    let text = smallScenario(steps: "  " + steps, claims: "  no  deadlock")
      .replacing("  store  main\n", with: "  store  main\n  queue  other\n")
      .replacing(
        "  edit  privateQueue parent view",
        with: """
            work  privateQueue coordinator store
            edit  privateQueue coordinator store
            side  privateQueue coordinator store
            entry  tidy
              view  performAndWait
                work  directly
                  fetch Note
            entry  tidyLater
              view  perform
                work  directly
                  fetch Note
            entry  tidyOutside
              view  dispatchAsync other
                work  directly
                  fetch Note
            observe  didSave edit
              view  perform
                work  directly
                  fetch Note
            observe  didSave view
              call tidy
            observe  didSave side
              side  dispatchAsync other
                work  directly
                  fetch Note
          """)
    let scenario = try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "none")) }
    var configuration = RunConfiguration(model: scenario.model, quirks: QuirkSet())
    configuration.checkLevel = .design
    let outcome = ProgramRunner(configuration).run(Program(scenario))
    let wrong = outcome.violations.filter { $0.invariant == .ContextsKeepToTheirQueues }
    let violation = try #require(wrong.first)
    #expect(violation.signature(in: scenario.stack).detail?.part == expected)
    #expect(violation.author?.isDesign == (expected != nil))
    #expect(violation.site == (expected == nil ? .program : .stack))
  }

  @Test func `a part is not noted where failures are not told apart`() throws {
    let path = "\(Repository.root)/Scenarios/Concurrency/wrong-queue.scenario"
    let scenario = try ScenarioFile.read(path: path)
    for (level, isNoted) in [
      (CheckLevel.soundness, false), (.signature, true), (.proof, true), (.design, true),
    ] {
      var configuration = RunConfiguration(model: scenario.model, quirks: scenario.quirkSet)
      configuration.checkLevel = level
      let outcome = ProgramRunner(configuration).run(Program(scenario))
      #expect(outcome.failures.allSatisfy { ($0.detail != nil) == isNoted })
    }
  }
}
