package import Foundation
import Prose

/// Reads and writes text files, with errors that explain the problem.
package enum TextFile {
  package static func read(path: String) throws(InputError) -> String {
    guard let kind = kind(of: path) else {
      throw missing(path)
    }
    switch kind {
    case .file: break
    case .folder: throw InputError(file: path, message: "a folder; give a file in it")
    case .other: throw InputError(file: path, message: "neither a file nor a folder; give a file")
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw InputError(file: path, message: "cannot be read; check its permissions")
    }
    return try text(data, of: path)
  }

  package static func text(_ data: Data, of path: String) throws(InputError) -> String {
    guard let text = String(validUTF8: data) else {
      throw InputError(file: path, message: "not UTF-8 text; save it as UTF-8")
    }
    if text.unicodeScalars.first == "\u{FEFF}" {
      throw InputError(
        file: path, line: 1, message: "begins with a byte order mark; save it as UTF-8 without one")
    }
    return text
  }

  /// Writes a text file atomically: a reader sees either the old file or the complete new one.
  ///
  /// Keeps the permissions of an existing file. If `path` is a symbolic link, the target is
  /// replaced.
  package static func write(_ text: String, to path: String) throws(InputError) {
    try checkCanWrite(path)
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let beside = "\(target).\(getpid()).part"
    defer { _ = unsafe unlink(beside) }
    let attributes = try? FileManager.default.attributesOfItem(atPath: target)
    guard write(Array(text.utf8), to: beside, mode: attributes?[.posixPermissions] as? Int),
      unsafe rename(beside, target) == 0
    else {
      throw InputError(
        file: path, message: "cannot be written: \(unsafe String(cString: strerror(errno)))")
    }
  }

  /// Throws an error if no file can be written at `path`. Call it before long work whose result is
  /// written there.
  ///
  /// An existing item must be a file, because pipes, devices and folders are not replaced.
  package static func checkCanWrite(_ path: String) throws(InputError) {
    switch kind(of: path) {
    case .folder?: throw InputError(file: path, message: "a folder; name a file in it")
    case .other?:
      throw InputError(
        file: path, message: "not a regular file, so it is not replaced; choose another")
    case .file? where !FileManager.default.isWritableFile(atPath: path):
      throw InputError(file: path, message: "cannot be written: the file is read-only")
    case nil where (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil:
      throw InputError(file: path, message: "a link to a missing file; choose another path")
    case .file?, nil: break
    }
    let folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent()
      .path
    guard case .folder? = kind(of: folder) else {
      throw InputError(file: path, message: "cannot be written: there is no folder \(folder)")
    }
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw InputError(file: path, message: "cannot be written: \(folder) is not writable")
    }
  }

  /// Returns the error for a missing file. It suggests a file in the same folder with a similar
  /// name.
  static func missing(_ path: String) -> InputError {
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    let folder = String(path.dropLast(name.count))
    let files =
      (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
    func stem(_ name: String) -> String {
      name.split(separator: ".").first.map(String.init) ?? name
    }
    let near = files.sorted().filter { nearestWord(to: stem(name), among: [stem($0)]) != nil }
    let meant = nearestWord(to: name, among: near)
    return InputError(
      file: path.isEmpty ? "''" : path,
      message: "no such file; " + (meant.map { "did you mean \(folder)\($0)?" } ?? "check the path")
    )
  }

  /// Returns the first of `others` that leads to the same file as `path`.
  package static func sameFile(as path: String, among others: [String]) -> String? {
    func place(_ path: String) -> String {
      URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath().path
    }
    return others.first { place($0) == place(path) }
  }

  private enum Kind { case file, folder, other }

  /// Returns the kind of item at a path, or `nil` if none exists.
  private static func kind(of path: String) -> Kind? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .folder
    default: return .other
    }
  }

  /// Writes a file with the given permissions, or with the default permissions of new files.
  ///
  /// - Returns: False if writing failed, with the reason in `errno`.
  private static func write(_ bytes: [UInt8], to path: String, mode: Int?) -> Bool {
    let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o666 as mode_t)
    if file < 0 { return false }
    var isWritten = mode.map { fchmod(file, mode_t($0)) == 0 } ?? true
    var rest = bytes[...]
    while isWritten, !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Foundation.write(file, $0.baseAddress, $0.count)
      }
      isWritten = count > 0
      if count > 0 { rest = rest.dropFirst(count) }
    }
    // The contents must reach the disk before the rename does.
    if isWritten { isWritten = fsync(file) == 0 }
    let problem = errno
    if close(file) != 0 { return false }
    errno = problem
    return isWritten
  }
}

extension String {
  /// Decodes UTF-8. Returns `nil` if the bytes are invalid.
  init?(validUTF8 data: Data) {
    self.init(decoding: data, as: UTF8.self)
    // Decoding repairs invalid UTF-8, so the bytes differ from the original.
    guard Data(utf8) == data else { return nil }
  }
}
