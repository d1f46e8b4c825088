import Foundation

/// Finds models and mapping models in the sources of a package.
extension SimulatedFiles {
  /// Returns the source of a model, from the resources of the bundle or near the caller's file.
  static func model(named name: String, in bundle: Bundle, caller: String) -> URL? {
    if let path = SimulatedBundles.resources(of: bundle)?.first(where: { path in
      URL(fileURLWithPath: path).isModel(named: name)
    }) {
      return URL(fileURLWithPath: path)
    }
    for type in ["xcdatamodeld", "xcdatamodel"] {
      if let url = bundle.url(forResource: name, withExtension: type) { return url }
    }
    return ModelFileCache.place(of: name, near: caller)
  }

  /// Returns the models in the nearest folder that has any with a matching name. The search begins
  /// with the folder of `caller` and its subfolders, and continues outward to the package.
  static func models(near caller: String, _ isMeant: (String) -> Bool) -> [URL] {
    resources(["xcdatamodeld", "xcdatamodel"], near: caller, isMeant)
  }

  /// Returns the resources of these types in the nearest folder that has any with a matching name.
  static func resources(
    _ types: [String], near caller: String, _ isMeant: (String) -> Bool
  ) -> [URL] {
    var folder = URL(fileURLWithPath: caller)
    for _ in 0..<12 where folder.path != "/" {
      folder = folder.deletingLastPathComponent()
      let found = resources(types, below: folder).filter {
        isMeant($0.deletingPathExtension().lastPathComponent)
      }
      if !found.isEmpty { return found }
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      if names.contains(where: { $0 == "Package.swift" || $0.hasSuffix(".xcodeproj") }) { break }
    }
    return []
  }

  private static func resources(_ types: [String], below folder: URL) -> [URL] {
    guard
      let items = FileManager.default.enumerator(
        at: folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    else { return [] }
    var urls: [URL] = []
    for case let url as URL in items {
      guard types.contains(url.pathExtension) else { continue }
      urls.append(url)
      items.skipDescendants()
    }
    return urls.sorted { $0.path < $1.path }
  }

  // MARK: Bundles

  /// Returns the sources of the models in bundles. If a bundle belongs to no prepared module and
  /// has no models, returns the models near the caller's file.
  static func models(in bundles: [Bundle], caller: String) -> [URL] {
    resources(["xcdatamodeld", "xcdatamodel"], in: bundles, caller: caller)
  }

  /// Returns the mapping models in bundles or, as a fallback, near the caller's file.
  static func mappingModels(in bundles: [Bundle], caller: String) -> [String] {
    resources(["xcmappingmodel"], in: bundles, caller: caller).map(\.path)
  }

  private static func resources(
    _ types: [String], in bundles: [Bundle], caller: String
  ) -> [URL] {
    var found: [URL] = []
    for bundle in bundles {
      let known =
        SimulatedBundles.resources(of: bundle)?.map { URL(fileURLWithPath: $0) }
        .filter { types.contains($0.pathExtension) }
      let packed = types.flatMap {
        bundle.urls(forResourcesWithExtension: $0, subdirectory: nil) ?? []
      }
      .map { $0 as URL }.sorted { $0.path < $1.path }
      for url in known ?? (packed.isEmpty ? resources(types, near: caller) { _ in true } : packed)
      where !found.contains(url) {
        found.append(url)
      }
    }
    return found
  }

  /// Returns the versions of a compiled model, or of its source, as URLs of compiled versions.
  /// Returns nil if the model does not exist.
  static func versions(of url: URL) -> [URL]? {
    let stem = url.deletingPathExtension()
    if url.pathExtension == "xcdatamodel" || url.pathExtension == "mom" { return [url] }
    let source = stem.appendingPathExtension("xcdatamodeld")
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: source.path) else {
      return nil
    }
    let folder = stem.appendingPathExtension("momd")
    return names.filter { $0.hasSuffix(".xcdatamodel") }.sorted().map { name in
      folder.appendingPathComponent(String(name.dropLast("xcdatamodel".count)) + "mom")
    }
  }

  /// Returns the path of a mapping model's source.
  static func mappingSource(of url: URL) -> String {
    guard url.pathExtension == "cdm" else { return url.path }
    return url.deletingPathExtension().appendingPathExtension("xcmappingmodel").path
  }
}

extension URL {
  /// Returns whether the URL is the source of a model with this name.
  func isModel(named name: String) -> Bool {
    pathExtension.hasPrefix("xcdatamodel")
      && deletingPathExtension().lastPathComponent == name
  }
}
