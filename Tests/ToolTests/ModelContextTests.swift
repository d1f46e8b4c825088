import Foundation
import Testing

/// A client sends a list of messages to `faultline mcp`, and reads the answers.
@Suite struct `The server of the Model Context Protocol` {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("faultline-mcp-\(UUID().uuidString)").resolvingSymlinksInPath()

  private static let model = "Note\n  title  string?\n"
  private static let stack = """
    stack  App

      store  main
      view  mainQueue coordinator store
      editor  mainQueue parent view
      entry  done
        editor  save

    """

  /// Creates the folder of a project, with a stack and a model, and a file outside of it.
  private func begin() throws {
    let project = folder.appendingPathComponent("project")
    try FileManager.default.createDirectory(at: project, withIntermediateDirectories: true)
    try write(Self.model, "project/App.model")
    try write(Self.stack, "project/App.stack")
    try write(Self.stack, "outside.stack")
    try write(Self.model, "outside.model")
  }

  private func write(_ text: String, _ path: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(path))
  }

  /// Sends lines to the server, which must end with exit code 0, and returns its answers.
  private func answers(to lines: [String]) throws -> [[String: Any]] {
    try write(lines.joined(separator: "\n"), "input")
    let result = try Faultline.run(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", "exec \"$0\" mcp < ../input", Faultline.executable.path],
      in: folder.appendingPathComponent("project"))
    #expect(result.code == 0 && result.error.isEmpty, "\(result.error)")
    return try result.output.split(separator: "\n").map { line in
      let answer = try JSONSerialization.jsonObject(with: Data(line.utf8))
      let object = try #require(answer as? [String: Any])
      #expect(object["jsonrpc"] as? String == "2.0")
      #expect((object["result"] == nil) != (object["error"] == nil), "\(line)")
      return object
    }
  }

  private func request(_ method: String, _ parameters: [String: Any]) throws -> String {
    let object: [String: Any] = [
      "jsonrpc": "2.0", "id": 1, "method": method, "params": parameters,
    ]
    return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
  }

  /// Calls tools, and returns the text and the error mark of each answer.
  private func call(
    _ calls: [(tool: String, arguments: [String: Any])]
  ) throws -> [(text: String, isError: Bool)] {
    let lines = try calls.map { call in
      try request("tools/call", ["name": call.tool, "arguments": call.arguments])
    }
    let all = try answers(to: lines)
    #expect(all.count == calls.count)
    return try all.map { answer in
      let result = try #require(answer["result"] as? [String: Any], "\(answer)")
      let content = try #require(result["content"] as? [[String: Any]])
      #expect(content.count == 1 && content[0]["type"] as? String == "text")
      let text = try #require(content[0]["text"] as? String)
      #expect(text.count <= 8_000)
      return (text, try #require(result["isError"] as? Bool))
    }
  }

  private func code(_ answer: [String: Any]) -> Int? {
    (answer["error"] as? [String: Any])?["code"] as? Int
  }

  // MARK: The protocol

  @Test(arguments: [
    ("2025-06-18", "2025-06-18"), ("2024-11-05", "2024-11-05"), ("1999-01-01", "2025-06-18"),
  ])
  func `the server agrees on a version of the protocol`(asked: String, agreed: String) throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try begin()
    let all = try answers(to: [
      request("initialize", ["protocolVersion": asked, "capabilities": [String: Any]()]),
      #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
      "",
      #"{"jsonrpc":"2.0","id":"two","method":"ping"}"#,
      #"{"jsonrpc":"2.0","method":"notifications/unknown","params":[]}"#,
      #"{"jsonrpc":"2.0","id":9,"result":{}}"#,
    ])
    #expect(all.count == 2)
    let result = try #require(all[0]["result"] as? [String: Any])
    #expect(result["protocolVersion"] as? String == agreed && all[0]["id"] as? Int == 1)
    #expect((result["capabilities"] as? [String: Any])?["tools"] != nil)
    #expect((result["serverInfo"] as? [String: Any])?["name"] as? String == "faultline")
    #expect((result["instructions"] as? String)?.contains("read_guide") == true)
    #expect(
      all[1]["id"] as? String == "two" && (all[1]["result"] as? [String: Any])?.isEmpty == true)
  }

  @Test func `the server answers malformed messages with errors of the protocol`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try begin()
    let nested = String(repeating: "[", count: 5_000)
    let lines: [(line: String, code: Int, hasID: Bool)] = [
      ("{oops", -32_700, false), (nested, -32_700, false), ("\u{0}\u{7F}", -32_700, false),
      (#"{"jsonrpc":"2.0","id":1e400,"method":"ping"}"#, -32_700, false),
      ("7", -32_600, false), (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, -32_600, false),
      (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32_600, true),
      (#"{"jsonrpc":"2.0","id":1}"#, -32_600, true),
      (#"{"jsonrpc":"2.0","id":1,"method":7}"#, -32_600, true),
      (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32_600, false),
      (#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#, -32_600, false),
      (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32_600, false),
      ("\"\(String(repeating: "x", count: 1_000_001))\"", -32_600, false),
      (#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, -32_601, true),
      (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#, -32_602, true),
      (#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#, -32_602, true),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"2"}}"#, -32_602, true),
      (#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#, -32_602, true),
    ]
    let all = try answers(to: lines.map(\.line))
    #expect(all.count == lines.count)
    for (expected, answer) in zip(lines, all) {
      #expect(code(answer) == expected.code, "\(expected.line.prefix(80))")
      #expect((answer["id"] as? Int == 1) == expected.hasID, "\(answer)")
    }
  }

  @Test func `the server refuses arguments that do not match the schema`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try begin()
    let wrong: [(tool: String, arguments: Any)] = [
      ("delete_everything", [String: Any]()), ("run_campaign", [String: Any]()),
      ("run_campaign", ["App.stack"]), ("run_campaign", ["stack": 7]),
      ("run_campaign", ["stack": ""]), ("run_campaign", ["stack": "a\nb"]),
      ("run_campaign", ["stack": "proxy", "runs": true]),
      ("run_campaign", ["stack": "proxy", "runs": "10"]),
      ("run_campaign", ["stack": "proxy", "runs": 20_001]),
      ("run_campaign", ["stack": "proxy", "runs": 0.5]),
      ("run_campaign", ["stack": "proxy", "seed": "seven"]),
      ("run_campaign", ["stack": "proxy", "only": "lost update"]),
      ("run_campaign", ["stack": "proxy", "only": [1]]),
      ("run_campaign", ["stack": "proxy", "strict": 1]),
      ("run_campaign", ["stack": "proxy", "failures": "/tmp"]),
      ("read_finding", ["name": NSNull()]), ("read_guide", ["page": 1]),
    ]
    let all = try answers(
      to: wrong.map { try request("tools/call", ["name": $0.tool, "arguments": $0.arguments]) })
    #expect(all.count == wrong.count)
    for (call, answer) in zip(wrong, all) { #expect(code(answer) == -32_602, "\(call): \(answer)") }
  }

  @Test func `the server describes its tools by JSON schemas`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try begin()
    let answer = try answers(to: [request("tools/list", [:])])[0]
    let tools = try #require((answer["result"] as? [String: Any])?["tools"] as? [[String: Any]])
    let names = tools.compactMap { $0["name"] as? String }
    #expect(
      names == [
        "list_stacks", "read_guide", "run_campaign", "read_finding", "replay", "explore",
        "check_scenarios",
      ])
    for tool in tools {
      #expect((tool["description"] as? String)?.hasSuffix(".") == true, "\(tool)")
      let schema = try #require(tool["inputSchema"] as? [String: Any])
      #expect(schema["type"] as? String == "object")
      #expect(schema["additionalProperties"] as? Bool == false)
      let properties = try #require(schema["properties"] as? [String: [String: Any]])
      let required = schema["required"] as? [String] ?? []
      #expect(required.allSatisfy { properties[$0] != nil })
      for (name, property) in properties {
        #expect(property["description"] is String, "\(name)")
        let types = property["type"] as? [String] ?? [property["type"] as? String ?? ""]
        #expect(Set(types).isSubset(of: ["string", "integer", "boolean", "array"]), "\(name)")
        #expect(types != ["array"] || property["items"] is [String: Any], "\(name)")
        #expect(types != ["integer"] || property["maximum"] is Int, "\(name)")
      }
    }
    let help = try Faultline.run(["mcp", "--help"]).output
    for name in names { #expect(help.contains("\n  \(name)"), "\(name)") }
  }

  // MARK: Tools

  @Test func `an assistant finds, reads and mends a failure`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try begin()
    let arguments: [String: Any] = [
      "stack": "App.stack", "model": "./App.model", "runs": 100, "seed": 5,
      "only": ["save left in a parent"],
    ]
    let found = try call([
      ("read_guide", [:]), ("list_stacks", [:]), ("run_campaign", arguments),
      ("read_finding", ["name": "App/save-left-in-a-parent"]),
      ("explore", ["scenario": ".faultline/App/save-left-in-a-parent.scenario", "limit": 100]),
      ("replay", ["scenario": ".faultline/App/save-left-in-a-parent.scenario", "lanes": true]),
      ("check_scenarios", ["folder": ".faultline"]),
    ])
    #expect(found.allSatisfy { !$0.isError }, "\(found)")
    #expect(found[0].text.hasPrefix("# Faultline"))
    #expect(found[1].text.contains("  App.stack\n") && found[1].text.contains("\nproxy\n"))
    #expect(found[2].text.hasPrefix("FAIL  1 failure, which loses data"), "\(found[2].text)")
    #expect(found[2].text.contains("  at: App.stack:6\n"), "\(found[2].text)")
    #expect(found[3].text.contains("remedy: also save the parent"), "\(found[3].text)")
    #expect(found[3].text.hasSuffix("FAIL  save left in a parent"))
    #expect(found[4].text.contains("outcome 1 of "), "\(found[4].text)")
    #expect(found[5].text.hasPrefix("step "), "\(found[5].text)")
    #expect(found[6].text.hasSuffix("passed, 0 failed"), "\(found[6].text)")

    try write(Self.stack + "    view  save\n", "project/App.stack")
    let mended = try call([
      ("read_finding", ["name": "App/save-left-in-a-parent", "stack": "App.stack"]),
      ("run_campaign", arguments),
    ])
    #expect(mended[0].text.contains("PASS  "), "\(mended[0].text)")
    #expect(mended[1].text.hasPrefix("PASS") && !mended[1].isError, "\(mended[1].text)")
  }

  @Test func `an answer says what is wrong with its input`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try begin()
    try write("stack  Bad\n\n  stoer  main\n", "project/Bad.stack")
    let all = try call([
      ("run_campaign", ["stack": "Bad.stack"]), ("run_campaign", ["stack": "Missing.stack"]),
      ("run_campaign", ["stack": "proxi"]),
      ("run_campaign", ["stack": "proxy", "only": ["lost updat"]]),
      ("run_campaign", ["stack": "proxy", "only": ["--help"]]),
      ("run_campaign", ["stack": "proxy", "allow": ["--output=x"]]),
      ("read_finding", ["name": "lost-update"]), ("replay", ["scenario": "App.stack"]),
    ])
    let messages = [
      "Bad.stack:3: ", "'Missing.stack': no such file", "did you mean 'proxy'", "did you mean",
      "'--only --help' is not a group", "'--allow --output=x' is not a group",
      "not an example", "is a stack",
    ]
    for (answer, message) in zip(all, messages) {
      #expect(answer.isError && answer.text.contains(message), "\(answer.text)")
    }
  }

  @Test func `the server refuses paths outside of its folder`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try begin()
    let project = folder.appendingPathComponent("project")
    func link(_ name: String, _ target: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: project.appendingPathComponent(name).path, withDestinationPath: target)
    }
    try FileManager.default.createDirectory(
      at: project.appendingPathComponent("inner"), withIntermediateDirectories: true)
    try link("linked.stack", "../outside.stack")
    try link("up", "..")
    try link("inner/linked.scenario", "../../outside.stack")
    // Commands read a file whatever its name.
    for name in ["Names.stack", "names/text"] {
      let model = name.contains("/") ? "../../outside.model" : "../outside.model"
      try FileManager.default.createDirectory(
        at: project.appendingPathComponent("names"), withIntermediateDirectories: true)
      try write(
        Self.stack.replacing("stack  App\n", with: "stack  App\nmodel  \(model)\n"),
        "project/\(name)")
    }
    let outside = folder.appendingPathComponent("outside.stack").path
    let refused: [(tool: String, arguments: [String: Any])] = [
      "../outside.stack", outside, "linked.stack", "up/outside.stack", "inner/../../outside.stack",
      "up/missing.stack", "../missing.stack", "/etc/missing.stack", "Names.stack",
      "names/text",
    ].map { ("run_campaign", ["stack": $0]) }
    let others: [(tool: String, arguments: [String: Any])] = [
      ("run_campaign", ["stack": "App.stack", "model": "../outside.model"]),
      ("replay", ["scenario": outside]), ("explore", ["scenario": "linked.stack"]),
      ("check_scenarios", ["folder": ".."]), ("check_scenarios", ["folder": "inner"]),
      ("check_scenarios", ["folder": "up"]), ("read_finding", ["name": "../../outside"]),
      ("read_finding", ["name": outside]),
      ("read_finding", ["name": "x", "stack": "../outside.stack"]),
    ]
    let all = try call(refused + others)
    for (call, answer) in zip(refused + others, all) {
      #expect(
        answer.isError && answer.text.contains(" is outside of the folder"), "\(call) \(answer)")
    }
    // Paths that stay inside, or return, are allowed.
    let inside = try call([
      ("run_campaign", ["stack": "inner/../App.stack", "runs": 5]),
      ("run_campaign", ["stack": project.appendingPathComponent("App.stack").path, "runs": 5]),
    ])
    #expect(inside.allSatisfy { !$0.isError }, "\(inside)")

    try FileManager.default.removeItem(at: project.appendingPathComponent(".faultline"))
    try link(".faultline", "..")
    let kept = try call([("run_campaign", ["stack": "App.stack", "runs": 5])])[0]
    #expect(kept.isError && kept.text.contains("is outside of the folder"), "\(kept.text)")
  }

  @Test func `a long answer is cut in the middle, and says so in its last line`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try begin()
    let steps = (1...300).map { "  view  insert Note as n\($0)\n" }.joined()
    try write(
      "scenario  long\nevidence  inferred\n\nmodel\n  Note\n    title  string?\n\nstack\n"
        + "  store  main\n  view  mainQueue coordinator store\n\nsteps\n" + steps,
      "project/long.scenario")
    let whole = try Faultline.run(
      Faultline.executable, ["replay", "long.scenario"],
      in: folder.appendingPathComponent("project")
    ).output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    let answer = try call([("replay", ["scenario": "long.scenario"])])[0]
    let lines = answer.text.split(separator: "\n", omittingEmptySubsequences: false)
    let note = try #require(
      lines.last?.firstMatch(of: /^omitted: (\d+) of (\d+) lines, from line (\d+);/))
    #expect(
      lines.last?.hasSuffix("'faultline replay long.scenario' prints the whole output") == true)
    let (omitted, count, first) = (Int(note.1) ?? 0, Int(note.2) ?? 0, Int(note.3) ?? 0)
    #expect(count == whole.count && lines.count - 2 == count - omitted)
    #expect(lines.prefix(first - 1) == whole.prefix(first - 1) && lines[first - 1] == "…")
    #expect(
      lines.dropLast().suffix(count - omitted - first + 1)
        == whole.suffix(count - omitted - first + 1))
  }
}
