import Foundation
import Testing

@Suite struct `Bad input` {
  private static let folder: URL = {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("faultline-tool-tests-\(ProcessInfo.processInfo.processIdentifier)")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }()

  private func file(_ name: String, _ text: String) throws -> String {
    let url = `Bad input`.folder.appendingPathComponent(name)
    try Data(text.utf8).write(to: url)
    return url.path
  }

  private func expect(_ arguments: [String], says words: String...) throws {
    let result = try Faultline.run(arguments)
    #expect(result.code == 2, "\(arguments): \(result.output)\(result.error)")
    #expect(result.output.isEmpty)
    #expect(result.error.split(separator: "\n").count == 1, "\(result.error)")
    for word in words { #expect(result.error.contains(word), "\(result.error)") }
  }

  @Test func `a scenario that cannot be read is an error in each format of a check`() throws {
    let path = try file("unreadable.scenario", "nonsense\n")
    func check(_ format: String) throws -> String {
      let result = try Faultline.run(["scenario", "check", "--format", format, path])
      #expect(result.code == 2 && result.error.contains(path), "\(result.error)")
      return result.output
    }
    #expect(try check("human").isEmpty)
    #expect(try check("github").hasPrefix("::error file=\(path),line=1::"))
    #expect(try check("junit").contains("errors=\"1\""))
  }

  @Test func `bad input ends with one line and exit code 2`() throws {
    try expect(["fuzz", "--model", "nowhere.xcdatamodeld"], says: "nowhere.xcdatamodeld")
    try expect(["fuzz", "--modle", "x"], says: "--modle", "did you mean '--model'")
    try expect(
      ["replay", "x", "--failures", "y"],
      says: "unknown option '--failures'; '--help' lists the options\n")
    try expect(["coverage", "--failures", "y"], says: "the options are --")
    try expect(["fuzz", "--runs", "many"], says: "--runs many")
    try expect(["fuzz", "--runs"], says: "'--runs' needs a number")
    try expect(["fuzz", "--guidance", "--runs", "100"], says: "'--guidance' needs on or off")
    try expect(["fuzz", "--profile"], says: "needs documented, legacy or current")
    try expect(
      ["coverage", "--stack", "-h"], says: "'--stack' needs the name or the file of a stack")
    try expect(["--verson"], says: "did you mean '--version'?")
    try expect(["fuzz", "--seed", "seven"], says: "--seed seven", "not a seed")
    try expect(["fuzz", "--profile", "modern"], says: "documented legacy current")
    try expect(["fuzz", "--time", "soon"], says: "30s")
    try expect(["fuzz", "--without", "gravity"], says: "not a quirk")
    try expect(
      ["fuzz", "--strategy", "uniformWlak"], says: "not a strategy", "did you mean 'uniformWalk'")
    try expect(
      ["fuzz", "--with", "mergeReachesChild"], says: "did you mean 'mergeReachesChildren'")
    let both = ["--with", "mergeReachesChildren", "--without", "mergeReachesChildren"]
    try expect(["fuzz"] + both, says: "'mergeReachesChildren'", "choose one")
    try expect(["replay", "Scenarios/README.md.scenario", "--contexts", "3"], says: "--contexts")
    try expect(["scenario", "check", "--with", "mergeReachesChildren"], says: "--with")
    try expect(["fuzz", "Some.xcdatamodeld"], says: "--model Some.xcdatamodeld")
    try expect(["fuzzz"], says: "did you mean 'fuzz'")
    try expect(["replay"], says: "one seed, example or scenario file")
    try expect(["replay", "seven"], says: "neither a seed")
    try expect(["replay", "0xzz"], says: "neither a seed")
    try expect(["replay", "7"], says: "--model")
    try expect(["replay", "missing.scenario"], says: "missing.scenario", "no such file")
    try expect(["scenario"], says: "new, check, record, list, book")
    try expect(["scenario", "chekc", "Scenarios"], says: "chekc")
    try expect(["scenario", "check", "nowhere"], says: "nowhere")
    try expect(["scenario", "record"], says: "scenario record takes one or more files")
    try expect(["facts", "--root", "Sources"], says: "Fixtures/Facts.txt", "no such file")
    try expect(
      ["facts", "--root", ".", "SVV-04"], says: "unknown fact 'SVV-04'", "did you mean 'SV-04'")
    try expect(["facts", "--root", ".", "--write", "SV-04"], says: "leave out SV-04")
  }

  @Test func `bad input is refused, and no page is written`() throws {
    let root = `Bad input`.folder.appendingPathComponent("checkout")
    for folder in ["Fixtures", "Scenarios"] {
      try FileManager.default.createDirectory(
        at: root.appendingPathComponent(folder), withIntermediateDirectories: true)
    }
    let list = root.appendingPathComponent("Fixtures/Facts.txt")
    let page = root.appendingPathComponent("Scenarios/FACTS.md")
    try Data("section  One\n".utf8).write(to: list)
    try expect(["facts", "--root", root.path, "--write"], says: "Facts.txt:1:", "has no facts")
    #expect(!FileManager.default.fileExists(atPath: page.path))
  }

  @Test func `an entity with too many properties is refused`() throws {
    let properties = (0..<513).map { "    p\($0)  string?\n" }.joined()
    let wide = try file(
      "wide.scenario",
      "scenario  wide\nevidence  inferred\n\nmodel\n  Note\n\(properties)\nstack\n  store  main\n"
        + "  view  mainQueue coordinator store\n\nsteps\n  view  insert Note as n\n")
    try expect(["scenario", "check", wide], says: "wide.scenario", "513 properties")
    try expect(["replay", wide], says: "wide.scenario", "513 properties")
  }

  @Test func `an error in a file names the file and the line`() throws {
    let broken = try file("contents.model", "Note\n  title  strnig?\n")
    try expect(["fuzz", "--model", broken], says: "contents.model:2:", "string")
    let unknown = try file(
      "unknown.scenario",
      "scenario  x\nevidence  inferred\n\nmodel\n  Note\n    title  string?\n\nstack\n"
        + "  store  main\n  view  mainQueue coordinator store\n\nsteps\n  view  insert Nte as n\n")
    try expect(["scenario", "check", unknown], says: "unknown.scenario:13:", "Note")
    let folder = `Bad input`.folder.appendingPathComponent("Broken.xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data("<model><entity name=\"A\">\n".utf8).write(
      to: folder.appendingPathComponent("contents"))
    try expect(["fuzz", "--model", folder.path], says: "contents:")
  }
}
