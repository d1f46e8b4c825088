import Foundation

/// Measures the oracle, by testing which changes of the engine campaigns notice. See
/// `Tests/MUTANTS.md`.
@main
struct MutantTool {
  private static let usage = """
    faultline-mutants build TREE                  copies the package to TREE with all mutants and builds it
      --tests        builds the tests of the engine, too

    faultline-mutants run TREE [options]          runs mutants of a tree that is built

      --count N      mutants, drawn evenly from the files (200)
      --draw S       decides which (1)
      --only N,N     these mutants, by number
      --files NAME   mutants of the files whose names contain this; may be repeated
      --runs N       programs of the campaign (5000)
      --seed S       the seed of the campaign (1)
      --scenarios    tries survivors on the scenarios and on the designed stacks
      --tests        tries survivors on the tests of the engine
      --jobs N       processes at a time (2)
    """

  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    do {
      switch words.first {
      case "build" where words.count >= 2:
        let package = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        var tree = try MutantTree(of: package, at: URL(fileURLWithPath: words[1]))
        print("\(tree.mutants.count) mutants found")
        try tree.build(["--product", "faultline"])
        if words.contains("--tests") {
          try tree.build(["--build-tests"])
        }
        print("\(tree.mutants.count) mutants built")
      case "run" where words.count >= 2:
        try MutantRunner(URL(fileURLWithPath: words[1]), Array(words.dropFirst(2))).run()
      default:
        print(usage)
        exit(2)
      }
    } catch {
      FileHandle.standardError.write(Data("error: \(error)\n".utf8))
      exit(2)
    }
  }
}
