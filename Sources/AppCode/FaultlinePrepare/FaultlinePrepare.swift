import Foundation
import PackagePlugin

/// Compiles a target's sources, written for Apple's Core Data, against the product `CoreData`.
/// Prepared copies are compiled instead of the sources, which do not change.
///
/// The plugin prepares every source file that the target excludes. If `sources` names a single
/// file, the plugin prepares the other Swift files and models of the target's folder:
///
///     .target(
///       name: "MyApp", dependencies: [.product(name: "CoreData", package: "Faultline")],
///       sources: ["Simulated.swift"],
///       plugins: [.plugin(name: "FaultlinePrepare", package: "Faultline")])
///
/// A line `// faultline: prepare PATH…` in that file names other folders or files, relative to the
/// file. A path with spaces must be in quotation marks.
@main
struct FaultlinePrepare: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let module = target as? any SourceModuleTarget else { return [] }
    let inputs = try inputs(of: module)
    guard !inputs.isEmpty else {
      Diagnostics.error(
        "\(target.name): nothing to prepare below \(target.directoryURL.path); name one file in 'sources' of the "
          + "target, and the plugin prepares all other files")
      return []
    }
    let output = context.pluginWorkDirectoryURL
    let resources = module.sourceFiles.contains { $0.type == .resource } ? ["--resources"] : []
    let modules = context.package.targets.compactMap { ($0 as? any SourceModuleTarget)?.moduleName }
      .sorted().joined(separator: ",")
    let dependencies = executorSources(of: target)
    return [
      .buildCommand(
        displayName: "Preparing \(target.name) for the simulated Core Data",
        executable: try context.tool(named: "PrepareTool").url,
        arguments: [output.path] + resources + ["--modules", modules]
          + dependencies.flatMap { ["--dependency", $0.path] } + inputs.map(\.path),
        inputFiles: inputs.flatMap { watched($0) } + dependencies,
        outputFiles: outputNames(of: inputs).map { output.appending(path: $0) })
    ]
  }

  /// Returns the files to prepare for a module, in the order of their paths.
  private func inputs(of module: any SourceModuleTarget) throws -> [URL] {
    let compiled = module.sourceFiles.filter { $0.type == .source }.map(\.url)
    let named = try compiled.flatMap { try paths(namedIn: $0) }
    // A file that two lines name is prepared once.
    var known = Set(compiled.map(\.standardizedFileURL.path))
    return (named.isEmpty ? [module.directoryURL] : named).flatMap { files(below: $0) }
      .filter { known.insert($0.standardizedFileURL.path).inserted }
      .sorted { $0.path < $1.path }
  }

  /// Returns the Swift sources of dependencies that may give executors to the target's actors. All
  /// sources of such a module count, because they may declare protocols that inherit the executor.
  private func executorSources(of target: any Target) -> [URL] {
    target.recursiveTargetDependencies.compactMap { $0 as? any SourceModuleTarget }
      .map { module in
        let compiled = module.sourceFiles.filter { $0.type == .source }.map(\.url)
        return (compiled + ((try? inputs(of: module)) ?? [])).filter { $0.pathExtension == "swift" }
      }
      .filter { sources in
        sources.contains {
          (try? String(contentsOf: $0, encoding: .utf8))?.contains("unownedExecutor") == true
        }
      }
      .flatMap(\.self)
  }

  private static let types = ["swift", "xcdatamodeld", "xcdatamodel", "xcmappingmodel"]

  /// Returns the sources, models and mapping models below a URL. Other files are ignored.
  private func files(below url: URL) -> [URL] {
    if FaultlinePrepare.types.contains(url.pathExtension) { return [url] }
    let items =
      (try? FileManager.default.contentsOfDirectory(
        at: url, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)) ?? []
    return items.filter { item in
      FaultlinePrepare.types.contains(item.pathExtension)
        || (item.pathExtension.isEmpty && item.hasDirectoryPath)
    }.flatMap { files(below: $0) }
  }

  /// Returns the files whose changes require that a source is prepared again.
  private func watched(_ url: URL) -> [URL] {
    guard url.pathExtension != "swift" else { return [url] }
    let items = FileManager.default.enumerator(at: url, includingPropertiesForKeys: nil)
    return items?.compactMap { $0 as? URL }.filter { !$0.hasDirectoryPath } ?? []
  }

  private func paths(namedIn source: URL) throws -> [URL] {
    let mark = "// faultline: prepare "
    return try String(contentsOf: source, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix(mark) }
      .flatMap { words(in: String($0.dropFirst(mark.count))) }
      .map { URL(fileURLWithPath: $0, relativeTo: source.deletingLastPathComponent()) }
      .map(\.standardizedFileURL)
  }

  /// Returns the paths in a line, separated by spaces. A path with spaces must be in quotation
  /// marks.
  private func words(in line: String) -> [String] {
    line.components(separatedBy: "\"").enumerated().flatMap { index, part in
      index % 2 == 1 ? [part] : part.split(separator: " ").map(String.init)
    }
  }

  /// Returns the names that `Preparation` gives its files. Sources with equal names get numbers.
  private func outputNames(of inputs: [URL]) -> [String] {
    let sources = inputs.filter { $0.pathExtension == "swift" }
    let twins = Dictionary(grouping: sources, by: \.lastPathComponent)
    let names = twins.flatMap { name, urls in
      let stem = name.dropLast(".swift".count)
      return urls.count == 1
        ? ["\(stem).prepared.swift"]
        : urls.indices.map { "\(stem).prepared-\($0 + 1).swift" }
    }
    let models = inputs.filter { $0.pathExtension.hasPrefix("xcdatamodel") }
      .map { $0.deletingPathExtension().lastPathComponent + "+CoreDataClasses.swift" }
    return ["Simulated+Types.swift"] + names.sorted() + models
  }
}
