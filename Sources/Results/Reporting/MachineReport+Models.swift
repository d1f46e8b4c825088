import Campaigns
import InputFiles
import ObjectModel

/// The models of a campaign for other programs, with the parts that were passed over and the number
/// of inserted objects.
extension MachineReport {
  /// An object for each model, in the order of the options.
  var models: [[String: Any]] {
    zip(report.settings.models, report.insertionCounts).map { source, counts in
      var object: [String: Any] = ["model": source.name]
      guard case .file(_, let model, let notes) = source else { return object }
      if let version = notes.version {
        object["version"] = version.name
        object["versionCount"] = version.count
      }
      object["passedOver"] = notes.passedOver.map { part -> [String: Any] in
        var entry: [String: Any] = ["kind": part.kind.rawValue, "names": part.names]
        entry["simulated"] = part.kind.substitute
        return entry
      }
      object["insertedObjects"] = Dictionary(
        uniqueKeysWithValues: model.concreteEntities.map { entity in
          (model[entity].name, entity.index < counts.count ? counts[entity.index] : 0)
        })
      return object
    }
  }
}
