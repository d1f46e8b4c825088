import Foundation
import ObjectModel
import Vocabulary

/// Grouping that the engine does not support: by attributes at the end of paths over to-one
/// relationships.
extension DictionaryRows {
  /// Groups objects by the values of `groups`. Groups have the order of their first members.
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

  /// Returns the dictionary for a group of objects.
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

  /// The error message for a property that is fetched next to an aggregate or in a group without
  /// being grouped by. Such a property has no single value.
  static let ungrouped =
    "a property beside an aggregate, or in a group, must be in propertiesToGroupBy"

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
