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
    var classes = ModuleClasses()
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
    for (path, source) in texts {
      let tokens = SwiftLexer.tokens(of: source)
      isTest = isTest || SwiftLexer.imports("XCTest", tokens)
      usesLog = usesLog || SourceRewriter.importsLog(tokens)
      hasBundle = hasBundle || SwiftLexer.declaresBundleModule(tokens)
      conformsFileManager = conformsFileManager || SwiftLexer.conforms("FileManager", tokens)
      outputs.append(
        Output(
          name: Preparation.outputName(of: path, among: sources),
          text: Preparation.prepared(source, classes, access: access, path: path)))
    }
    var promises: [String] = []
    for text in texts.map(\.text) {
      promises += SourcePromises(of: text).texts.filter { !promises.contains($0) }
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
  ///
  /// - Parameter access: The access level of an import that the copy adds. This is `public ` only
  ///   if the module declares access levels of imports. Then the compiler rejects imports without
  ///   one beside imports that have one. Otherwise it warns of a public import that public
  ///   declarations do not use.
  private static func prepared(
    _ source: String, _ classes: ModuleClasses, access: String, path: String
  ) -> String {
    let (text, problems, hasTests) = SourceRewriter.rewrite(source, classes, path: path)
    let file = literal(path)
    // The replacing types are declared in this module, also if the source imports only Foundation.
    let tokens = SwiftLexer.tokens(of: source)
    let head =
      (SwiftLexer.imports("CoreData", tokens) ? "" : "\(access)import CoreData\n")
      + (hasTests ? "import CoreDataTesting\n" : "")
    var result = "\(head)#sourceLocation(file: \(file), line: 1)\n\(text)"
    let others = SourcePromises(of: source).problems
    for problem in problems.map({ (line: $0.line, message: $0.message) }) + others {
      result +=
        "\n#sourceLocation(file: \(file), line: \(problem.line))\n"
        + "#error(\"\(problem.message)\")\n"
    }
    return result
  }

  /// Returns a path as a Swift string literal.
  static func literal(_ path: String) -> String {
    "\""
      + path.replacingOccurrences(of: "\\", with: "\\\\")
      .replacingOccurrences(of: "\"", with: "\\\"") + "\""
  }

  private static func fileName(_ path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }

  private func fileName(_ path: String) -> String { Preparation.fileName(path) }
}

extension SwiftLexer {
  static func imports(_ module: String, _ tokens: [SwiftToken]) -> Bool {
    zip(tokens, tokens.dropFirst()).contains { $0.text == "import" && $1.text == module }
  }

  /// Returns a Boolean value that indicates whether a source declares the access level of an
  /// import, such as `internal import CoreData`.
  static func limitsImports(_ tokens: [SwiftToken]) -> Bool {
    let levels: Set<String> = ["public", "package", "internal", "fileprivate", "private"]
    return zip(tokens, tokens.dropFirst()).contains {
      levels.contains($0.text) && $1.text == "import"
    }
  }

  /// Returns a Boolean value that indicates whether an extension conforms a type to a protocol.
  static func conforms(_ type: String, _ tokens: [SwiftToken]) -> Bool {
    tokens.indices.contains { index in
      index >= 2 && tokens[index].text == ":" && tokens[index - 1].text == type
        && tokens[index - 2].text == "extension"
    }
  }

  /// Returns a Boolean value that indicates whether a source declares `Bundle.module`
  /// unconditionally.
  static func declaresBundleModule(_ tokens: [SwiftToken]) -> Bool {
    var conditions = 0
    return tokens.indices.contains { index in
      if tokens[index].text == "#if" { conditions += 1 }
      if tokens[index].text == "#endif" { conditions -= 1 }
      return conditions == 0 && index >= 2 && tokens[index].text == "module"
        && ["var", "let"].contains(tokens[index - 1].text) && tokens[index - 2].text == "static"
    }
  }

  /// Returns the top-level types that a source declares. Certain types are visible in the whole
  /// module: neither private nor conditional.
  static func declaredTypes(_ tokens: [SwiftToken], isCertain: Bool = true) -> [String] {
    outerTypes(tokens).filter { !isCertain || !$0.isConditional && !$0.isPrivate }.map(\.name)
  }

  /// Returns the private types that a source declares unconditionally.
  static func privateTypes(_ tokens: [SwiftToken]) -> Set<String> {
    Set(outerTypes(tokens).filter { $0.isPrivate && !$0.isConditional }.map(\.name))
  }

  private static func outerTypes(
    _ tokens: [SwiftToken]
  ) -> [(name: String, isPrivate: Bool, isConditional: Bool)] {
    let modifiers: Set<String> = ["final", "indirect", "public", "open", "package", "internal"]
    func isPrivate(_ index: Int) -> Bool {
      let before = tokens[..<index].reversed().first { !modifiers.contains($0.text) }
      return before.map { ["private", "fileprivate"].contains($0.text) } ?? false
    }
    var (depth, conditions) = (0, 0)
    return tokens.indices.dropLast().compactMap { index in
      switch tokens[index].text {
      case "#if": conditions += 1
      case "#endif": conditions -= 1
      case "{", "(", "[": depth += 1
      case "}", ")", "]": depth -= 1
      case "class", "struct", "enum", "protocol", "actor", "typealias":
        if depth == 0 { return (tokens[index + 1].text, isPrivate(index), conditions > 0) }
      default: break
      }
      return nil
    }
  }
}

/// The promises in comments of a source, such as `// faultline: promise unique Note.title`. They
/// apply to every run that calls code of the source's package.
struct SourcePromises {
  /// The promises, each in the words of a stack file.
  private(set) var texts: [String] = []
  /// The comments that are meant for Faultline and are no promises.
  private(set) var problems: [(line: Int, message: String)] = []

  init(of source: String) {
    for (line, text) in SwiftLexer.directives(of: source) {
      let words = text.split(separator: " ", maxSplits: 1)
      if words.first == "promise", words.count == 2 {
        let promise = String(words[1].drop { $0 == " " })
        if !texts.contains(promise) { texts.append(promise) }
        continue
      }
      let message =
        words.first == "promise"
        ? "the comment ends before the promise, such as 'unique Record.remoteID'"
        : "a comment for Faultline is a promise, such as "
          + "'// faultline: promise unique Record.remoteID'"
      problems.append((line, message))
    }
  }
}
