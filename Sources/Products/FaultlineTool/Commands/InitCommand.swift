import Campaigns
import Foundation
import InputFiles
import Prose
import Reporting
import Scenario
import Vocabulary

/// The command `faultline init`.
enum InitCommand {
  private enum Merging: String, CaseIterable { case automatic, notification, none }

  static let options = ["model", "stack", "background", "merge", "policy", "editor", "read-only"]

  private static let help = """
    faultline init DIR [options]: writes a starting point to DIR: NAME.stack, which declares the contexts of
    an app and is yours to edit; NAMETests.swift, a test of the stack; faultline.yml, a workflow for GitHub
    Actions. NAME is the last part of DIR. If one of these files exists, nothing is written.

      --model PATH       the app's .xcdatamodeld, .xcdatamodel or .model; without it, init also writes
                         DIR/NAME.model, a model with one entity
      --stack NAME       starts from a stack of Fixtures/Stacks. Without this option, the stack is that of
                         an NSPersistentContainer: viewContext on the main queue and background contexts,
                         and the following options apply
      --background N     number of background contexts (1)
      --merge NAME       how viewContext gets background changes: automatic (default), notification (an
                         observer of didSave that merges), none
      --policy NAME      the merge policy of viewContext and the background contexts (error)
      --editor           adds a child of viewContext on the main queue. Its entry 'done' saves both
                         contexts and discards the child, 'cancel' discards the child without a save
      --read-only        the app only reads viewContext, and writes in the background or in the editor

      faultline init Notes --model Notes.xcdatamodeld --editor
      faultline fuzz --stack Notes/Notes.stack --model Notes.xcdatamodeld --runs 1000
    """

  static func run(_ words: [String]) throws -> Int32 {
    let arguments = try Arguments(words, known: options)
    if arguments.has("help") {
      print(help)
      return 0
    }
    guard arguments.positional.count == 1 else {
      throw UsageError(message: "init takes one folder to write to, such as 'faultline init Notes'")
    }
    let folder = URL(fileURLWithPath: arguments.positional[0]).relativePath
    let last = folder.split(separator: "/").last.map(String.init) ?? ""
    let name = last.filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    guard name.first?.isLetter == true else {
      throw UsageError(
        message:
          "'\(folder)' cannot name the stack; use a folder whose name begins with a letter: 'Notes'"
      )
    }
    let models = arguments.texts("model")
    guard models.count < 2 else {
      throw UsageError(message: "'--model' is given twice; init takes one model")
    }
    var files: [(path: String, text: String, what: String)] = []
    let model: String
    if let path = models.first {
      try FileKind(path).expect(.model, path)
      _ = try ModelFile.readNoting(path: path)
      model = path
    } else {
      model = "\(folder)/\(name).model"
      files.append(
        (model, "Note\n  title  string?\n", "an example model with one entity"))
    }
    let stack = "\(folder)/\(name).stack"
    files.append(
      (stack, try stackText(name, arguments), "the contexts of the app, for you to edit"))
    let test = "\(folder)/\(InitManifest.target(testing: name)).swift"
    files.append((test, testText(name, model: relative(model, to: folder)), "a test of the stack"))
    let root = repository(of: folder)
    files.append(
      (
        "\(folder)/faultline.yml",
        workflowText(stack: relative(stack, to: root), model: relative(model, to: root)),
        "a workflow, for the folder .github/workflows"
      ))
    try write(files, to: folder)
    if relative(model, to: root).hasPrefix("..") {
      Tool.note("\(model) is outside of \(root), so the workflow's checkout will not contain it")
    }
    let excluded = files.map { URL(fileURLWithPath: $0.path).lastPathComponent }.filter {
      !$0.hasSuffix(".swift")
    }
    printAdvice(on: nearest("Package.swift", above: folder) ?? root, folder, name, excluded)
    print("\nnext: \(command(stack: stack, model: model)) --runs 1000")
    return 0
  }

  /// Prints the lines to add to the manifest of the package in the folder `package`.
  private static func printAdvice(
    on package: String, _ folder: String, _ name: String, _ excluded: [String]
  ) {
    let manifest = (try? TextFile.read(path: package + "/Package.swift")) ?? ""
    let lines = InitManifest.lines(
      testsIn: relative(folder, to: package), name, excluded, in: manifest)
    print("\n" + lines.joined(separator: "\n"))
  }

  private static func write(
    _ files: [(path: String, text: String, what: String)], to folder: String
  ) throws {
    for file in files where FileManager.default.fileExists(atPath: file.path) {
      throw UsageError(
        message:
          "\(file.path) exists; choose another folder or remove the file; nothing was written")
    }
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch { throw InputError(file: folder, message: "cannot create this folder; choose another") }
    for file in files {
      try TextFile.write(file.text, to: file.path)
      print("\(file.path): written; \(file.what)")
    }
  }

  private static func command(stack: String, model: String) -> String {
    "\(HumanReport.quoted(CommandLine.arguments[0])) fuzz --stack \(HumanReport.quoted(stack))"
      + " --model \(HumanReport.quoted(model))"
  }

