import InputFiles
import Scenario
import Shrinking
import TestSupport
import Testing
import Vocabulary

/// A stack that is shrunk must stay a part of the design: `Stack.isPart(of:declaring:)`.
@Suite struct `A stack that is shrunk` {
  private func design(_ name: String) throws -> Stack {
    try StackFile.read(path: "\(Repository.root)/Fixtures/Stacks/\(name).stack").stack
  }

  /// The entry point would call itself forever.
  @Test func `a shrunk stack calls the entry points that the design calls`() throws {
    let design = try design("asynchronous-root-save")
    let caller = try #require(
      design.entryPoints.firstIndex { entry in
        entry.steps.contains { $0.contains { $0.step.kind == .call } }
      })
    var mapping = StepMapping()
    mapping.entryPoint = { _ in EntryPointID(caller) }
    var stack = design
    stack.entryPoints[caller].steps = stack.entryPoints[caller].steps.map { mapping($0) }
    #expect(stack != design && !stack.isPart(of: design, declaring: []))
    #expect(design.isPart(of: design, declaring: []))
  }

  @Test func `a shrunk stack makes the design's promises, perhaps in fewer places`() throws {
    let model = try ModelFile.read(path: "\(Repository.root)/Fixtures/Models/Note.model")
    let plain = try design("main-only")
    func stack(_ promise: String) throws -> Stack {
      try StackDesignText.adding(promise, to: plain, of: model).stack
    }
    let design = try stack("unique Note.title in store view")
    #expect(try stack("unique Note.title in store").isPart(of: design, declaring: []))
    #expect(try stack("unique Note.title in view").isPart(of: design, declaring: []))
    #expect(try !stack("count Note <= 1 in store").isPart(of: design, declaring: []))
    #expect(try !stack("unique Note.title in store always").isPart(of: design, declaring: []))
    #expect(try !design.isPart(of: stack("unique Note.title in store"), declaring: []))
  }
}
