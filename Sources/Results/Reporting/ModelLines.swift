import Campaigns
import InputFiles
import ObjectModel
import Prose

/// The lines about models in a campaign's report for readers.
struct ModelLines {
  let report: CampaignReport
  var width = 100

  /// The version of each model and the parts that are passed over, for models with such notes.
  var notes: [String] {
    report.settings.models.flatMap { source -> [String] in
      guard case .file(let path, _, let notes) = source, let text = notes.text else { return [] }
      return wrapped(text, after: "\(fileName(path)): ", indentation: 7, width: width)
    }
  }

  /// The number of inserted objects of each entity, most frequent first, and the entities without
  /// objects. A campaign on several models reports only the entities without objects.
  var insertions: [String] {
    let isAlone = report.settings.models.count == 1
    return zip(report.settings.models, report.insertionCounts).flatMap { source, all -> [String] in
      guard case .file(let path, let model, _) = source, report.runs > 0 else { return [] }
      let counts = model.concreteEntities.map { entity in
        (name: model[entity].name, count: entity.index < all.count ? all[entity.index] : 0)
      }
      let inserted = counts.filter { $0.count > 0 }
        .sorted { a, b in (-a.count, a.name) < (-b.count, b.name) }
        .map { "\($0.name) \(grouped($0.count))" }
      let missing = counts.filter { $0.count == 0 }.map(\.name)
      let parts =
        (isAlone && !inserted.isEmpty ? [inserted.joined(separator: ", ")] : [])
        + (missing.isEmpty ? [] : ["none of " + missing.joined(separator: ", ")])
      if parts.isEmpty { return [] }
      let start = isAlone ? "objects inserted: " : "objects inserted (\(fileName(path))): "
      return wrapped(
        parts.joined(separator: "; "), after: start, indentation: 7, at: ", ", width: width)
    }
  }

  private func fileName(_ path: String) -> String {
    printable(String(path.split(separator: "/").last ?? Substring(path)))
  }
}
