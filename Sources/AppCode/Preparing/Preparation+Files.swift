import Foundation
package import InputFiles

extension Preparation {
  /// Collects the files at these paths. A path is a Swift source, a model bundle, a mapping model,
  /// or a folder of these. A file that two paths name is prepared once.
  ///
  /// - Throws: `InputError` for any other path.
  package init(paths: [String]) throws(InputError) {
    self.init()
    for path in paths { try add(path) }
    sources = Preparation.distinct(sources)
    models = Preparation.distinct(models)
    mappingModels = Preparation.distinct(mappingModels)
  }

  /// Returns the paths in order, with one path for each file.
  private static func distinct(_ paths: [String]) -> [String] {
    var known: Set<String> = []
    return paths.sorted().filter {
      known.insert(URL(fileURLWithPath: $0).standardizedFileURL.path).inserted
    }
  }

  private mutating func add(_ path: String) throws(InputError) {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    switch (path as NSString).pathExtension {
    case "swift": sources.append(path)
    case "xcdatamodeld", "xcdatamodel": models.append(path)
    case "xcmappingmodel": mappingModels.append(path)
    default:
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
        throw InputError(
          file: path,
          message: "neither a Swift source, nor an .xcdatamodeld, nor a folder of such files")
      }
      for name in names.sorted() where !name.hasPrefix(".") {
        let item = path + "/" + name
        var isDirectory: ObjCBool = false
        _ = unsafe FileManager.default.fileExists(atPath: item, isDirectory: &isDirectory)
        let type = (name as NSString).pathExtension
        if ["swift", "xcdatamodeld", "xcdatamodel", "xcmappingmodel"].contains(type)
          || (isDirectory.boolValue && type.isEmpty)
        {
          try add(item)
        }
      }
    }
  }

  /// Writes all files into a folder, which is created if missing. A file that would not change is
  /// left alone, so that it is not compiled again.
  package func write(to directory: String) throws(InputError) {
    let outputs = try outputs()
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true)
    } catch {
      throw InputError(file: directory, message: "cannot be created; check its permissions")
    }
    for output in outputs {
      let path = directory + "/" + output.name
      if (try? String(contentsOfFile: path, encoding: .utf8)) == output.text { continue }
      do {
        try output.text.write(toFile: path, atomically: true, encoding: .utf8)
      } catch { throw InputError(file: path, message: "cannot be written; check its permissions") }
    }
  }
}
