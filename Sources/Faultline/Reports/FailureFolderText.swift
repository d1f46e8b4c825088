/// What became of a folder of failures, as lines of a report.
struct FailureFolderText {
  let folder: FailureFolder

  var lines: [String] {
    let (kept, count) = (folder.kept, folder.kept.count)
    let failing = kept.count(where: \.isFailing)
    let summary =
      "kept failures: \(count) of \(folder.path) replayed, \(failing) still failing"
    return [count == 0 ? "kept failures: none in \(folder.path)" : summary]
      + kept.map { "  " + text($0) }
      + folder.written.map { "  written: \($0)" }
      + folder.problems.map { "  problem: \($0)" }
  }

  private func text(_ failure: KeptFailure) -> String {
    switch failure.status {
    case .fails(let document):
      "\(failure.path): still shows \(failure.title)"
        + (document.map { ", documented by \($0)" } ?? "")
    case .passes(let target?): "\(failure.path): shows no \(failure.kind) any more; now \(target)"
    case .passes(nil): "\(failure.path): shows no \(failure.kind) any more"
    }
  }
}

extension KeptFailure {
  /// `lost update (quirk childSaveIgnoresMergePolicy)`
  var title: String { kind + (cause.map { " (\($0.text))" } ?? "") }
}
