public import Foundation
import Synchronization

/// What stands for the bundle of a prepared module: the folder of its sources, with the models and
/// mapping models that no compiler makes on Linux. In a prepared module `Bundle` asks here.
public enum SimulatedBundles {
  /// The modules whose bundles were asked for, by the paths of the bundles.
  private static let known = Mutex<[String: SimulatedModules.Type]>([:])

  /// The models and mapping models of a module.
  static func resources(of bundle: Bundle) -> [String]? {
    known.withLock { $0[bundle.bundlePath] }?.resources
  }

  // MARK: Identifiers

  /// The identifier of the main bundle, where the process has none: the same for every module and
  /// in every run, because apps name stores and history after it.
  static let identifierOfApp = "com.example.App"

  /// The identifier of a bundle. A process of tests has no bundle of an app: its main bundle is
  /// `com.example.App`, and the bundle of a module is `com.example.` and the module's name.
  ///
  /// Returns `nil` for other bundles without an identifier.
  public static func identifier(of bundle: Bundle) -> String? {
    if let identifier = bundle.bundleIdentifier { return identifier }
    let path = bundle.bundlePath
    if path == Bundle.main.bundlePath { return identifierOfApp }
    guard let module = known.withLock({ $0[path] }) else { return nil }
    return "com.example." + String(reflecting: module).prefix { $0 != "." }
  }

  // MARK: Bundles of modules

  /// The path of the bundle of a class: of its module, if that is prepared.
  public static func path(of type: AnyClass) -> String {
    let module = String(String(reflecting: type).prefix { $0 != "." })
    return path(ofModule: module) ?? Bundle(for: type).bundlePath
  }

  /// The path of the bundle with an identifier: that of the module of the caller's package which is
  /// called as its last part. Nil if there is none.
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

  /// Where a resource is. A compiled model stands beside its source, from which it is read.
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

  /// Where the resources of a type are, as Apple's Foundation answers it; compiled models likewise.
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

  /// The source of a model or mapping model: in the bundle, in the module that asks, in another of
  /// its package, or near the file that asks.
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

  /// Those of the nearest of these places that has any.
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
  /// Where what is compiled of a source would stand.
  fileprivate func compiled(_ type: String) -> URL {
    deletingPathExtension().appendingPathExtension(type)
  }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
