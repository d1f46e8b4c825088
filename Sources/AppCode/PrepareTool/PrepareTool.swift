import Foundation
import InputFiles
import Preparing

/// The executable of the build plugin. `faultline-prepare FOLDER [--resources] [--modules A,B]
/// [--dependency PATH]… PATH…` prepares the sources and models at the paths, and writes the results
/// into the folder. Sources of dependencies are only read.
///
/// The executable is small, so that a package with the plugin need not build the whole tool.
/// `faultline prepare` does the same, except that it takes neither the names of the package's
/// modules nor dependencies.
@main
struct PrepareTool {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    guard let directory = words.first else {
      complain("missing arguments: a folder to write to, then the paths of sources and models")
      exit(2)
    }
    var paths = words.dropFirst()
    var modules: [String] = []
    let hasResources = paths.first == "--resources"
    if hasResources { paths = paths.dropFirst() }
    if paths.first == "--modules" {
      modules = paths.dropFirst().first?.split(separator: ",").map(String.init) ?? []
      paths = paths.dropFirst(2)
    }
    var dependencies: [String] = []
    while paths.first == "--dependency", let path = paths.dropFirst().first {
      dependencies.append(path)
      paths = paths.dropFirst(2)
    }
    do throws(InputError) {
      var preparation = try Preparation(paths: Array(paths))
      preparation.dependencySources = dependencies
      (preparation.modules, preparation.hasResources) = (modules, hasResources)
      try preparation.write(to: directory)
    } catch {
      for one in error.all { complain(one.description) }
      exit(2)
    }
  }

  private static func complain(_ message: String) {
    FileHandle.standardError.write(Data("error: \(message)\n".utf8))
  }
}
