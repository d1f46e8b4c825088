import Foundation
import ObjectModel
import Vocabulary

/// Groups by what the engine does not group by: what is behind to-one relationships.
extension DictionaryRows {
  /// Objects with equal values of what is grouped by, each group where its first member is.
  func grouped(_ ids: [ObjectID], in context: NSManagedObjectContext) -> [[ObjectID]] {
    if groups.isEmpty { return [ids] }
    var places: [NSArray: Int] = [:]
    var result: [[ObjectID]] = []
    for id in ids {
      let values = groups.map { stored($0, of: id, in: context) ?? NSNull() }
      if let place = places[NSArray(array: values)] {
        result[place].append(id)
      } else {
        places[NSArray(array: values)] = result.count
        result.append([id])
      }
    }
    return result
  }

  /// The dictionary of a group.
  func summary(of ids: [ObjectID], in context: NSManagedObjectContext) -> [String: Any] {
    var row: [String: Any] = [:]
    for column in columns + askedOfGroups {
      switch column {
      case .property(let key, let name):
        row[name] = common(key, of: ids, in: context)
      case .path(let keys, let name):
        row[name] = common(keys.joined(separator: "."), of: ids, in: context)
      case .objectID: misuse(DictionaryRows.ungrouped)
      case .aggregate(let name, let function, let key, let type):
        let values = key.map { key in ids.compactMap { stored(key, of: $0, in: context) } }
        row[name] = KeyValueOperator.value(of: values ?? ids, function.rawValue)
          .map { DictionaryRows.convert($0, to: type) }
      }
    }
    return row
  }

  /// What stands beside an aggregate, or in a group, has one value there.
  static let ungrouped = "what stands beside an aggregate, or in a group, has to be grouped by"

  private func common(
    _ path: String, of ids: [ObjectID], in context: NSManagedObjectContext
  ) -> Any? {
    guard groups.contains(path) else { misuse(DictionaryRows.ungrouped) }
    return ids.first.flatMap { stored(path, of: $0, in: context) }
  }

  private func stored(
    _ path: String, of id: ObjectID, in context: NSManagedObjectContext
  ) -> Any? {
    context.storedValue(at: path.split(separator: ".").map(String.init)[...], of: id)
  }
}
