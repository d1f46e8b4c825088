import Foundation

/// The kind of file that a path names, according to its extension. If a command gets another kind
/// of file, its error names the right command.
enum FileKind {
  case scenario, stack, model, folder, other

  init(_ path: String) {
    var isFolder: ObjCBool = false
    let name = path.hasSuffix("/") ? String(path.dropLast()) : path
    if name.hasSuffix(".scenario") {
      self = .scenario
    } else if name.hasSuffix(".stack") {
      self = .stack
    } else if [".model", ".xcdatamodel", ".xcdatamodeld"].contains(where: name.hasSuffix) {
      self = .model
    } else if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
      isFolder.boolValue
    {
      self = .folder
    } else {
      self = .other
    }
  }

  /// Throws an error if this is clearly not the wanted kind of file. The parser reports other
  /// mistakes.
  func expect(_ wanted: FileKind, _ path: String) throws(UsageError) {
    if self == wanted { return }
    switch self {
    case .scenario:
      throw UsageError(message: "\(path) is a scenario; 'faultline replay \(path)' runs it")
    case .stack:
      throw UsageError(
        message:
          "\(path) is a stack; 'faultline fuzz --stack \(path)' runs generated programs on it")
    case .model:
      throw UsageError(
        message: "\(path) is a model; 'faultline fuzz --model \(path)' generates programs for it")
    case .folder where wanted == .scenario:
      throw UsageError(
        message: "\(path) is a folder; give one .scenario file in it, or check all of them with "
          + "'faultline scenario check \(path)'")
    case .folder: throw UsageError(message: "\(path) is a folder; give a file in it")
    case .other: return
    }
  }
}
