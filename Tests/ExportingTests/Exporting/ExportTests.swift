import Exporting
import Failures
import Foundation
import InputFiles
import Scenario
import ScenarioChecking
import TestSupport
import Testing
import Vocabulary

@Suite struct `An exported scenario` {
  private static func scenario(_ name: String) throws -> Scenario {
    let path = try #require(Repository.scenarioPaths().first { $0.hasSuffix("/\(name).scenario") })
    return try ScenarioFile.read(path: path)
  }

  /// The scenarios have contexts of three levels, an observer with a block and a count of
  /// notifications, queues that overtake each other, and a class with a hook.
  @Test(arguments: [
    "last-child-wins", "observer-merges-before-it-saves", "two-increments-that-met-count-once",
    "child-save-refires-awakeFromInsert",
  ])
  func `an exported scenario equals the reviewed file`(name: String) throws {
    let test = try ExportedTest(Self.scenario(name))
    let reviewed = try TextFile.read(
      path: "\(Repository.root)/Fixtures/Exported/\(test.fileName)")
    #expect(
      test.source == reviewed, "if that is right, faultline export … --to Fixtures/Exported")
  }

  @Test(arguments: [
    (
      "suspended-queue-keeps-its-order",
      "'work  suspend' cannot be exported: a context's queue cannot be suspended"
    ),
    (
      "wrong-queue",
      "'sync  perform' cannot be exported: it uses a context outside its queue, which only a "
        + "debugging option makes visible"
    ),
    (
      "refused-batch-request",
      "'view  refuseWrite main 2' cannot be exported: a program cannot make a store refuse to write"
    ),
    (
      "over-two-relationships",
      "'view  fetch Folder where ANY folders.notes.title == \"list\"' cannot be exported: a SQL "
        + "store accepts only one to-many key in a predicate"
    ),
    (
      "sync-on-its-own-queue",
      "'deadlock' cannot be exported: a queue that waits for itself ends the process"
    ),
  ])
  func `a refusal has the step and the reason`(name: String, message: String) throws {
    let scenario = try Self.scenario(name)
    let refusal = #expect(throws: Refusal.self) { try ExportedTest(scenario) }
    #expect(refusal?.message == message)
  }

  /// A SQL store takes only one of ANY, ALL and IN.
  @Test func `a predicate with two operators over many is refused`() throws {
    let path = try #require(
      Repository.scenarioPaths().first { $0.hasSuffix("/any-all-and-none.scenario") })
    let text = try TextFile.read(path: path)
    let line = try #require(text.split(separator: "\n").first { $0.contains("where ANY") })
    let condition = try #require(line.components(separatedBy: "where ").last)
    let twice = text.replacingOccurrences(
      of: line, with: "\(line) and NONE" + condition.dropFirst(3))
    _ = try ExportedTest(
      try ScenarioText.parse(text) { _ in
        .failure(UnreadableModel(message: "there is none"))
      })
    let scenario = try ScenarioText.parse(twice) { _ in
      .failure(UnreadableModel(message: "there is none"))
    }
    let refusal = #expect(throws: Refusal.self) { try ExportedTest(scenario) }
    #expect(refusal?.reason == "a SQL store accepts only one ANY, ALL or IN in a predicate")
  }

  /// A scenario that a campaign finds claims a violation and nothing else.
  @Test func `a test of a violation alone checks the contexts and stores`() throws {
    var scenario = try Self.scenario("last-child-wins")
    scenario.claims = [Claim(.shows(.violation(.SavedUpdatesAreNotLost, at: .program)))]
    scenario.watch = [.awakeFromInsert]
    let source = try ExportedTest(scenario).source
    let body = try #require(source.components(separatedBy: "func makeModel").first)
    let end = try #require(body.components(separatedBy: ".save()").last)
    #expect(end.contains("XCTAssertEqual(nInView.value(forKey: \"title\") as? String, \"first\")"))
    #expect(!source.contains("awakeFromInsert"))
  }

  @Test func `an exported scenario does not mention the campaign that found it`() throws {
    var scenario = try Self.scenario("last-child-wins")
    scenario.prose = ["Lost update.", "", Scenario.remarksHeading, "", "In 3 programs."]
    let source = try ExportedTest(scenario).source
    #expect(source.contains("/// Lost update.\n"))
    #expect(!source.contains(Scenario.remarksHeading) && !source.contains("3 programs"))
  }

  /// The lanes meet where each holds its queue, and one wait of the cycle has a limit.
  @Test(arguments: [
    "two-contexts-that-met", "main-waits-for-a-child-that-waits-for-main",
    "observer-merges-against-a-fetch", "save-everything-against-a-waiting-main",
  ])
  func `the test of a deadlock keeps free the thread that runs the test`(name: String) throws {
    let source = try ExportedTest(Self.scenario(name)).source
    #expect(source.contains("DispatchQueue(label: \"program\").async {"))
    for number in 0..<2 {
      #expect(source.components(separatedBy: "held[\(number)].signal()").count == 2)
      #expect(source.components(separatedBy: "held[\(number)].wait()").count == 2)
    }
    #expect(source.components(separatedBy: ".timedOut)").count == 2)
  }

  /// The block waits for the main queue, which the test's own thread must not occupy.
  @Test(arguments: ["view  fetch Note", "view  call look"])
  func `a test leaves the main queue to a block that asks for it`(step: String) throws {
    func source(_ step: String) throws -> String {
      let text = smallScenario(
        header: "\ninterleave  choices 0 0 0",
        steps: "  edit  perform\n    fetch Note\n    \(step)\n  view  hasChanges"
      ).replacingOccurrences(
        of: "  edit  privateQueue parent view\n",
        with: "  edit  privateQueue coordinator store\n  entry  look\n    view  fetch Note\n")
      var scenario = try parsed(text)
      scenario.record()
      return try ExportedTest(scenario).source
    }
    #expect(try source(step).contains("DispatchQueue(label: \"program\").async {"))
    #expect(try !source("edit  hasChanges").contains("label: \"program\""))
  }

  /// The merge is enqueued while the read holds the queue, and so runs after the read.
  @Test func `a read ahead of a merge holds the queue before the save`() throws {
    let source = try ExportedTest(Self.scenario("read-before-the-merge")).source
    let read = try #require(
      source.components(separatedBy: "performAndWait {").first { $0.contains("turns[1].wait()") })
    let lines = read.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.hasPrefix("//") }
    #expect(lines.prefix(2) == ["turns[0].signal()", "turns[1].wait()"])
    #expect(lines.dropFirst(2).first?.contains("value(forKey:") == true)
    #expect(source.components(separatedBy: "turns[0].signal()").count == 2)
  }

  /// A test cannot force the queue's block to run after the program's.
  @Test func `a block that an entry point enqueues keeps its order`() throws {
    let source = try ExportedTest(Self.scenario("save-after-a-reset-on-another-queue")).source
    #expect(source.contains("resetting.sync {}") && !source.contains("turns["))
    #expect(!source.contains("XCTAssertThrowsError"))
  }

  /// A block that calls such an entry point keeps its order, too.
  @Test func `a block that an entry point enqueues to call another keeps its order`() throws {
    let path = try #require(
      Repository.scenarioPaths().first {
        $0.hasSuffix("/save-after-a-reset-on-another-queue.scenario")
      })
    let text = try TextFile.read(path: path).replacingOccurrences(
      of: "      swap  destroyStore main anew", with: "      swap  call renew"
    ).replacingOccurrences(
      of: "  entry  reset\n",
      with: "  entry  renew\n    swap  destroyStore main anew\n  entry  reset\n")
    let source = try ExportedTest(parsed(text)).source
    #expect(source.contains("resetting.sync {}") && !source.contains("turns["))
  }

  private func parsed(_ text: String) throws -> Scenario {
    try ScenarioText.parse(text) { _ in .failure(UnreadableModel(message: "there is none")) }
  }

  @Test func `the flags of the app are exported as variables`() throws {
    let source = try ExportedTest(Self.scenario("flag-says-nothing-of-before")).source
    #expect(source.contains("  private var resetting = false\n"))
    #expect(source.contains("if !resetting {") && source.contains("resetting = true"))
  }

  /// A test can look at a flag in the right order only if no queue overtakes another.
  @Test func `one order of blocks is refused if the scenario has a flag`() throws {
    let steps = """
        view  insert Note as n
        view  save
        view  perform
          fetch Note
          unless busy
            fetch Note
        edit  perform
          fetch Note
          raise busy
      """
    let text = smallScenario(header: "\ninterleave  choices 0 1 1 1 1 1 1", steps: steps)
      .replacingOccurrences(of: "store  main\n", with: "store  main\n  flag  busy\n")
      .replacingOccurrences(of: "parent view", with: "coordinator store")
    var scenario = try parsed(text)
    scenario.record()
    let refusal = #expect(throws: Refusal.self) { try ExportedTest(scenario) }
    #expect(refusal?.reason == "a test cannot control when a queue reads or sets a flag")
  }

  @Test func `a claim between two steps is checked between these steps`() throws {
    let steps = """
        view  insert Note as n
          claim  changed  view
          claim  temporary  view.n
        view  set n.title "a"
          claim  equal  view.n {title: "a"}
        view  set n.title "b"
        view  save
      """
    let source = try ExportedTest(parsed(smallScenario(steps: steps, claims: "  clean  view")))
      .source
    let body = try #require(source.components(separatedBy: "makeModel() ->").first)
    let parts = body.components(separatedBy: "n.setValue(")
    #expect(parts.count == 3)
    #expect(parts[0].contains("XCTAssertTrue(view.hasChanges)"))
    #expect(parts[0].contains("XCTAssertTrue(n.objectID.isTemporaryID)"))
    #expect(parts[1].contains("XCTAssertEqual(n.value(forKey: \"title\") as? String, \"a\")"))
    #expect(
      parts[2].contains("XCTAssertFalse(view.hasChanges)") && !parts[1].contains("hasChanges"))
  }

  @Test func `an exported scenario observes the notifications that it claims`() throws {
    let steps = "  view  insert Note as n\n  view  save"
    let source = try ExportedTest(
      parsed(smallScenario(steps: steps, claims: "  posted  view didSave inserted n"))
    ).source
    #expect(source.contains("XCTAssertEqual(didSavesOfView, [[\"inserted\": 1]])"))
  }

  /// A block that a group notifies later has its result at that time. A block that never runs has
  /// none.
  @Test func `a block may run later than its step, or never`() throws {
    let later = try ExportedTest(Self.scenario("empty-group-keeps-nothing-waiting")).source
    let blocks = later.components(separatedBy: ".notify(queue: .global())")
    #expect(blocks.count == 3 && blocks[1].contains("isEmpty)"))
    #expect(blocks[2].contains("XCTAssertEqual(found.count, 1)"))
    let never = try ExportedTest(Self.scenario("group-that-nothing-leaves")).source
    #expect(never.contains("if worker.hasChanges {") && never.contains("try? worker.save()"))
  }

  @Test func `an app-defined merge policy is exported as a class`() throws {
    let source = try ExportedTest(Self.scenario("policy-that-edits-what-it-resolved")).source
    let name = "PolicyThatEditsWhatItResolvedPolicy"
    #expect(
      source.contains("view.mergePolicy = \(name)(\n")
        || source.contains(
          "view.mergePolicy = \(name)(merge: .mergeByPropertyStoreTrumpMergePolicyType)")
    )
    let policy = try #require(source.components(separatedBy: "final class \(name): ").last)
    #expect(policy.contains("try super.resolve(optimisticLockingConflicts: list)"))
    #expect(policy.contains("object.setValue(true, forKey: \"isContested\")"))
  }

  /// The policy changes only objects that are saved, which are updates that had a conflict.
  @Test func `an app-defined merge policy adds nothing to objects that are not saved`() throws {
    var scenario = try Self.scenario("policy-that-edits-what-it-resolved")
    let source = try ExportedTest(scenario).source
    let choice = try #require(source.range(of: ".filter(\\.isUpdated)"))
    let resolution = try #require(source.range(of: "try super.resolve("))
    #expect(choice.upperBound < resolution.lowerBound)
    scenario.stack.contexts[0].mergePolicy = .rollback
    #expect(try ExportedTest(scenario).source.contains("view.mergePolicy = NSMergePolicy.rollback"))
  }

  /// A test merges a context's notification after the context is gone.
  @Test func `a notification that a test keeps does not keep its context alive`() throws {
    func source(discard: String) throws -> String {
      let steps =
        "  view  insert Note as n\n  view  save\n\(discard)  edit  mergeChanges didSave view 1"
      let text = smallScenario(steps: steps)
        .replacingOccurrences(of: "parent view", with: "coordinator store")
      return try ExportedTest(parsed(text)).source
    }
    #expect(try source(discard: "").contains("savesOfView.append(notification)"))
    let source = try source(discard: "  view  discard\n")
    #expect(source.contains("Notification(name: notification.name, object: nil, userInfo:"))
    #expect(!source.contains("append(notification)"))
  }

  @Test func `an exported scenario merges history as an app does`() throws {
    var scenario = try Self.scenario("history-tells-what-others-wrote")
    let source = try ExportedTest(scenario).source
    #expect(source.contains("options: [NSPersistentHistoryTrackingKey: true as NSNumber]"))
    #expect(source.contains("share.transactionAuthor = \"share\""))
    #expect(source.components(separatedBy: "try mergeHistory(into: view)").count == 3)
    scenario.stack.stores[0].isInMemory = true
    let refusal = #expect(throws: Refusal.self) { try ExportedTest(scenario) }
    #expect(refusal?.reason == "a store in memory keeps no history")
  }

  @Test func `an exported scenario reads metadata from the store's file`() throws {
    var scenario = try Self.scenario("metadata-waits-for-a-save")
    let source = try ExportedTest(scenario).source
    let setting = try #require(
      source.range(of: "setMetadataNumber(3, of: main, in: coordinator)"))
    let before = try #require(
      source.range(of: "XCTAssertEqual(try metadataNumber(at: mainURL), 0)"))
    let after = try #require(
      source.range(of: "XCTAssertEqual(try metadataNumber(at: mainURL), 3)"))
    #expect(setting.upperBound <= before.lowerBound && before.upperBound <= after.lowerBound)
    scenario.stack.stores[0].isInMemory = true
    let refusal = #expect(throws: Refusal.self) { try ExportedTest(scenario) }
    #expect(refusal?.reason == "the written metadata of a store in memory cannot be read")
  }

  /// A predicate writes an aggregate of the members of a relationship as a key path.
  @Test func `a predicate has its sums in the words of NSPredicate`() throws {
    let source = try ExportedTest(Self.scenario("sums-over-members")).source
    #expect(source.contains("NSPredicate(format: \"notes.@sum.stars > 4\")"))
    #expect(source.contains("NSPredicate(format: \"notes.@avg.stars == 3.0\")"))
  }

  @Test func `a refusal has the line of its step`() throws {
    let scenario = try Self.scenario("refused-batch-request")
    let refusal = #expect(throws: Refusal.self) { try ExportedTest(scenario) }
    #expect(refusal?.line == scenario.items.first { $0.step.step.verb == "refuseWrite" }?.line)
  }

  /// The files name nothing of Faultline, and import only Apple's frameworks.
  @Test func `every scenario is exported or refused with a reason, and most are exported`() throws {
    var files: [String: String] = [:]
    var refusals: [Refusal] = []
    for (path, scenario) in try Repository.scenarios() {
      do throws(Refusal) {
        let test = try ExportedTest(scenario)
        #expect(files.updateValue(path, forKey: test.fileName) == nil, "\(path)")
        let lines = test.source.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
          lines.filter { $0.hasPrefix("import ") } == ["import CoreData", "import XCTest"],
          "\(path)")
        #expect(!test.source.contains("Faultline") && !test.source.contains("Simulated"), "\(path)")
        #expect(lines.allSatisfy { $0.count <= 100 }, "\(path)")
        #expect(test.source.count { $0 == "{" } == test.source.count { $0 == "}" }, "\(path)")
      } catch {
        #expect(!error.subject.isEmpty && !error.reason.isEmpty, "\(path)")
        refusals.append(error)
      }
    }
    #expect(files.count >= 400)
    #expect(files.count + refusals.count == Repository.scenarioPaths().count)
  }

  @Test func `an export is the same each time`() throws {
    for name in ["last-child-wins", "deletion-has-spread-before-willSave"] {
      let scenario = try Self.scenario(name)
      let (first, second) = (try ExportedTest(scenario), try ExportedTest(scenario))
      #expect(first.source == second.source)
    }
  }
}
