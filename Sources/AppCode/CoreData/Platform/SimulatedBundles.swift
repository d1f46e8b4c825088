public import Foundation
import Synchronization

/// Replaces the bundle of a prepared module by its source folder, which has the models and mapping
/// models that no compiler creates on Linux. In a prepared module, `Bundle` calls this type.
public enum SimulatedBundles {
  /// The modules whose bundles were requested, indexed by bundle path.
  private static let known = Mutex<[String: SimulatedModules.Type]>([:])

  /// Returns the models and mapping models of a module.
  static func resources(of bundle: Bundle) -> [String]? {
    known.withLock { $0[bundle.bundlePath] }?.resources
  }

  // MARK: Identifiers

  /// The identifier of a main bundle without one. It is equal in all modules and runs, because apps
  /// derive names of stores and history from it.
  static let identifierOfApp = "com.example.App"

  /// Returns the identifier of a bundle.
  ///
  /// A test process has no app bundle. Its main bundle is `com.example.App`, and the bundle of a
  /// module is `com.example.` and the module's name. Returns `nil` for other bundles without an
  /// identifier.
  public static func identifier(of bundle: Bundle) -> String? {
    if let identifier = bundle.bundleIdentifier { return identifier }
    let path = bundle.bundlePath
    if path == Bundle.main.bundlePath { return identifierOfApp }
    guard let module = known.withLock({ $0[path] }) else { return nil }
    return "com.example." + String(reflecting: module).prefix { $0 != "." }
  }

  // MARK: Bundles of modules

  /// Returns the path of the bundle of a class. A class in a prepared module has that module's
  /// bundle.
  public static func path(of type: AnyClass) -> String {
    let module = String(String(reflecting: type).prefix { $0 != "." })
    return path(ofModule: module) ?? Bundle(for: type).bundlePath
  }

  /// Returns the path of the bundle with an identifier. The last part of the identifier may name a
  /// module of the caller's package. Returns nil if no bundle matches.
  public static func path(
    identifier: String, caller modules: SimulatedModules.Type
  ) -> String? {
    if let bundle = Bundle(identifier: identifier) { return bundle.bundlePath }
    let last = String(identifier.split(separator: ".").last ?? "")
    let module = modules.names.first {
      $0 == last || $0 == last.replacingOccurrences(of: "-", with: "_")
    }
    return module.flatMap { path(ofModule: $0) }
  }

  private static func path(ofModule module: String) -> String? {
    guard let modules = SimulatedModules.named(module), let bundle = Bundle(path: modules.folder)
    else { return nil }
    known.withLock { $0[bundle.bundlePath] = modules }
    return bundle.bundlePath
  }

  // MARK: Resources

  /// Returns the URL of a resource. A compiled model has a URL beside its source, from which it is
  /// read.
  public static func url(
    of name: String?, _ type: String?, _ folder: String?, in bundle: Bundle,
    caller: String, _ modules: SimulatedModules.Type
  ) -> URL? {
    let type = type.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
    if let url = bundle.url(forResource: name, withExtension: type, subdirectory: folder) {
      return url
    }
    guard let name, let type = type ?? (name as NSString).pathExtension.nonEmpty else { return nil }
    let stem = name.hasSuffix(".\(type)") ? String(name.dropLast(type.count + 1)) : name
    if let folder {
      guard folder.hasSuffix(".momd") else { return nil }
      let model = String(folder.dropLast(".momd".count))
      let url = source(of: model, ["xcdatamodeld"], in: bundle, caller: caller, modules)?
        .compiled("momd").appendingPathComponent("\(stem).\(type == "omo" ? "mom" : type)")
      return url.flatMap { SimulatedFiles.isCompiledModel($0.path) ? $0 : nil }
    }
    switch type {
    case "momd", "mom":
      return source(
        of: stem, ["xcdatamodeld", "xcdatamodel"], in: bundle, caller: caller, modules)?
        .compiled("momd")
    case "cdm":
      return source(of: stem, ["xcmappingmodel"], in: bundle, caller: caller, modules)?
        .compiled("cdm")
    default: return nil
    }
  }

  /// Returns the URLs of a type's resources, as Apple's Foundation does, including compiled models.
  public static func urls(
    _ type: String?, _ folder: String?, in bundle: Bundle, caller: String,
    _ modules: SimulatedModules.Type
  ) -> [URL]? {
    let real = bundle.urls(forResourcesWithExtension: type, subdirectory: folder)?
      .map { $0 as URL }.sorted { $0.path < $1.path }
    let type = type.map { $0.hasPrefix(".") ? String($0.dropFirst()) : $0 }
    if let real, !real.isEmpty { return real }
    if let folder {
      guard folder.hasSuffix(".momd") else { return real }
      let name = String(folder.dropLast(".momd".count))
      let model = source(of: name, ["xcdatamodeld"], in: bundle, caller: caller, modules)?
        .compiled("momd")
      let names = model.flatMap { SimulatedFiles.names(inCompiledModel: $0.path) } ?? []
      return names.compactMap { model?.appendingPathComponent($0) }
        .filter { type == nil || $0.pathExtension == type }
    }
    switch type {
    case "momd":
      return sources(["xcdatamodeld"], in: bundle, caller: caller, modules).map {
        $0.compiled("momd")
      }
    case "mom":
      return sources(["xcdatamodel"], in: bundle, caller: caller, modules).map {
        $0.compiled("mom")
      }
    case "cdm":
      return sources(["xcmappingmodel"], in: bundle, caller: caller, modules).map {
        $0.compiled("cdm")
      }
    default: return real
    }
  }

  /// Finds the source of a model or mapping model. The search covers the bundle, the calling
  /// module, the other modules of its package, and the folders around the calling file.
  private static func source(
    of name: String, _ types: [String], in bundle: Bundle, caller: String,
    _ modules: SimulatedModules.Type
  ) -> URL? {
    let groups = groups(types, in: bundle, caller: caller, modules)
    for urls in groups {
      if let url = urls.first(where: { $0.deletingPathExtension().lastPathComponent == name }) {
        return url
      }
    }
    return SimulatedFiles.resources(types, near: caller) { $0 == name }.first
  }

  /// Returns the sources in the first non-empty place. The places are those that `source` searches,
  /// in the same order.
  private static func sources(
    _ types: [String], in bundle: Bundle, caller: String, _ modules: SimulatedModules.Type
  ) -> [URL] {
    if let own = resources(of: bundle) { return urls(of: own, types) }
    return groups(types, in: bundle, caller: caller, modules).first { !$0.isEmpty }
      ?? SimulatedFiles.resources(types, near: caller) { _ in true }
  }

  private static func groups(
    _ types: [String], in bundle: Bundle, caller: String, _ modules: SimulatedModules.Type
  ) -> [[URL]] {
    let packed = types.flatMap {
      bundle.urls(forResourcesWithExtension: $0, subdirectory: nil)?.map { $0 as URL } ?? []
    }
    .sorted { $0.path < $1.path }
    let others = modules.names.flatMap { SimulatedModules.named($0)?.resources ?? [] }
    return [
      urls(of: resources(of: bundle) ?? [], types), packed, urls(of: modules.resources, types),
      urls(of: others, types),
    ]
  }

  private static func urls(of paths: [String], _ types: [String]) -> [URL] {
    paths.map { URL(fileURLWithPath: $0) }.filter { types.contains($0.pathExtension) }
  }
}

extension URL {
  /// The URL that the compiled form of a source would have.
  fileprivate func compiled(_ type: String) -> URL {
    deletingPathExtension().appendingPathExtension(type)
  }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
