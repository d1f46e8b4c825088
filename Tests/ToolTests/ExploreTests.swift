import Foundation
import Testing

@Suite struct `Exploring a scenario` {
  private let waiting = "Scenarios/Concurrency/two-contexts-wait-for-each-other.scenario"

  /// The claim holds if `b` comes first, because then the save of `a` fails.
  private let stored = "equal  store.n {title: \"b\"}"

  /// Writes a scenario of two lanes that save to a separate file.
  private func withFile<Result>(
    _ claims: String, interleave: String = "every", _ body: (String) throws -> Result
  ) throws -> Result {
    let text = """
      scenario  lanes
      evidence  inferred
      interleave  \(interleave)

      model
        Note
          title  string?

      stack
        store  main
        a  mainQueue coordinator store
        b  privateQueue coordinator store

      steps
        a  insert Note as n
        a  save
        b  existingObject a.n
        b  perform
          set n.title "b"
          save
        a  set n.title "a"
        a  save

      claims
        \(claims)
      """
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-\(UUID().uuidString).scenario")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try body(file.path)
  }

  @Test func `an exploration names each outcome and a schedule that leads to it`() throws {
    let result = try Faultline.run(["explore", waiting])
    #expect(result.code == 0, "\(result.output)\(result.error)")
    for words in [
      " run, ", " pruned", "outcome 1 of 2: ", "outcome 2 of 2: ", "    deadlock: the main thread",
      "    holds: inserted  view.b", "every outcome ends with", "the stores are empty",
    ] {
      #expect(result.output.contains(words), "\(words) in \(result.output)")
    }
    #expect(result.output == (try Faultline.run(["explore", waiting]).output))
  }

