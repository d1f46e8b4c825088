import Faultline
import TestSupport
import Testing

@Suite struct `A promise as a value` {
  private static let fixtures = Repository.root + "/Fixtures"

  private func fuzzer(_ stack: String?, _ promises: [Promise], runs: Int) -> Fuzzer {
    let path = Self.fixtures
    return Fuzzer(
      model: path + "/Models/Note.model", stack: stack.map { "\(path)/Promises/\($0).stack" },
      promises: promises, runs: runs)
  }

  @Test func `a promise as a value says what a line of a stack says`() {
    #expect(Promise.unique("Person", "first", "last").text == "unique Person.first and last")
    #expect(Promise.every("Note", has: "folder != nil").text == "every Note has folder != nil")
    #expect(
      Promise.every("Note", where: "stars > 3", has: "title != nil")
        .holding(in: "store", "view").atRest.text
        == "every Note where stars > 3 has title != nil in store view at rest")
    #expect(
      Promise.unique("Note", "title").after("finish").text == "unique Note.title after finish")
    #expect(
      Promise.eventually(.unique("Note", "title")).holding(in: "view").text
        == "eventually unique Note.title in view")
    #expect(
      ("count Note <= 3" as Promise).until("count Folder >= 1").always.text
        == "count Note <= 3 until count Folder >= 1 always")
    #expect(
      Promise.unique("Note", "title").untilChanged("edit").text
        == "unique Note.title until changed edit")
    #expect(("count Note <= 3" as Promise).always.text == "count Note <= 3 always")
  }

  @Test func `a design with one writer keeps a promise, and one with two breaks it`() async throws {
    let promises: [Promise] = [.unique("Note", "title")]
    let kept = try await fuzzer("one-writer", promises, runs: 60).run()
    #expect(!kept.failures.contains { $0.violation == .brokenPromise })
    let broken = try await fuzzer("two-writers", promises, runs: 300).run()
    let failure = try #require(broken.failures.first { $0.violation == .brokenPromise })
    #expect("\(failure)".contains("--promise 'unique Note.title'"))
  }

  @Test(arguments: [
    (
      "two-writers", "unique Note.name",
      "Fuzzer: promise 'unique Note.name': no property 'name'; 'Note' has 'title' and 'stamp'"
    ),
    ("two-writers", "", "Fuzzer: promise '': a promise is one line"),
    (nil, "unique Note.title", "Fuzzer: promises need a stack; add 'stack:'"),
  ])
  func `a promise that cannot be used is invalid input`(
    stack: String?, promise: String, message: String
  ) async {
    let error = await #expect(throws: InvalidInput.self) {
      try await fuzzer(stack, [Promise(promise)], runs: 1).check()
    }
    #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "none")")
  }
}
