import Foundation

/// Measures the oracle, by testing which changes of the engine campaigns notice. See
/// `Tests/MUTANTS.md`.
@main
struct MutantTool {
  private static let usage = """
    faultline-mutants build TREE                  copies the package to TREE with all mutants and builds it
      --tests        builds the tests of the engine, too

    faultline-mutants run TREE [options]          runs mutants of a built tree

      --count N      number of mutants, drawn evenly from the files (200)
      --draw S       the seed of this draw (1)
      --only N,N     only the mutants with these numbers
      --files NAME   only mutants of files whose names contain NAME; may be repeated
      --runs N       number of programs of the campaign (5000)
      --seed S       the seed of the campaign (1)
      --scenarios    also runs surviving mutants on the scenarios and the designed stacks
      --tests        also runs surviving mutants on the tests of the engine
      --jobs N       number of parallel processes (2)
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
