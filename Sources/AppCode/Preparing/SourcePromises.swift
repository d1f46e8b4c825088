import InputFiles
import ObjectModel
import Scenario
import Vocabulary

/// The promises in comments of a source, such as `// faultline: promise unique Note.title`. They
/// apply to every run that calls code of the source's package.
struct SourcePromises {
  /// A message of the compiler at the line of a comment.
  struct Diagnostic {
    let line: Int
    let message: String
    /// A Boolean value that indicates whether the comment may still have a meaning.
    var isWarning = false
  }

  /// The promises, each in the words of a stack file.
  private(set) var texts: [String] = []
  /// The comments that are meant for Faultline and that no run, or perhaps no run, understands.
  private(set) var diagnostics: [Diagnostic] = []

  /// Collects the promises of a source.
  ///
  /// Promises are checked against each of the module's models. Without a model, code or another
  /// module may define the entities. The words after an unknown entity or a context are checked
  /// only at run time.
  init(of source: String, models: [ObjectModel]) {
    for (line, text) in SwiftLexer.directives(of: source) {
      let words = text.split(maxSplits: 1, whereSeparator: \.isWhitespace)
      guard words.first == "promise" else {
        diagnostics.append(
          Diagnostic(
            line: line,
            message: "a comment for Faultline is a promise, such as "
              + "'// faultline: promise unique Record.remoteID'"))
        continue
      }
      guard words.count == 2 else {
        diagnostics.append(
          Diagnostic(
            line: line,
            message: "the comment ends before the promise, such as 'unique Record.remoteID'"))
        continue
      }
      let promise = String(words[1].drop(while: \.isWhitespace))
      if !texts.contains(promise) { texts.append(promise) }
      if let problem = SourcePromises.problem(of: promise, models) {
        let isWarning = if case .unknownEntity = problem.kind { true } else { false }
        diagnostics.append(Diagnostic(line: line, message: problem.message, isWarning: isWarning))
      }
    }
  }

  /// Returns the reason why a promise has no meaning for any of the models, or `nil` if it has one.
  private static func problem(of promise: String, _ models: [ObjectModel]) -> TextError? {
    var problem: TextError?
    for model in models.isEmpty ? [ObjectModel(entities: [])] : models {
      do throws(TextError) {
        _ = try StackDesignText.adding(promise, to: Stack(), of: model, isOfCode: true)
        return nil
      } catch {
        switch error.kind {
        // Contexts get their names at run time.
        case .undeclaredName: return nil
        case .unknownEntity: if !models.isEmpty, problem == nil { problem = error }
        case .words, .layout: problem = error
        }
      }
    }
    return problem
  }
}
