import Execution
import ObjectModel
import Scenario
import Vocabulary

/// Promises about the data of an app's code. A promise is adopted as soon as the code has declared
/// the entities and contexts that the promise names.
package struct LivePromises {
  struct Entry {
    /// The promise as it was given.
    let text: String
    /// The text that identifies the promise in the stack, or `nil` if it has not been adopted.
    fileprivate(set) var adoptedText: String?
    /// The reason why the promise could not be adopted so far, or `nil` before the first attempt.
    fileprivate(set) var problem: TextError?
  }

  private(set) var entries: [Entry] = []
  private var pendingCount = 0

  /// Adds promises, each in the words of a stack file, unless they are known.
  mutating func add(_ texts: [String]) {
    for text in texts where !entries.contains(where: { $0.text == text }) {
      entries.append(Entry(text: text))
      pendingCount += 1
    }
  }

  /// Moves the promises that the declarations allow to the stack.
  mutating func adopt(into stack: inout Stack, _ model: inout ObjectModel) {
    if pendingCount == 0 || model.entities.isEmpty { return }
    for index in entries.indices where entries[index].adoptedText == nil {
      do throws(TextError) {
        let promising = try StackDesignText.adding(
          entries[index].text, to: stack, of: model, isOfCode: true)
        guard let promise = promising.stack.promises.last else { continue }
        (stack, model) = promising
        (entries[index].adoptedText, entries[index].problem) = (promise.text, nil)
        pendingCount -= 1
      } catch {
        entries[index].problem = error
      }
    }
  }
}

extension LiveRun {
  /// Adds promises that the code must keep, each in the words of a stack file. Promises that are
  /// known already have no effect.
  package func promise(_ texts: [String]) { promises.add(texts) }

  /// The texts of the promises for which the run had objects to judge.
  package var testedPromises: [String] { run.testedPromises }
}

/// The promises of a campaign, and the number of runs that tested each.
package struct LivePromiseTally {
  package struct Entry {
    package let text: String
    package fileprivate(set) var testCount = 0
    /// The reason why the last run with a model has not adopted the promise, or nil if a run has.
    package fileprivate(set) var problem: String?
    /// A Boolean value that indicates whether the reason is an entity that the model lacks and that
    /// no other entity resembles.
    package fileprivate(set) var isAboutOtherModel = false
    /// A Boolean value that indicates whether a run has adopted the promise.
    package fileprivate(set) var isAdopted = false
  }

  package private(set) var entries: [Entry] = []

  mutating func note(_ run: LiveRun) {
    let tested = run.testedPromises
    for promise in run.promises.entries {
      if !entries.contains(where: { $0.text == promise.text }) {
        entries.append(Entry(text: promise.text))
      }
      guard let index = entries.firstIndex(where: { $0.text == promise.text }) else { continue }
      if let adopted = promise.adoptedText {
        entries[index].isAdopted = true
        if tested.contains(adopted) { entries[index].testCount += 1 }
      }
      if entries[index].isAdopted {
        (entries[index].problem, entries[index].isAboutOtherModel) = (nil, false)
      } else if let problem = promise.problem {
        let isOther =
          if case .unknownEntity(hasSimilar: false) = problem.kind { true } else { false }
        entries[index].isAboutOtherModel = isOther
        entries[index].problem = problem.message
      }
    }
  }
}
