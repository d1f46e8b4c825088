import Foundation
import Testing

@Suite struct `Options of a campaign` {
  private func fuzz(_ arguments: String...) throws -> Faultline.Result {
    try Faultline.run(["fuzz", "--seed", "3"] + arguments)
  }

  private func stepCounts(_ result: Faultline.Result) throws -> [String: Int] {
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    return try #require((object as? [String: Any])?["stepCounts"] as? [String: Int])
  }

  @Test func `a campaign ends with a verdict`() throws {
    let words = [
      "fuzz", "--runs", "30", "--seed", "7", "--model", "Fixtures/Models/Note.model",
    ]
    let leak = ["--only", "temporary ID leak"]
    let verdicts = [
      // An app's own model has no known failures.
      ([], 1, "FAIL  5 failures: 1 stops the app, 4 lose data; 3 warnings"),
      (
        ["--strict"], 1,
        "FAIL  8 failures: 1 stops the app, 4 lose data, 1 shows old data, 2 mistake objects"
      ),
      (["--known", "Scenarios"], 0, "KNOWN  no new failure; 8 known"),
      (
        ["--allow", "framework"], 1,
        "FAIL  3 failures: 1 stops the app, 2 lose data; 5 left out"
      ),
      (["--only", "misuse"], 0, "PASS  no new failure; 8 left out"),
      // A kind that is named fails the campaign, whatever its severity.
      (leak, 1, "FAIL  1 failure, which mistakes objects; 7 left out"),
      (leak + ["--allow", "temporary ID leak"], 0, "PASS  no new failure; 8 left out"),
      (["--only-steps", "get"], 0, "PASS  no failure"),
    ]
    for (more, code, verdict) in verdicts {
      let run = try Faultline.run(words + more)
      #expect(Int(run.code) == code)
      let lines = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      #expect(lines.last ?? "" == verdict, "\(more)")
      // The table comes before all examples.
      let table = lines.firstIndex { $0.hasSuffix("cause of the smallest example") }
      let example = lines.firstIndex { $0.hasPrefix("── ") }
      #expect(example.map { ($0 > table ?? 0) } ?? (code == 0))
    }
  }

  /// Kinds that are left out are counted, with their causes, but no certificate is searched for.
  @Test func `a campaign spends its time on what its options do not leave out`() throws {
    func certificates(_ more: [String]) throws -> [String: String] {
      let words = ["fuzz", "--runs", "30", "--model", "Fixtures/Models/Note.model"]
      let run = try Faultline.run(words + ["--format", "json", "--failures", "none"] + more)
      let object = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
      let violations = try #require(object?["violations"] as? [[String: Any]])
      return try Dictionary(
        uniqueKeysWithValues: violations.map {
          (try #require($0["kind"] as? String), try #require($0["certificate"] as? String))
        })
    }
    let all = try certificates([])
    #expect(all.values.allSatisfy { !$0.contains("leaves out failures of this kind") })
    let one = try certificates(["--only", "temporary ID leak"])
    #expect(one.count > 5 && one["temporary ID leak"] == all["temporary ID leak"])
    let others = one.filter { $0.key != "temporary ID leak" }.values
    #expect(
      others.allSatisfy {
        $0.hasPrefix("not certified: the campaign leaves out failures of this kind")
      })
    let allowing = try certificates(["--allow", "temporary ID leak"])
    #expect(allowing.values.count { $0.contains("leaves out failures of this kind") } == 1)
    // The group of a failure is known only after the failure was shrunk.
    #expect(try certificates(["--allow", "framework"]) == all)
  }

