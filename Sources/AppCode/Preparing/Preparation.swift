package import InputFiles
import Foundation

/// Prepares the sources of a module, written for Apple's Core Data, so that they compile with
/// product `CoreData`.
///
/// The prepared module contains equivalent copies of the sources with the same lines, and classes
/// for the entities of its models. The module also contains types that replace types of Dispatch
/// and Foundation. The sources themselves do not change, and messages of the compiler and places in
/// reports refer to them.
package struct Preparation {
  /// The paths of Swift sources.
  package var sources: [String] = []
  /// The paths of `.xcdatamodeld` and `.xcdatamodel` bundles.
  package var models: [String] = []
  /// The paths of `.xcmappingmodel` bundles, which are read at run time.
  package var mappingModels: [String] = []
  /// The modules of the package that the sources belong to.
  package var modules: [String] = []
  /// The paths of sources of dependencies. Their extensions may give executors to actors.
  package var dependencySources: [String] = []
  /// A Boolean value that indicates whether the target has resources. Then SwiftPM declares
  /// `Bundle.module`.
  package var hasResources = false

  package init() {}

  /// A file to write.
  package struct Output {
    package let name: String
    package let text: String
  }

  /// Returns the file name of the copy of a source. The name differs from the source's name,
  /// because otherwise `#fileID` would be ambiguous. Equal names in two folders get distinct
  /// copies.
  package static func outputName(of source: String, among sources: [String]) -> String {
    let name = fileName(source)
    let twins = sources.filter { fileName($0) == name }.sorted()
    let stem = name.dropLast(".swift".count)
    guard twins.count > 1, let index = twins.firstIndex(of: source) else {
      return stem + ".prepared.swift"
    }
    return stem + ".prepared-\(index + 1).swift"
  }

  /// Returns the file name of a model's classes.
  package static func outputName(ofModel model: String) -> String {
    fileName(model).split(separator: ".")[0] + "+CoreDataClasses.swift"
  }

  /// The file of the types that replace Foundation's and Dispatch's.
  package static let shadowsName = "Simulated+Types.swift"

  /// Returns all files of the prepared module.
  package func outputs() throws(InputError) -> [Output] {
    var outputs: [Output] = []
    var isTest = false
    var usesLog = false
    var conformsFileManager = false
    var hasBundle = hasResources
    var declared: Set<String> = []
    var mentioned: Set<String> = []
    var classes = try ModuleClasses(dependencies: dependencySources)
    var names = ObjectiveCNames()
    var texts: [(path: String, text: String)] = []
    for path in sources { texts.append((path, try TextFile.read(path: path))) }
    let access =
      texts.contains { SwiftLexer.limitsImports(SwiftLexer.tokens(of: $0.text)) } ? "public " : ""
    var generated: [(path: String, text: String?)] = []
    for path in models {
      let model = try ModelFile.readClasses(path: path)
      generated.append((path, GeneratedClasses(model: model, access: access).source()))
    }
    for text in texts.map(\.text) + generated.compactMap(\.text) {
      let tokens = SwiftLexer.tokens(of: text)
      classes.collect(tokens)
      names.collect(tokens)
      declared.formUnion(SwiftLexer.declaredTypes(tokens))
      mentioned.formUnion(SwiftLexer.declaredTypes(tokens, isCertain: false))
    }
    // A model may be valid for Apple's framework and not for the simulation, which a run reports.
    let read = models.compactMap { path in try? ModelFile.read(path: path) }
    let objectModels = read.count == models.count ? read : []
    var promises: [String] = []
    for (path, source) in texts {
      let tokens = SwiftLexer.tokens(of: source)
      let promised = SourcePromises(of: source, models: objectModels)
      promises += promised.texts.filter { !promises.contains($0) }
      isTest = isTest || SwiftLexer.imports("XCTest", tokens)
      usesLog = usesLog || SourceRewriter.importsLog(tokens)
      hasBundle = hasBundle || SwiftLexer.declaresBundleModule(tokens)
      conformsFileManager = conformsFileManager || SwiftLexer.conforms("FileManager", tokens)
      outputs.append(
        Output(
          name: Preparation.outputName(of: path, among: sources),
          text: Preparation.prepared(source, classes, promised, access: access, path: path)))
    }
    let shadows = Shadows(
      isTest: isTest, usesLog: usesLog, declared: declared, mentioned: mentioned,
      conformsFileManager: conformsFileManager,
      place: (sources + models).first ?? "", modules: modules, folder: folder,
      resources: models + mappingModels, hasBundle: hasBundle, names: names, promises: promises)
    outputs.insert(Output(name: Preparation.shadowsName, text: shadows.source), at: 0)
    for (path, text) in generated {
      outputs.append(
        Output(
          name: Preparation.outputName(ofModel: path),
          text: text.map { SourceRewriter.complete($0, classes) }
            ?? "// \(fileName(path)) declares entities whose classes the app defines itself.\n"))
    }
    return outputs
  }

  /// The folder that contains all sources.
  private var folder: String {
    let paths = (sources + models).map {
      $0.split(separator: "/", omittingEmptySubsequences: false)
    }
    guard var shared = paths.first?.dropLast() else { return "" }
    for path in paths {
      while !path.starts(with: shared) { shared.removeLast() }
    }
    return shared.joined(separator: "/")
  }

  /// Returns a source that compiles, or that stops the compiler with a message where it cannot.
  /// The compiler also warns of promises that name unknown entities.
  ///
  /// - Parameter access: The access level of an import that the copy adds. This is `public ` only
  ///   if the module declares access levels of imports. Then the compiler rejects imports without
  ///   one beside imports that have one. Otherwise it warns of a public import that public
  ///   declarations do not use.
  private static func prepared(
    _ source: String, _ classes: ModuleClasses, _ promises: SourcePromises, access: String,
    path: String
  ) -> String {
    let (text, problems, hasTests) = SourceRewriter.rewrite(source, classes, path: path)
    let file = literal(path)
    // The replacing types are declared in this module, also if the source imports only Foundation.
    let tokens = SwiftLexer.tokens(of: source)
    let head =
      (SwiftLexer.imports("CoreData", tokens) ? "" : "\(access)import CoreData\n")
      + (hasTests ? "import CoreDataTesting\n" : "")
    var result = "\(head)#sourceLocation(file: \(file), line: 1)\n\(text)"
    func add(_ directive: String, _ message: String, line: Int) {
      result +=
        "\n#sourceLocation(file: \(file), line: \(line))\n\(directive)(\(literal(message)))\n"
    }
    for problem in problems { add("#error", problem.message, line: problem.line) }
    for problem in promises.diagnostics {
      add(problem.isWarning ? "#warning" : "#error", problem.message, line: problem.line)
    }
    return result
  }

  private static func fileName(_ path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }

  private func fileName(_ path: String) -> String { Preparation.fileName(path) }
}