  /// The deadlock is of an observer that waits, and not of the program.
  @Test func `an exploration names the kind of a deadlock`() throws {
    let result = try Faultline.run([
      "explore", "Scenarios/Concurrency/observer-that-waits.scenario",
    ])
    #expect(
      result.output.contains("    deadlock by the stack: a block of sync"), "\(result.output)")
  }

  @Test func `an exploration is summed up where a scenario is checked by name`() throws {
    let path = "Scenarios/Concurrency/main-waits-for-its-child.scenario"
    let result = try Faultline.run(["scenario", "check", path])
    let line = /\.scenario: [0-9]+ schedules: [0-9]+ run, [0-9]+ pruned; [0-9]+ outcomes/
    #expect(result.code == 0 && result.output.contains(line), "\(result.output)")
    #expect(
      !(try Faultline.run(["scenario", "check", "Scenarios/Concurrency"])).output.contains(line))
  }

  /// A schedule is shown as an order of named steps. Its numbers are for files.
  @Test func `an exploration says in which order queues run`() throws {
    let path = "Scenarios/Stacks/observer-merges-against-a-fetch.scenario"
    let report = try Faultline.run(["explore", path]).output
    #expect(!report.contains("choices"))
    let parts = report.components(separatedBy: "\n\n").map {
      $0.split(separator: "\n").map(String.init)
    }
    let start = try #require(parts.first { $0[0] == "every outcome begins with" })
    #expect(start[1].hasPrefix("  write: perform, "), "\(start)")
    let outcomes = parts.filter { $0[0].hasSuffix(", the first continues with") }
    #expect(outcomes.count == 2)
    #expect(outcomes[0][1] == "  main queue: merges a save of write, performAndWait, fetch Note")
    #expect(outcomes[1][1].hasPrefix("  main queue: performAndWait; write: 'view performAndWait' "))
    let page = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-order-\(UUID().uuidString).html")
    defer { try? FileManager.default.removeItem(at: page) }
    _ = try Faultline.run(["explore", path, "--html", page.path])
    let html = try String(contentsOf: page, encoding: .utf8)
    let schedules = html.matches(of: /<dt>Schedule<\/dt><dd>(.*?)<\/dd>/).map(\.1)
    #expect(schedules.count == 2)
    #expect(schedules.allSatisfy { $0.hasPrefix("write: perform, insert Note as a, save") })
  }

  /// The printed line goes into the scenario as it is, and shows the outcome.
  @Test func `an outcome has a schedule that can be kept`() throws {
    let schedules = try withFile(stored, interleave: "choices 0") { path in
      let report = try Faultline.run(["explore", path]).output
      return try (1...report.matches(of: /\noutcome \d+ of/).count).map { number in
        let text = try Faultline.run(["replay", path, "--outcome", "\(number)"]).output
        return try #require(text.split(separator: "\n").first { $0.hasPrefix("interleave  ") })
      }
    }
    #expect(schedules.count >= 2)
    var codes: [Int32] = []
    for schedule in schedules {
      let choice = schedule.dropFirst("interleave  ".count)
      codes.append(
        try withFile(stored, interleave: String(choice)) {
          try Faultline.run(["replay", $0]).code
        })
    }
    #expect(codes.contains(0))
    #expect(codes.contains(1))
  }

  @Test func `an exploration fails if a claim fails in some schedule`() throws {
    #expect(try withFile(stored) { try Faultline.run(["explore", $0]).code } == 1)
    #expect(try withFile("sometimes  " + stored) { try Faultline.run(["explore", $0]).code } == 0)
    let never = try withFile("sometimes  deadlock") { try Faultline.run(["explore", $0]) }
    #expect(never.code == 1)
    // There is nothing to record, and the claim does not hold.
    let record = try withFile(stored) { try Faultline.run(["scenario", "record", $0]) }
    #expect(record.code == 1 && record.output.contains("not recorded, because"))
  }

  @Test func `an outcome can be replayed`() throws {
    let path = "Scenarios/Concurrency/two-contexts-wait-for-each-other.scenario"
    let report = try Faultline.run(["explore", path]).output
    #expect(report.contains("--outcome N replays outcome N"))
    let count = report.matches(of: /\noutcome \d+ of/).count
    let deadlocked = try (1...count).filter { number in
      let replay = try Faultline.run(["replay", path, "--outcome", "\(number)", "--lanes"])
      #expect(replay.code == 0, "\(replay.error)")
      return replay.output.contains("deadlock. ")
    }
    #expect(!deadlocked.isEmpty && deadlocked.count < count)
    let none = try Faultline.run(["replay", path, "--outcome", "\(count + 1)"])
    #expect(none.code == 2 && none.error.contains("has \(count) outcomes, not \(count + 1)"))
  }

  @Test func `a seed cannot be explored`() throws {
    let result = try Faultline.run(["explore", "0x123"])
    #expect(
      result.code == 2 && result.error.contains("'faultline scenario new 0x123'"),
      "\(result.error)")
    let option = try Faultline.run(["fuzz", "-x"])
    #expect(
      option.code == 2 && option.error.contains("'faultline fuzz --help' lists the options"),
      "\(option.error)")
  }

  /// Such claims are about one schedule, and an exploration is expected to find other outcomes.
  @Test func `an exploration does not judge claims about the scenario's own schedule`() throws {
    let own = try withFile(stored, interleave: "choices 0") { try Faultline.run(["explore", $0]) }
    #expect(own.code == 0, "\(own.output)")
    #expect(own.output.contains("does not hold: \(stored)"), "\(own.output)")
    #expect(own.output.contains("claims describe the scenario's own schedule"))
  }

  /// A deadlock that the file claims of its own schedule is not required of other schedules.
  @Test func `a schedule in which nothing goes wrong breaks no claim`() throws {
    let result = try Faultline.run([
      "explore", "Scenarios/Stacks/observer-merges-against-a-fetch.scenario",
    ])
    #expect(!result.output.contains("does not hold"), "\(result.output)")
    #expect(result.output.contains("\n    no violation, and no step fails\n"), "\(result.output)")
  }

  @Test func `an exploration names violations of a design`() throws {
    let path = "Scenarios/Concurrency/wrong-queue.scenario"
    let result = try Faultline.run(["explore", path])
    #expect(result.code == 0, "\(result.output)")
    #expect(result.output.contains("violated: wrong-queue access"), "\(result.output)")
  }

  @Test func `an exploration fails if the engine is broken on purpose`() throws {
    let result = try withFile("clean  a") {
      try Faultline.run(["explore", $0, "--plant", "forgetsVersionBump"])
    }
    #expect(result.code == 1)
    #expect(result.output.contains("engine and reference model differ"), "\(result.output)")
  }

  /// A claim that must always hold stays open. A claim that must hold sometimes does not, once it
  /// has held.
  @Test func `an exploration says when it stops early`() throws {
    let open = try withFile("equal  store.n {}") {
      try Faultline.run(["explore", $0, "--limit", "1"])
    }
    #expect(open.code == 1)
    #expect(open.output.contains("stopped after "), "\(open.output)")
    #expect(open.output.contains("stopped after 1 of at least 2 runs, which stand for "))
    #expect(
      open.output.contains(
        "undecided, although it held in all of the schedules that ran: equal  store.n {}"))
    let never = try withFile("sometimes  deadlock") {
      try Faultline.run(["explore", $0, "--limit", "1"])
    }
    #expect(never.code == 1)
    #expect(
      never.output.contains(
        "undecided, because it held in none of the schedules that ran: sometimes  deadlock"))
    let proven = try withFile("sometimes  equal  store.n {}") {
      try Faultline.run(["explore", $0, "--limit", "1"])
    }
    #expect(proven.code == 0)
    #expect(proven.output.contains("stopped after "))
  }

  @Test func `an exploration refuses bad input`() throws {
    for (arguments, words) in [
      (["explore"], "one example or scenario file"),
      (["explore", waiting, waiting], "one example or scenario file"),
      (["explore", "missing.scenario"], "no such file"),
      (["explore", waiting, "--limit", "0"], "--limit 0"),
      (["explore", waiting, "--limt", "5"], "did you mean '--limit'"),
      (["explore", waiting, "--without", "gravity"], "not a quirk"),
      (["explroe", waiting], "did you mean 'explore'"),
    ] {
      let result = try Faultline.run(arguments)
      #expect(result.code == 2, "\(arguments)")
      #expect(result.error.contains(words), "\(result.error)")
      #expect(result.output.isEmpty)
    }
  }

  @Test func `an exploration writes a page with a tab for each outcome`() throws {
    let page = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-explore-\(UUID().uuidString).html")
    defer { try? FileManager.default.removeItem(at: page) }
    let result = try Faultline.run(["explore", waiting, "--html", page.path])
    #expect(result.code == 0 && result.error.contains("\(page.path): written"), "\(result.error)")
    let html = try String(contentsOf: page, encoding: .utf8)
    #expect(html.matches(of: /role="tab"/).count == 2)
    #expect(html.contains("faultline replay \(waiting) --outcome 2"))
    let copy = page.path + ".scenario"
    try FileManager.default.copyItem(
      at: Faultline.root.appendingPathComponent(waiting), to: URL(fileURLWithPath: copy))
    defer { try? FileManager.default.removeItem(atPath: copy) }
    let over = try Faultline.run(["explore", copy, "--html", copy])
    #expect(over.code == 2 && over.error.contains("choose another file"), "\(over.error)")
  }
}
