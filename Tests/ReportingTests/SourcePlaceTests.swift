import CampaignSupport
import Campaigns
import Failures
import Foundation
import InputFiles
import Reporting
import Scenario
import TestSupport
import Testing

/// The lines of a stack file to which reports point.
@Suite struct `The place of a failure` {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("faultline-place-\(UUID().uuidString)")

  /// Returns the lines of the stack file at which a campaign on the stack finds a kind of failure.
  private func lines(of kind: FailureKind, in stack: String) throws -> Set<String> {
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (path, model) = ("\(folder.path)/App.stack", "\(folder.path)/Note.model")
    try Data("Note\n  title  string?\n".utf8).write(to: URL(fileURLWithPath: model))
    try Data(stack.utf8).write(to: URL(fileURLWithPath: path))
    let design = try StackFile.read(path: path)
    let suiting = try #require(design.model(suiting: ModelFile.read(path: model)))
    var settings = CampaignSettings(models: [.file(path: model, suiting)])
    (settings.stack, settings.runs, settings.seed) = (design.stack, 300, 3)
    settings.shrinkBudget = 200
    let texts = stack.split(separator: "\n", omittingEmptySubsequences: false)
    return Set(
      FuzzCampaign(settings, certifying: 0).run().violations.filter { $0.kind == kind }.map {
        texts[SourcePlace(of: $0, inStack: path).line - 1].trimmingCharacters(in: .whitespaces)
      })
  }

  @Test func `a policy at fault is declared in the line of the context that saves`() throws {
    let upload = "upload  privateQueue coordinator store policy overwrite"
    let found = try lines(
      of: "lost update in the store",
      in: """
        stack  App

          store  main
          view  mainQueue coordinator store autoMerge
          \(upload)
          entry  finish
            upload  performAndWait
              save
        """)
    #expect(found == [upload])
  }

  @Test func `a promise that no part breaks has the line of the promise`() throws {
    let promise = "promise  unique Note.title"
    let found = try lines(
      of: "broken promise",
      in: """
        stack  App
        model  Note.model

          store  main
          view  mainQueue coordinator store
          work  privateQueue coordinator store
          \(promise)
        """)
    #expect(found == [promise])
  }
}
