package import Foundation

/// An object archived by Foundation's keyed archiver, together with the objects that it refers to.
///
/// Foundation on Linux unarchives only classes that it knows, so this type reads archives directly.
package indirect enum ArchivedObject: Sendable, Equatable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case data(Data)
  case array([ArchivedObject])
  /// An instance of any other class: the name of its class, and its archived members by key.
  case object(String, [String: ArchivedObject])

  /// Reads the root object of an archive. Returns `nil` if the data is not an archive.
  package init?(_ archive: Data) {
    guard let list = BinaryPropertyList(archive), case .dictionary(let all) = list.root,
      case .array(let objects) = all["$objects"], case .dictionary(let top) = all["$top"],
      case .reference(let root) = top["root"], let object = Reader(objects).object(root, depth: 0)
    else { return nil }
    self = object
  }

  /// Returns the archived member with the given key.
  package subscript(key: String) -> ArchivedObject? {
    guard case .object(_, let members) = self else { return nil }
    return members[key]
  }

  package var text: String? {
    if case .string(let text) = self { text } else { nil }
  }

  package var members: [ArchivedObject] {
    if case .array(let members) = self { members } else { [] }
  }
}

/// Resolves the references in an archive.
private struct Reader {
  private let objects: [BinaryPropertyList.Value]
  /// Exceeds the depth of real expressions, and ends the reading of an object that contains itself.
  private static let depthLimit = 100

  init(_ objects: [BinaryPropertyList.Value]) { self.objects = objects }

  func object(_ index: Int, depth: Int) -> ArchivedObject? {
    guard objects.indices.contains(index) else { return nil }
    return object(objects[index], depth: depth)
  }

  private func object(_ value: BinaryPropertyList.Value, depth: Int) -> ArchivedObject? {
    guard depth < Reader.depthLimit else { return nil }
    switch value {
    case .boolean(let flag): return .boolean(flag)
    case .integer(let number): return .integer(number)
    case .number(let number): return .number(number)
    case .string("$null"): return .null
    case .string(let text): return .string(text)
    case .data(let data): return .data(data)
    case .reference(let index): return object(index, depth: depth + 1)
    case .array(let values):
      let members = values.compactMap { object($0, depth: depth + 1) }
      return members.count == values.count ? .array(members) : nil
    case .dictionary(let members): return instance(members, depth: depth)
    }
  }

  private func instance(
    _ members: [String: BinaryPropertyList.Value], depth: Int
  ) -> ArchivedObject? {
    guard case .reference(let index) = members["$class"], objects.indices.contains(index),
      case .dictionary(let type) = objects[index], case .string(let name) = type["$classname"]
    else { return nil }
    // Arrays and sets are replaced by their elements.
    if let list = members["NS.objects"], members["NS.keys"] == nil {
      return object(list, depth: depth + 1)
    }
    if let text = members["NS.string"] { return object(text, depth: depth + 1) }
    var known: [String: ArchivedObject] = [:]
    for (key, value) in members where key != "$class" {
      guard let object = object(value, depth: depth + 1) else { return nil }
      known[key] = object
    }
    return .object(name, known)
  }
}