  @Test func `options say how much is printed`() throws {
    let words = ["fuzz", "--runs", "30", "--model", "Fixtures/Models/Note.model"]
    let usual = try Faultline.run(words).output
    let quiet = try Faultline.run(words + ["-q"]).output
    let verbose = try Faultline.run(words + ["-v"]).output
    #expect(!quiet.contains("── ") && quiet.contains("temporary ID leak"))
    #expect(usual.contains("── silently ignored save") && !usual.contains("that run: "))
    // Warnings about Core Data itself share a line.
    #expect(
      usual.contains(
        "\nwarning: Core Data causes these failures under every design ('-v' shows them): "))
    #expect(!usual.contains("── temporary ID leak") && verbose.contains("── temporary ID leak"))
    for text in ["\nmarks: ", "\nsteps: ", "that run: ", "\n   scenario  temporary-ID-leak\n"] {
      #expect(verbose.contains(text) && !usual.contains(text), "\(text)")
    }
    // The first three are shown in full, the others with a sentence each.
    let sections = usual.components(separatedBy: "\n── ").dropFirst()
    #expect(sections.map { $0.contains("\n   violated: ") } == [true, true, true, false])
    #expect(sections.dropLast().allSatisfy { $0.contains("\n   remedy: ") })
    #expect(sections.last?.firstMatch(of: /^[0-9]+ more failures?\n/) != nil, "\(usual)")
    // Known failures have a line, and their examples for those who ask.
    let known = try Faultline.run(words + ["--known", "Scenarios"]).output
    #expect(!known.contains("── ") && known.contains("(known)"))
    let all = try Faultline.run(words + ["--known", "Scenarios", "-v"]).output
    #expect(all.contains("known failure: Scenarios/"))
    #expect(try Faultline.run(words + ["-q", "-v"]).code == 2)
  }

  @Test func `a campaign says what is easily overlooked`() throws {
    let words = ["fuzz", "--runs", "6", "--model", "Fixtures/Models/Note.model"]
    let stack = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-\(UUID().uuidString).stack")
    defer { try? FileManager.default.removeItem(at: stack) }
    try Data(
      "stack  two\n\n  store  main\n  view  mainQueue coordinator store\n  work  privateQueue parent view\n"
        .utf8
    ).write(to: stack)
    let unconfined = try Faultline.run(words + ["--stack", stack.path, "--strict"])
    #expect(unconfined.output.contains("\nnote: the stack has no entry points"))
    let confined = try Faultline.run(words + ["--stack", "import-operation-on-main"])
    #expect(!confined.output.contains("\nnote: "))
    let similar = try Faultline.run(
      words + [
        "--stack", "harmony-record-controller", "--allow", "stale copy", "--only",
        "stale copy in a following context",
      ])
    #expect(
      similar.output.contains(
        "\nnote: --allow 'stale copy' does not cover 'stale copy in a following context'"
      ))
  }

  @Test func `options keep programs to some kinds of steps, or from some`() throws {
    let note = ["--model", "Fixtures/Models/Note.model", "--runs", "40", "--format", "json"]
    let only = try stepCounts(
      Faultline.run(
        ["fuzz"] + note + [
          "--only-steps", "insert", "--only-steps", "save", "--only-steps", "undo",
        ]))
    // Observers and automatic merges belong to the stack.
    for kind in ["get", "fetch", "delete", "refresh", "perform", "rollback"] {
      #expect(only[kind] == nil, "\(kind)")
    }
    #expect((only["insert"] ?? 0) > 100)
    let without = try stepCounts(
      Faultline.run(["fuzz"] + note + ["--without-steps", "rollback", "--without-steps", "undo"]))
    #expect(without["undo"] == nil)
    #expect(without["redo"] != nil)
  }

  /// Notes have no relationship.
  @Test func `a campaign says if the model has no use for a requested kind`() throws {
    let words = [
      "--model", "Fixtures/Models/Note.model", "--stack", "main-only", "--runs", "20",
      "--only-steps", "relate", "--only-steps", "set", "--only-steps", "illegal",
    ]
    let output = try Faultline.run(["fuzz"] + words).output
    #expect(output.contains("\nnever: relate, requested by --only-steps: "), "\(output)")
  }

  @Test func `options are refused where they say nothing or too much`() throws {
    let unknown = try fuzz("--only-steps", "undoo")
    #expect(unknown.code == 2 && unknown.error.contains("not a kind of step; did you mean 'undo'?"))
    let both = try fuzz("--only-steps", "undo", "--without-steps", "undo")
    #expect(both.code == 2 && both.error.contains("'undo' is given to both"))
    let related = try fuzz("--only-steps", "remove", "--without-steps", "replace")
    #expect(related.code == 2)
    #expect(related.error.contains("'replace' of --without-steps are the same kind, 'relate'"))
    let canary = try fuzz("--canary", "swapsTrumps", "--format", "json")
    #expect(canary.code == 2 && canary.error.contains("leave out --format"))
    #expect(try fuzz("--canary", "swapTrumps").error.contains("did you mean 'swapsTrumps'?"))
    #expect(try fuzz("--guidance", "maybe").error.contains("choose one of on off"))
  }

  @Test func `a canary is found or not`() throws {
    let found = try fuzz("--runs", "600", "--canary", "ignoresVersions")
    #expect(found.code == 0)
    #expect(found.output.hasPrefix("canary ignoresVersions: found by program "))
    // The second line is a command that shows the canary.
    let words = found.output.split(separator: "\n")[1].split(separator: " ").map(String.init)
    #expect(words.suffix(2) == ["--plant", "ignoresVersions"])
    let replay = try Faultline.run(Array(words.dropFirst()))
    #expect(replay.code == 1 && replay.output.contains("engine and reference model disagree"))
    // A wrong choice between two policies cannot be seen where neither is in use.
    let missed = try fuzz("--runs", "60", "--canary", "swapsTrumps", "--policy", "error")
    #expect(missed.code == 1)
    #expect(missed.output.hasPrefix("canary swapsTrumps: NOT FOUND in 60 programs"))
  }

  /// A disagreement ends the run within a save, which is shown at that place.
  @Test func `a report shows the step at which engine and reference model differ`() throws {
    let report = try fuzz(
      "--runs", "900", "--plant", "nullifySkipsToOnes", "--known", "none"
    ).output
    let line = report.split(separator: "\n").first {
      $0.contains(" ✗ disagreement on a context: save flush")
    }
    #expect(line?.contains("save begins ✗") == true, "\(report)")
  }

  @Test func `a report counts states and marks, and says when the last was new`() throws {
    let options = ["--runs", "90", "--steps", "30", "--model", "Fixtures/Models/Note.model"]
    let text = try Faultline.run(["fuzz", "-v"] + options).output
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("abstract states: ") })
    let json = try Faultline.run(["fuzz", "--format", "json"] + options).output
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let states = try #require(object["states"] as? [String: Int])
    let (state, mark) = (states["lastNewRun"] ?? 0, object["lastNewMarkRun"] as? Int ?? 0)
    #expect(1...90 ~= state && 1...90 ~= mark)
    #expect(
      line.hasSuffix(
        "; the last new state in program \(state), the last new mark in program \(mark)"))
    #expect((states["count"] ?? 0) > 300)
    let guided = try Faultline.run(["fuzz", "-v", "--guidance", "on"] + options).output
    #expect(guided.contains("abstract states: ") && !guided.contains(line))
  }

  /// A seed with a beginning from another run can be pasted, too.
  @Test func `every replay line of a guided campaign repeats its run`() throws {
    let report = try Faultline.run([
      "fuzz", "--runs", "130", "--seed", "22", "--steps", "30", "--model",
      "Fixtures/Models/Note.model",
      "--without-steps", "kill", "--format", "json", "--guidance", "on",
    ]).output
    let object = try JSONSerialization.jsonObject(with: Data(report.utf8)) as? [String: Any]
    let violations = try #require(object?["violations"] as? [[String: Any]])
    var guidedCount = 0
    for violation in violations {
      // A failure that was met while another was shrunk does not show in the other's run.
      let kind = try #require((violation["metWhileShrinking"] ?? violation["kind"]) as? String)
      let line = try #require(violation["replay"] as? String)
      let words = line.split(separator: " ").dropFirst().map(String.init)
      #expect(words.contains("--without-steps"))
      let replay = try Faultline.run(words)
      #expect(replay.output.contains(": \(kind)"), "\(line)")
      if words[1].contains(":") { guidedCount += 1 }
      #expect(!(violation["swarm"] as? String ?? "").isEmpty)
    }
    #expect(guidedCount > 0, "\(violations.compactMap { $0["replay"] })")
  }
}