  /// Returns the folder in which a workflow runs, which is the checkout that contains `folder`.
  /// Without a checkout, it is the working directory, or the parent of a folder elsewhere.
  private static func repository(of folder: String) -> String {
    if let repository = nearest(".git", above: folder) { return repository }
    let above = URL(fileURLWithPath: folder).standardizedFileURL.deletingLastPathComponent()
    let here = FileManager.default.currentDirectoryPath
    return above.path == here || above.path.hasPrefix(here + "/") ? here : above.path
  }

  /// Returns the nearest folder above that has an entry with this name.
  private static func nearest(_ name: String, above folder: String) -> String? {
    var place = URL(fileURLWithPath: folder).standardizedFileURL.deletingLastPathComponent()
    while place.path != "/" {
      if FileManager.default.fileExists(atPath: place.appendingPathComponent(name).path) {
        return place.path
      }
      place.deleteLastPathComponent()
    }
    return nil
  }

  /// Returns a path relative to a folder.
  private static func relative(_ path: String, to folder: String) -> String {
    func parts(_ path: String) -> ArraySlice<String> {
      URL(fileURLWithPath: path).standardizedFileURL.pathComponents[...]
    }
    var (file, base) = (parts(path), parts(folder))
    while let first = file.first, first == base.first {
      file.removeFirst()
      base.removeFirst()
    }
    return (base.map { _ in ".." } + file).joined(separator: "/")
  }

  // MARK: The stack

  private static func stackText(_ name: String, _ arguments: Arguments) throws -> String {
    if let ready = arguments.text("stack") {
      for option in ["background", "merge", "policy", "editor", "read-only"]
      where arguments.has(option) {
        throw UsageError(
          message: "'--\(option)' does not apply to '--stack'; leave one of them out")
      }
      var design = try StackOption.read(ready)
      design.name = name
      return StackDesignText.print(design)
    }
    let count = try arguments.number("background", in: 0...9) ?? 1
    let merging = try arguments.choice("merge", Merging.self) ?? .automatic
    let policy = try arguments.choice("policy", MergePolicy.self)
    let policyWords = policy.map { $0 == .error ? "" : " policy \($0.rawValue)" } ?? ""
    let backgrounds = (1...max(count, 1)).prefix(count).map {
      count == 1 ? "background" : "background\($0)"
    }
    var lines = [
      "# The contexts of an app, and the saves and merges between them. Edit the lines to describe your",
      "# app; Fixtures/Stacks/README.md of Faultline explains the language. Add 'readOnly' to a context",
      "# that the app only reads, and 'hidden' to a context that only entries use. A promise at the end",
      "# states a condition on the data, such as 'promise  unique Note.id'. The stack then also needs a",
      "# line 'model  PATH' below its name.",
      "", "stack  \(name)", "origin  inferred  written by 'faultline init'", "",
      "  store  main",
      "  viewContext  mainQueue coordinator store\(policyWords)"
        + (merging == .automatic ? " autoMerge" : "")
        + (arguments.has("read-only") ? " readOnly" : ""),
    ]
    lines += backgrounds.map { "  \($0)  privateQueue coordinator store\(policyWords)" }
    if arguments.has("editor") {
      lines += [
        "  editor  mainQueue parent viewContext discardable", "  entry  done", "    editor  try",
        "      save", "      viewContext  save", "      discard", "  entry  cancel",
        "    editor  discard",
      ]
    }
    if merging == .notification {
      for background in backgrounds {
        lines += [
          "  observe  didSave \(background)", "    viewContext  perform",
          "      mergeChanges delivered",
        ]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: The test and the workflow

  private static func testText(_ name: String, model: String) -> String {
    let imports = ["Faultline", "FaultlineTesting", "Testing"].map { "import \($0)" }
      .joined(separator: "\n")
    return """
      \(imports)

      /// Fails if programs on the stack stop the app, lose data or cannot save. Change the stack, or
      /// accept a kind of failure with `allowed: [.lostUpdate]`.
      @Test(.faultline(model: "\(model)", stack: "\(name).stack", runs: 1_000))
      func `the stack \(name) loses nothing`() {}

      """
  }

  private static func workflowText(stack: String, model: String) -> String {
    """
    # Move this file to .github/workflows/ of a package that depends on Faultline. The dependency must
    # be a URL that the runner can reach, as in .package(url: …), not a path on your machine.
    name: Faultline
    on: [push, pull_request]

    jobs:
      fuzz:
        runs-on: ubuntu-latest
        container: swift:6.2
        steps:
          - uses: actions/checkout@v4
          - run: swift build -c release --product faultline
          - run: |
              .build/release/faultline fuzz --stack \(HumanReport.quoted(stack)) --model \(HumanReport.quoted(model)) \\
                --seed 0x$(echo "$GITHUB_SHA" | cut -c1-16) --time 2m \\
                --format github --output faultline --html faultline/report.html
          - uses: actions/upload-artifact@v4
            if: always()
            with: { name: faultline, path: faultline }

    """
  }
}
