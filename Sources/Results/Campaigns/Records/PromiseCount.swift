import Vocabulary

/// The number of programs that tested a promise of a stack.
package struct PromiseCount: Sendable {
  /// The promise in the words of the design.
  package let text: String
  package let count: Int
  /// The reason why no program tested the promise, if `count` is 0.
  package let absence: String
}

extension Stack {
  /// Returns the counts of all promises. `counts` has the order of `promiseTexts`, and missing
  /// counts are 0.
  func promiseCounts(_ counts: [Int]) -> [PromiseCount] {
    let absences =
      promises.map(absence) + contextPromises.map(absence)
      + entryPoints.flatMap { entry in entry.promises.map { absence(of: $0, by: entry) } }
    return zip(promiseTexts, absences).enumerated().map { index, promise in
      PromiseCount(
        text: promise.0, count: index < counts.count ? counts[index] : 0, absence: promise.1)
    }
  }

  private func absence(of promise: Promise) -> String {
    promise.course == .eventually
      ? "it held at once in each program that did not break it itself"
      : "no program had objects to judge without breaking the promise itself"
  }

  private func absence(of promise: ContextPromise) -> String {
    switch promise.statement {
    case .showsStore: "no other context saved while \(self[promise.context].name) had objects"
    case .announcesOnce: "no merge or refresh by the design announced a refreshed object"
    }
  }

  private func absence(of promise: CallPromise, by entry: EntryPoint) -> String {
    switch promise.statement {
    case .leavesClean(let context, _):
      "no program had unsaved changes in \(self[context].name) when it called \(entry.name)"
    case .savesOnly: "\(entry.name) saved no other context"
    case .keeps: "no call of \(entry.name) changed objects while objects of the entity existed"
    case .holds(let data): absence(of: data)
    }
  }
}
